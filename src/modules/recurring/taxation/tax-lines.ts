import type { Money } from '#kernel/money'
import type { BilledLine } from '#modules/payments'
import {
  assessTaxes,
  decideTreatment,
  type OrderTax,
  rateLabel,
  STANDARD_TAX,
  type TaxBehavior,
  type TaxGround,
} from '#modules/taxes'

/** - `date`: The local date of the order (YYYY-MM-DD), whose rates are taken. */
export interface Taxation {
  readonly ground: TaxGround
  readonly date: string
}

interface TaxableLine {
  readonly taxCategory?: string
  readonly taxBehavior?: TaxBehavior
  readonly billed: BilledLine
}

/** - `added`: A line of exclusive tax for each group but those of 0. */
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

/** Taxes what deductions left of each line. @param nets by the position of the line */
export function applyTax<Line extends TaxableLine>(
  { ground, date }: Taxation,
  lines: readonly Line[],
  nets: readonly Money[],
  currency: string,
): TaxedLines<Line> {
  const treated = lines.flatMap((line, index) => {
    const amount = nets[index]
    if (amount === undefined) return []
    const taxedAs = line.billed.taxedAs ?? decideTreatment(ground, line.taxCategory ?? STANDARD_TAX, date)
    return [{ line, amount, taxedAs }]
  })
  const behavior = lines.find(({ taxBehavior }) => taxBehavior !== undefined)?.taxBehavior ?? 'exclusive'
  const rounding = ground.seller.taxRounding
  const { order, taxes } = assessTaxes(treated, { behavior, rounding, currency })
  const added = behavior === 'inclusive' ? [] : order.groups.filter(({ amount }) => !amount.isZero())
  return {
    lines: treated.map(({ line, amount: net, taxedAs }, index) => ({
      ...line,
      billed: { ...line.billed, net, taxedAs, tax: taxes[index] },
    })),
    added: added.map((group) => ({
      label: rateLabel(group),
      price: group.amount,
      quantity: 1,
      billed: { kind: 'tax' },
    })),
    tax: order,
  }
}
