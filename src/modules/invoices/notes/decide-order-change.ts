import { Money, sumMoney } from '#kernel/money'
import { type OrderChange, payableTotal, type Transaction } from '#modules/payments'
import type { IssuedInvoice, NoteCause } from '../model/issued-invoice.ts'

export interface InvoiceWithNotes {
  readonly invoice: IssuedInvoice
  readonly notes: readonly IssuedInvoice[]
}

export interface NoteOfChange {
  readonly cause: Exclude<NoteCause, 'request'>
  readonly amount: Money
}

/**
 * Decides which credit notes a changed order issues by itself (reference/billing-invoices#by-themselves). None is more than what
 * is left of the invoice.
 */
export function decideNotes({ invoice, notes }: InvoiceWithNotes, change: OrderChange): NoteOfChange[] {
  let left = invoice.total.minus(invoice.creditedTotal)
  const decided: NoteOfChange[] = []
  const add = (cause: NoteOfChange['cause'], wanted: Money): void => {
    const amount = wanted.lessThan(left) ? wanted : left
    if (!amount.isPositive()) return
    decided.push({ cause, amount })
    left = left.minus(amount)
  }
  const { before, order, voidedBy } = change
  if (before !== null) add('change', order.creditedTotal.minus(before.creditedTotal))
  add('refund', notedByRefunds(change, notes))
  if (voidedBy === 'merchant') add('void', left)
  return decided
}

/** Refunds of what was paid too much, or credited before without giving it back, need no note. */
function notedByRefunds(change: OrderChange, notes: readonly IssuedInvoice[]): Money {
  const { order } = change
  const { currency } = order
  const refunded = sumMoney(
    currency,
    refundsByHand(change, notes).map(({ amount }) => amount.abs()),
  )
  const overpaid = sumMoney(
    currency,
    change.allTransactions.filter(isPaid).map(({ amount }) => amount),
  ).minus(payableTotal(order))
  const unsettled = sumMoney(
    currency,
    notes.flatMap(({ note }) => note?.unsettled ?? []),
  )
  const noted = sumMoney(
    currency,
    notes.filter(({ note }) => note?.cause === 'refund').map(({ total }) => total),
  )
  return refunded
    .minus(overpaid.isPositive() ? overpaid : Money.zero(currency))
    .minus(unsettled)
    .minus(noted)
}

function refundsByHand(
  { allTransactions }: OrderChange,
  notes: readonly IssuedInvoice[],
): readonly Transaction[] {
  const byNotes = new Set(notes.flatMap(({ note }) => (note?.cause === 'request' ? note.refundIds : [])))
  return allTransactions.filter(
    ({ id, type, state }) => type === 'Refund' && state === 'succeeded' && !byNotes.has(id),
  )
}

function isPaid({ type, state }: Transaction): boolean {
  return (type === 'Sales' || type === 'Capture') && state === 'succeeded'
}

export function hasNewRefund({ transactions }: OrderChange): boolean {
  return transactions.some(
    ({ before, transaction: { type, state } }) =>
      type === 'Refund' && state === 'succeeded' && before?.state !== 'succeeded',
  )
}

type Standing = Pick<OrderChange, 'order' | 'voidedBy'>

/** Decides the state and amounts of an invoice from its order and from what notes have credited (reference/billing-invoices#states). */
export function withOrder(
  invoice: IssuedInvoice,
  credited: Money,
  { order, voidedBy }: Standing,
): Pick<IssuedInvoice, 'state' | 'amountDue' | 'creditedTotal' | 'overdueAt'> {
  const none = Money.zero(invoice.currency)
  const creditedTotal = invoice.creditedTotal.plus(credited)
  const open = invoice.total.minus(invoice.prepaid).minus(creditedTotal).minus(order.paidTotal)
  const isClosed = order.state === 'voided' || order.state === 'expired'
  const amountDue = open.isPositive() && !isClosed ? open : none
  const isPaidInFull = order.state === 'completed' || order.state === 'refunded' || !amountDue.isPositive()
  const state =
    creditedTotal.isPositive() && creditedTotal.equals(invoice.total)
      ? 'credited'
      : invoice.state === 'uncollectible' || voidedBy === 'grace'
        ? 'uncollectible'
        : isPaidInFull
          ? 'paid'
          : 'open'
  return { state, amountDue, creditedTotal, overdueAt: state === 'open' ? invoice.overdueAt : null }
}
