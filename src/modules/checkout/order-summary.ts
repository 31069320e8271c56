import { sumMoney } from '#kernel/money'
import type { Money } from '#kernel/money'
import { lineTotal } from '#modules/payments'
import type { LineItem, Order } from '#modules/payments'
import { say } from './words.ts'
import type { Words } from './words.ts'

/** What the payer reads of an order, on the page and in its documents. Items and adjustments sum to `total`. */
export interface OrderSummary {
  readonly items: readonly SummaryItem[]
  /** The sum of the items; null when nothing is added to it or taken off. */
  readonly subtotal: Money | null
  /** Discounts, credit, tax, surcharges, rounding, tips. */
  readonly adjustments: readonly { readonly label: string; readonly total: Money }[]
  readonly total: Money
}

interface SummaryItem {
  readonly label: string
  readonly quantity: number
  readonly price: Money
  readonly total: Money
}

export function summaryOf(order: Order, words: Words): OrderSummary {
  const lines = order.lineItems ?? []
  const items = lines.filter((line) => !isAdjustment(line))
  const adjustments = lines.filter(isAdjustment)
  if (items.length === 0 && adjustments.length === 0) {
    const price = order.initialTotal.minus(order.initialTips)
    const label = say(words.order, { number: order.referenceNumber })
    const tips = order.initialTips.isZero() ? [] : [{ label: words.tips, total: order.initialTips }]
    return {
      items: [{ label, quantity: 1, price, total: price }],
      subtotal: tips.length === 0 ? null : price,
      adjustments: tips,
      total: order.initialTotal,
    }
  }
  return {
    items: items.map((line) => ({
      label: labelOf(line, words),
      quantity: line.quantity,
      price: line.price,
      total: lineTotal(line),
    })),
    subtotal: adjustments.length === 0 ? null : sumMoney(order.currency, items.map(lineTotal)),
    adjustments: adjustments.map((line) => ({ label: labelOf(line, words), total: lineTotal(line) })),
    total: order.initialTotal,
  }
}

/** The interface has no type for a tax: its label tells. */
const TAX = /\b(?:tax|vat|gst)\b|[稅税]/i

function isAdjustment(line: LineItem): boolean {
  switch (line.purchasableType) {
    case 'RearTips':
    case 'Rounding':
    case 'SurchargeFee':
      return true
    case 'Charge':
    case 'Listing':
      return line.price.isNegative() || isTax(line)
  }
}

function isTax(line: LineItem): boolean {
  return line.label !== null && TAX.test(line.label)
}

function labelOf(line: LineItem, words: Words): string {
  const { label } = line
  if (label !== null && label !== '') return ownLabel(label, words) ?? label
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

/** Labels that recurring billing writes (decisions, section 5), in the reader's language. */
function ownLabel(label: string, words: Words): string | undefined {
  switch (label) {
    case 'Proration':
      return words.proration
    case 'Discount':
      return words.discount
    case 'Credit':
      return words.credit
    case 'Tax':
      return words.tax
    default:
      return undefined
  }
}
