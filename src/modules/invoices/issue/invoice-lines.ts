import { type Decimal, wholeDecimal } from '#kernel/decimal'
import { Money, sumMoney } from '#kernel/money'
import { type LineKind, lineTotal, type NewLineItem } from '#modules/payments'
import { runningShares, type TaxBehavior } from '#modules/taxes'
import type { InvoiceLine, LineChange } from '../model/invoice.ts'

const DEDUCTIONS: readonly LineKind[] = ['proration', 'discount', 'coupon']
const MEANS_OF_PAYMENT: readonly LineKind[] = ['balance', 'credit']

export interface DocumentLines {
  readonly lines: readonly InvoiceLine[]
  readonly netTotal: Money
  readonly taxTotal: Money
  readonly total: Money
  readonly prepaid: Money
}

export interface WrittenQuantity {
  readonly quantity: Decimal
  readonly unitAmount: Decimal
}

/**
 * Returns the lines of a document: the order's lines that bill something, each less its share of the deductions and with its
 * part of the tax.
 * @param written by the place of the order's line
 */
export function documentLines(
  currency: string,
  orderLines: readonly NewLineItem[],
  behavior: TaxBehavior,
  written: ReadonlyMap<number, WrittenQuantity> = new Map(),
): DocumentLines {
  const charged = orderLines.flatMap((line, index) => (isCharge(line) ? [{ line, index }] : []))
  const deductions = orderLines.filter((line) => isOf(line, DEDUCTIONS))
  const remaining = afterDeductions(
    currency,
    charged.map(({ line }) => line),
    deductions,
  )
  const lines = charged.map(({ line, index }, place) =>
    documentLine(String(place + 1), line, remaining[place] ?? lineTotal(line), behavior, written.get(index)),
  )
  const prepaid = sumMoney(
    currency,
    orderLines.filter((line) => isOf(line, MEANS_OF_PAYMENT)).map((line) => lineTotal(line).negated()),
  )
  const sumOf = (part: (line: InvoiceLine) => Money) => sumMoney(currency, lines.map(part))
  return {
    lines,
    netTotal: sumOf(({ net }) => net),
    taxTotal: sumOf(({ tax }) => tax),
    total: sumOf(({ total }) => total),
    prepaid,
  }
}

export function isCharge({ billed }: NewLineItem): boolean {
  if (billed === undefined) return true
  return !['tax', 'to_credit', ...DEDUCTIONS, ...MEANS_OF_PAYMENT].includes(billed.kind)
}

function isOf({ billed }: NewLineItem, kinds: readonly LineKind[]): boolean {
  return billed !== undefined && kinds.includes(billed.kind)
}

/** Lines that are taxed or have coupons carry their net amount. In other orders deductions are shared over the items. */
function afterDeductions(
  currency: string,
  charged: readonly NewLineItem[],
  deductions: readonly NewLineItem[],
): Money[] {
  if (charged.some(({ billed }) => billed?.net !== undefined)) {
    return charged.map((line) => line.billed?.net ?? lineTotal(line))
  }
  const none = Money.zero(currency)
  let remaining = charged.map(lineTotal)
  for (const deduction of deductions) {
    const weights = remaining.map((left, index) => {
      const line = charged[index]
      return line !== undefined && isOf(line, ['item', 'usage']) ? left : none
    })
    const shares = runningShares(lineTotal(deduction), weights)
    remaining = remaining.map((left, index) => left.plus(shares[index] ?? none))
  }
  return remaining
}

function documentLine(
  id: string,
  line: NewLineItem,
  remaining: Money,
  behavior: TaxBehavior,
  written: WrittenQuantity | undefined,
): InvoiceLine {
  const amount = lineTotal(line)
  const tax = line.billed?.tax ?? Money.zero(amount.currency)
  const net = behavior === 'inclusive' ? remaining.minus(tax) : remaining
  const isCredit = line.price.isNegative()
  return {
    id,
    label: line.label ?? '',
    quantity: written?.quantity ?? wholeDecimal(isCredit ? -line.quantity : line.quantity),
    unitAmount: written?.unitAmount ?? line.price.abs().toDecimal(),
    amount,
    discount: amount.minus(remaining),
    net,
    tax,
    total: net.plus(tax),
    period: line.billed?.period ?? null,
    ...changeOf(line),
    treatment: line.billed?.taxedAs?.treatment ?? 'not_registered',
    rates: line.billed?.taxedAs?.rates ?? [],
  }
}

function changeOf({ billed }: NewLineItem): { readonly change?: LineChange } {
  if (billed?.units === undefined) return {}
  const { kind, units, discount } = billed
  if (kind === 'proration_credit') return { change: { kind: 'unused', units } }
  if (kind !== 'proration_charge') return {}
  return { change: { kind: 'remaining', units, ...(discount !== undefined && { discount }) } }
}
