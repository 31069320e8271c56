import { type Money, sumMoney } from '#kernel/money'
import {
  isRefund,
  leftOfLines,
  type OrderWithTransactions,
  overpaidTotal,
  payableTotal,
  type Transaction,
} from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import { documentLines } from '../issue/invoice-lines.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { findNotes } from '../storage/invoice.repository.ts'

/** With tax. */
export interface LeftOfLine {
  readonly total: Money
  readonly left: Money
}

/**
 * Returns what is left to give back of the lines of orders, by order and by the place of the line: what was billed less what
 * credit notes credited. Without an invoice a refund counts as a note. Credits of plan changes do not count, because the changes
 * record them themselves.
 */
export async function leftOfOrderLines(
  tx: Tx,
  orders: readonly OrderWithTransactions[],
): Promise<ReadonlyMap<string, readonly LeftOfLine[]>> {
  const notes = await findNotes(
    tx,
    orders.flatMap(({ order: { invoice } }) => invoice?.id ?? []),
  )
  return new Map(
    orders.map(
      (paid) => [paid.order.id, leftOf(paid, notes.get(paid.order.invoice?.id ?? '') ?? [])] as const,
    ),
  )
}

function leftOf(paid: OrderWithTransactions, notes: readonly IssuedInvoice[]): LeftOfLine[] {
  const { currency, lineItems, tax } = paid.order
  const { lines } = documentLines(currency, lineItems ?? [], tax?.behavior ?? 'exclusive')
  const counted = notes.filter(({ note }) => note?.cause !== 'change').flatMap((note) => note.lines)
  const creditable = lines.map(({ id, total }) => ({
    total,
    credited: sumMoney(
      currency,
      counted.filter(({ lineId }) => lineId === id).map((line) => line.total),
    ),
  }))
  const left = leftOfLines(creditable, refundedWithoutNote(paid, notes))
  return creditable.map(({ total }, index) => ({ total, left: left[index] ?? total }))
}

/** A refund of an overpayment takes nothing from the lines. */
function refundedWithoutNote(
  { order, transactions }: OrderWithTransactions,
  notes: readonly IssuedInvoice[],
): Money {
  const { currency } = order
  const byNotes = new Set(notes.flatMap(({ note }) => note?.refundIds ?? []))
  const isUnderWay = (transaction: Transaction) => isRefund(transaction) && transaction.state !== 'succeeded'
  const isUnnoted = (transaction: Transaction) =>
    order.invoice === null || (isUnderWay(transaction) && !byNotes.has(transaction.id))
  const sumOf = (some: readonly Transaction[]) =>
    sumMoney(
      currency,
      some.map(({ amount }) => amount.abs()),
    )
  const refunded = sumOf(transactions.filter(isRefund).filter(isUnnoted))
  const overpaid =
    order.invoice === null
      ? sumOf(transactions.filter(isPaid)).minus(payableTotal(order))
      : // A note counts from its request, before its refund has succeeded.
        overpaidTotal(order).minus(sumOf(transactions.filter(isUnderWay).filter(({ id }) => byNotes.has(id))))
  return overpaid.isPositive() ? refunded.minus(overpaid) : refunded
}

function isPaid({ type, state }: Transaction): boolean {
  return (type === 'Sales' || type === 'Capture') && state === 'succeeded'
}
