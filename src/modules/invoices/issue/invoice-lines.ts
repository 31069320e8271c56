import { wholeDecimal } from '#kernel/decimal'
import { Money, sumMoney } from '#kernel/money'
import { type LineKind, lineTotal, type NewLineItem } from '#modules/payments'
import type { InvoiceLine } from '../model/invoice.ts'
import type { LineTax } from '#modules/taxes'

const DEDUCTIONS: readonly LineKind[] = ['proration', 'discount', 'coupon']
const MEANS_OF_PAYMENT: readonly LineKind[] = ['balance', 'credit']

/** What an order's lines say, before it has a number. A total below zero is a credit note's. */
export interface DocumentLines {
  readonly lines: readonly InvoiceLine[]
  readonly netTotal: Money
  readonly taxTotal: Money
  readonly total: Money
  readonly prepaid: Money
}

/**
 * The lines of a document: those of the order that bill something, each after its share of the deductions and with its part
 * of the tax.
 * @param taxes by the place of the order's line; an order without tax has none
 */
export function documentLines(
  currency: string,
  orderLines: readonly NewLineItem[],
  taxes: ReadonlyMap<number, LineTax>,
): DocumentLines {
  const charged = orderLines.flatMap((line, index) => (isCharge(line) ? [{ line, index }] : []))
  const deductions = orderLines.filter((line) => isOf(line, DEDUCTIONS))
  const remaining = afterDeductions(
    currency,
    charged.map(({ line }) => line),
    deductions,
  )
  const lines = charged.map(({ line, index }, place) =>
    documentLine(String(place + 1), line, remaining[place] ?? lineTotal(line), taxes.get(index)),
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

function isCharge({ billed }: NewLineItem): boolean {
  if (billed === undefined) return true
  return !['tax', 'to_credit', ...DEDUCTIONS, ...MEANS_OF_PAYMENT].includes(billed.kind)
}

function isOf({ billed }: NewLineItem, kinds: readonly LineKind[]): boolean {
  return billed !== undefined && kinds.includes(billed.kind)
}

/** The lines tell it themselves where coupons cover some of them only. Otherwise deductions are shared over the items. */
function afterDeductions(
  currency: string,
  charged: readonly NewLineItem[],
  deductions: readonly NewLineItem[],
): Money[] {
  const isItem = charged.map((line) => isOf(line, ['item', 'usage']))
  let remaining = charged.map(lineTotal)
  if (charged.some(({ billed }) => billed?.net !== undefined)) {
    return charged.map((line) => line.billed?.net ?? lineTotal(line))
  }
  for (const deduction of deductions) {
    const weights = remaining.map((left, index) => (isItem[index] === true ? left : Money.zero(currency)))
    const shares = runningShares(lineTotal(deduction), weights)
    remaining = remaining.map((left, index) => left.plus(shares[index] ?? Money.zero(currency)))
  }
  return remaining
}

function runningShares(amount: Money, weights: readonly Money[]): Money[] {
  const whole = sumMoney(amount.currency, weights).minor
  let weight = 0n
  let shared = Money.zero(amount.currency)
  return weights.map(({ minor }) => {
    weight += minor
    const until = whole === 0n ? shared : amount.prorate(weight, whole)
    const share = until.minus(shared)
    shared = until
    return share
  })
}

/** Credits have a negative quantity, because electronic invoices know no negative price. */
function documentLine(
  id: string,
  line: NewLineItem,
  remaining: Money,
  tax: LineTax | undefined,
): InvoiceLine {
  const amount = lineTotal(line)
  const net = tax?.net ?? remaining
  const taxAmount = tax?.tax ?? Money.zero(amount.currency)
  const isCredit = line.price.isNegative()
  return {
    id,
    label: line.label ?? '',
    quantity: wholeDecimal(isCredit ? -line.quantity : line.quantity),
    unitAmount: line.price.abs().toDecimal(),
    amount,
    discount: amount.minus(remaining),
    net,
    tax: taxAmount,
    total: net.plus(taxAmount),
    period: line.billed?.period ?? null,
    treatment: tax?.treatment ?? 'not_registered',
    rates: tax?.rates ?? [],
  }
}
