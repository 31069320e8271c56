import { say } from '#kernel/say'
import { type Money, sumMoney } from '#kernel/money'
import {
  dueTotal,
  freeTotal,
  type LineItem,
  lineTotal,
  type Order,
  payerReference,
  subtotal,
  type Transaction,
} from '#modules/payments'
import { LABELS } from '#modules/plans'
import type { PaymentView } from '../model/payment-view.ts'
import { type Words } from './words.ts'

/** An order from top to bottom: items and adjustments add up to the subtotal, and with the tips to the total (reference/orders#totals). */
export interface OrderSummary {
  readonly items: readonly SummaryItem[]
  readonly adjustments: readonly SummaryLine[]
  readonly subtotal: Money | null
  readonly tips: readonly SummaryLine[]
  readonly total: Money
}

export interface SummaryLine {
  readonly label: string
  readonly total: Money
}

interface SummaryItem {
  readonly label: string
  readonly quantity: number
  readonly price: Money
  readonly total: Money
}

export function summaryOf(order: Order, words: Words): OrderSummary {
  const { items, adjustments, tips } =
    order.lineItems === null || order.lineItems.length === 0
      ? totalsAsLines(order, words)
      : linesOf(order.lineItems, words)
  return {
    items,
    adjustments,
    subtotal: tips.length === 0 ? null : subtotal(order),
    tips,
    total: order.initialTotal,
  }
}

export interface Balance {
  readonly lines: readonly SummaryLine[]
  readonly left: Money | null
}

export function balanceOf(
  { order, transactions }: Pick<PaymentView, 'order' | 'transactions'>,
  words: Words,
): Balance {
  const refunded = refundedTotal(order, transactions)
  const left = leftToPay(order)
  const lines = [
    { label: words.alreadyPaid, total: order.paidTotal.plus(refunded) },
    { label: words.refunded, total: refunded.negated() },
    { label: words.underWay, total: dueTotal(order).minus(left) },
  ].filter(({ total }) => !total.isZero())
  return { lines, left: order.state === 'open' && lines.length > 0 ? left : null }
}

/** A payment without a result may still fail. When it covers all that is unpaid, that whole amount is shown. */
function leftToPay(order: Order): Money {
  const free = freeTotal(order)
  return free.isPositive() ? free : dueTotal(order)
}

export function refundedTotal({ currency }: Order, transactions: readonly Transaction[]): Money {
  const refunds = transactions.filter(({ type, state }) => type === 'Refund' && state === 'succeeded')
  return sumMoney(
    currency,
    refunds.map(({ amount }) => amount.abs()),
  )
}

type SummaryLines = Pick<OrderSummary, 'items' | 'adjustments' | 'tips'>

function totalsAsLines(order: Order, words: Words): SummaryLines {
  const price = subtotal(order)
  const label = say(words.order, { number: payerReference(order) })
  return {
    items: [{ label, quantity: 1, price, total: price }],
    adjustments: [],
    tips: order.initialTips.isZero() ? [] : [{ label: words.tips, total: order.initialTips }],
  }
}

function linesOf(lines: readonly LineItem[], words: Words): SummaryLines {
  // When nothing else is sold, the payer pays a tax, for example to an authority.
  const hasItems = lines.some((line) => kindOf(line) === 'item' && !isTax(line))
  const shown = lines.map((line) => ({
    kind: hasItems && isTax(line) ? 'adjustment' : kindOf(line),
    label: labelOf(line, words),
    quantity: line.quantity,
    price: line.price,
    total: lineTotal(line),
  }))
  return {
    items: shown.filter(({ kind }) => kind === 'item'),
    adjustments: shown.filter(({ kind }) => kind === 'adjustment'),
    tips: shown.filter(({ kind }) => kind === 'tips'),
  }
}

/**
 * Line items have no type for taxes. A label that ends with the name of a tax and perhaps its rate marks one ("Sales tax",
 * "VAT (5%)", "增值稅 6%"). Other labels that mention taxes ("Tax return", "免稅商品") are items.
 */
const TAX = /(?:\b(?:tax|vat|gst)|[稅税][項项費费款金]?)[\s:,@-]*(?:[(（].*[)）]|\d+(?:\.\d+)?\s*[%％])?$/i

function kindOf(line: LineItem): 'item' | 'adjustment' | 'tips' {
  switch (line.purchasableType) {
    case 'RearTips':
      return 'tips'
    case 'Rounding':
    case 'SurchargeFee':
      return 'adjustment'
    case 'Charge':
    case 'Listing':
      return line.price.isNegative() ? 'adjustment' : 'item'
  }
}

function isTax(line: LineItem): boolean {
  return kindOf(line) === 'item' && line.quantity === 1 && line.label !== null && TAX.test(line.label.trim())
}

function labelOf(line: LineItem, words: Words): string {
  const { label } = line
  if (label !== null && label !== '') return translatedLabel(label, words) ?? label
  switch (line.purchasableType) {
    case 'RearTips':
      return words.tips
    case 'Rounding':
      return words.rounding
    case 'SurchargeFee':
      return words.surcharge
    case 'Charge':
    case 'Listing':
      return words.item
  }
}

function translatedLabel(label: string, words: Words): string | undefined {
  switch (label) {
    case LABELS.proration:
      return words.proration
    case LABELS.discount:
      return words.discount
    case LABELS.credit:
      return words.credit
    case LABELS.to_credit:
      return words.toCredit
    case 'Tax':
      return words.tax
    default:
      return undefined
  }
}
