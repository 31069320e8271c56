import type { Instant } from '#kernel/clock'
import { Money } from '#kernel/money'
import { localDateOf } from '#kernel/time-zone'
import type { BilledLine } from '#modules/payments'
import {
  assessTaxes,
  type OrderTax,
  rateLabel,
  STANDARD_TAX,
  type TaxBehavior,
  type TaxGround,
  treatLines,
} from '#modules/taxes'
import type { PlanAggregate } from '../model/plan.ts'

export interface Taxation {
  readonly ground: TaxGround
  readonly date: string
}

export function taxationOf(
  { plan, taxGround }: Pick<PlanAggregate, 'plan' | 'taxGround'>,
  at: Instant,
): Taxation | null {
  return taxGround && { ground: taxGround, date: localDateOf(at, plan.zone).toString() }
}

interface TaxableLine {
  readonly taxCategory?: string
  readonly taxBehavior?: TaxBehavior
  readonly billed: BilledLine
}

interface TaxedLines<Line> {
  readonly lines: readonly Line[]
  readonly added: readonly {
    readonly label: string
    readonly price: Money
    readonly quantity: number
    readonly billed: BilledLine
  }[]
  readonly tax: OrderTax
}

export function applyTax<Line extends TaxableLine>(
  { ground, date }: Taxation,
  lines: readonly Line[],
  nets: readonly Money[],
  currency: string,
): TaxedLines<Line> {
  const behavior = lines.find(({ taxBehavior }) => taxBehavior !== undefined)?.taxBehavior ?? 'exclusive'
  const rounding = ground.seller.taxRounding
  const untreated = lines.map(({ taxCategory = STANDARD_TAX, billed: { taxedAs } }, index) => ({
    amount: nets[index] ?? Money.zero(currency),
    taxCategory,
    taxedAs,
  }))
  const treated = treatLines(ground, untreated, { date, behavior, currency })
  const { order, taxes } = assessTaxes(treated, { behavior, rounding, currency })
  const added = behavior === 'inclusive' ? [] : order.groups.filter(({ amount }) => !amount.isZero())
  return {
    lines: lines.map((line, index) => {
      const taxedAs = treated[index]?.taxedAs
      const { taxCategory } = line
      const hasOwn = taxCategory !== undefined && taxCategory !== STANDARD_TAX
      const billed = { ...line.billed, net: nets[index], taxedAs, tax: taxes[index] }
      return { ...line, billed: hasOwn ? { ...billed, taxCategory } : billed }
    }),
    added: added.map((group) => ({
      label: rateLabel(group),
      price: group.amount,
      quantity: 1,
      billed: { kind: 'tax' },
    })),
    tax: order,
  }
}
