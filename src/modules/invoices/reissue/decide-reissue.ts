import type { Decimal } from '#kernel/decimal'
import { Money } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import { askedTotal, type LineItem, loweredBy, type Order } from '#modules/payments'
import { assessTaxes, type OrderTax, STANDARD_TAX, type TaxGround, treatLines } from '#modules/taxes'
import { notesOf, type Parties } from '../issue/decide-document.ts'
import { type DocumentLines, documentLines, isCharge, type WrittenQuantity } from '../issue/invoice-lines.ts'
import type { Invoice, InvoiceLine } from '../model/invoice.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'

/**
 * A corrected invoice and its order.
 * - `lines`, `tax`: Of the order, as the new invoice bills them.
 * - `lowered`: By how much the order asks for less.
 * - `toCredit`: What the plan's credit had paid of the old invoice and the new one does not need.
 */
export interface Reissue {
  readonly lines: readonly LineItem[]
  readonly tax: OrderTax | null
  readonly content: ReissuedContent
  readonly lowered: Money
  readonly toCredit: Money
}

type ReissuedContent = Pick<
  Invoice,
  'seller' | 'buyer' | 'lines' | 'taxes' | 'netTotal' | 'taxTotal' | 'total' | 'prepaid' | 'notes'
>

interface ReissueGround {
  readonly invoice: IssuedInvoice
  readonly hasNotes: boolean
  readonly order: Order
  readonly parties: Parties
  readonly ground: TaxGround
}

type ReissueRefusal = Refused<
  | 'invoice_has_notes'
  | 'nothing_left_to_credit'
  | 'payment_in_progress'
  | 'reissue_below_zero'
  | 'reissue_raises_total'
>

/**
 * Decides an invoice that replaces another one: the same lines, the parties of now, and the taxes that the old invoice's date
 * gives them (reference/billing-invoices#correction).
 */
export function decideReissue({
  invoice,
  hasNotes,
  order,
  parties,
  ground,
}: ReissueGround): Reissue | ReissueRefusal {
  if (hasNotes) return { refused: 'invoice_has_notes' }
  if (!invoice.total.isPositive()) return { refused: 'nothing_left_to_credit' }
  const { lines, tax } = taxAnew(order, ground, invoice)
  const document = documentLines(
    order.currency,
    lines,
    invoice.taxBehavior,
    quantitiesOf(lines, invoice.lines),
  )
  if (document.total.greaterThan(invoice.total)) return raised(invoice, document)
  if (document.total.isNegative()) return { refused: 'reissue_below_zero' }
  const difference = invoice.total.minus(document.total)
  const left = askedTotal(order).minus(order.creditedTotal)
  const lowered = difference.lessThan(left) ? difference : left
  const isBusy = order.reservedTotal.isPositive() || order.voiding !== null
  if (isBusy && lowered.isPositive()) return { refused: 'payment_in_progress' }
  const toCredit = difference.minus(lowered)
  // The void gave back what credit of the plan had paid of it.
  const prepaid = order.creditReturned.isPositive()
    ? Money.zero(order.currency)
    : invoice.prepaid.minus(toCredit)
  return {
    lines,
    tax,
    content: {
      seller: parties.seller,
      buyer: parties.buyer,
      lines: document.lines,
      taxes: tax?.groups ?? [],
      netTotal: document.netTotal,
      taxTotal: document.taxTotal,
      total: document.total,
      prepaid,
      notes: notesOf(document.lines, parties.exemptReason),
    },
    lowered,
    toCredit,
  }
}

function raised(invoice: IssuedInvoice, { total }: DocumentLines): ReissueRefusal {
  const message = `The new invoice would ask for ${total.toString()}, which is more than the ${invoice.total.toString()} of this one.`
  return { refused: 'reissue_raises_total', message }
}

/** Lines that take something back keep the rates of their charge, which another invoice billed. Lines of tax stay as they were ordered. */
function taxAnew(
  order: Order,
  ground: TaxGround,
  { issueDate: date }: IssuedInvoice,
): Pick<Reissue, 'lines' | 'tax'> {
  const lines = order.lineItems ?? []
  const { currency } = order
  if (order.tax === null) return { lines, tax: null }
  const { behavior } = order.tax
  const charged = lines.flatMap((line, index) => {
    const { net, taxCategory = STANDARD_TAX, taxedAs } = line.billed ?? {}
    if (!isCharge(line) || net === undefined) return []
    return [
      {
        index,
        untreated: { amount: net, taxCategory, taxedAs: line.price.isNegative() ? taxedAs : undefined },
      },
    ]
  })
  const treated = treatLines(
    ground,
    charged.map(({ untreated }) => untreated),
    { date, behavior, currency },
  )
  const rounding = ground.seller.taxRounding
  const { order: tax, taxes } = assessTaxes(treated, { behavior, rounding, currency })
  const places = new Map(charged.map(({ index }, place) => [index, place]))
  return {
    lines: lines.map((line, index) => {
      const place = places.get(index)
      if (place === undefined || line.billed === undefined) return line
      return { ...line, billed: { ...line.billed, taxedAs: treated[place]?.taxedAs, tax: taxes[place] } }
    }),
    tax,
  }
}

/** An order does not keep fractions of a quantity; the invoice does. */
function quantitiesOf(
  lines: readonly LineItem[],
  written: readonly InvoiceLine[],
): ReadonlyMap<number, WrittenQuantity> {
  const charged = lines.flatMap((line, index) => (isCharge(line) ? [index] : []))
  return new Map(
    charged.flatMap((index, place): [number, { quantity: Decimal; unitAmount: Decimal }][] => {
      const line = written[place]
      return line === undefined ? [] : [[index, { quantity: line.quantity, unitAmount: line.unitAmount }]]
    }),
  )
}

/** What an order asks for after the reissue. Whether it is then paid, payments decide. */
export function rebilled(order: Order, { lines, tax, lowered }: Reissue): Order {
  return { ...order, lineItems: lines, tax, ...loweredBy(order, lowered) }
}
