import { Money, sumMoney } from '#kernel/money'
import { dueTotal, isMovedOutside, type Order, type OrderChange, type Transaction } from '#modules/payments'
import type { NoteCause, NoteRefund, NoteSettlement } from '../model/invoice.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'

export interface InvoiceWithNotes {
  readonly invoice: IssuedInvoice
  readonly notes: readonly IssuedInvoice[]
}

export interface NoteOfChange {
  readonly cause: Exclude<NoteCause, 'request' | 'reissue'>
  readonly amount: Money
  readonly settlement: NoteSettlement
}

/**
 * Decides which credit notes a changed order issues automatically (reference/billing-invoices#by-themselves). No note exceeds
 * what is left of the invoice.
 */
export function decideNotes({ invoice, notes }: InvoiceWithNotes, change: OrderChange): NoteOfChange[] {
  let left = invoice.total.minus(invoice.creditedTotal)
  const decided: NoteOfChange[] = []
  const add = (cause: NoteOfChange['cause'], wanted: Money): void => {
    const amount = wanted.lessThan(left) ? wanted : left
    if (!amount.isPositive()) return
    decided.push({ cause, amount, settlement: settlementOf(cause, amount, invoice, change) })
    left = left.minus(amount)
  }
  const { before, order, voidedBy } = change
  if (before !== null) add('change', lowered(order).minus(lowered(before)))
  add('refund', notedByRefunds(change, notes))
  if (voidedBy === 'merchant') add('void', left)
  return decided
}

/** The part of a voided order that the plan's credit had paid was not due. */
function settlementOf(
  cause: NoteOfChange['cause'],
  amount: Money,
  { prepaid }: IssuedInvoice,
  { transactions }: OrderChange,
): NoteSettlement {
  const none = Money.zero(amount.currency)
  switch (cause) {
    case 'change':
      return { due: amount, refunds: [], credit: none }
    case 'void':
      return { due: amount.greaterThan(prepaid) ? amount.minus(prepaid) : none, refunds: [], credit: none }
    case 'refund': {
      const refunds = transactions.filter(isNewRefund).map(({ transaction }) => transaction)
      return { due: none, refunds: refundsOfNote(refunds, amount), credit: none }
    }
  }
}

/** Shares the amount of a note over the refunds that give it back. */
export function refundsOfNote(refunds: readonly Transaction[], amount: Money): NoteRefund[] {
  let left = amount
  return refunds.flatMap((refund) => {
    const size = refund.amount.abs()
    const part = size.lessThan(left) ? size : left
    left = left.minus(part)
    return part.isPositive() ? [{ amount: part, last4: refund.instrument.last4 }] : []
  })
}

/** An order that is open again counts the refunds that have notes as credited. */
function lowered({ creditedTotal, notedRefunds }: Order): Money {
  return creditedTotal.plus(notedRefunds)
}

/**
 * Refunds of an overpayment need no note: what is due after a refund of more is what the refund took of what was owed. Nor do
 * refunds of what an earlier note credited without giving it back.
 */
function notedByRefunds(change: OrderChange, notes: readonly IssuedInvoice[]): Money {
  const { order, allTransactions, transactions } = change
  const none = Money.zero(order.currency)
  const isByHand = isRefundByHand(notes)
  const all = totalOf(order, allTransactions.filter(isByHand))
  const refunded = totalOf(
    order,
    transactions.filter(isNewRefund).flatMap(({ transaction }) => (isByHand(transaction) ? transaction : [])),
  )
  const unsettled = sumMoney(
    order.currency,
    notes.flatMap(({ note }) => note?.unsettled ?? []),
  )
  const noted = sumMoney(
    order.currency,
    notes.filter(({ note }) => note?.cause === 'refund').map(({ total }) => total),
  )
  const earlierWithoutNote = larger(all.minus(refunded).minus(noted), none)
  const owed = smaller(larger(dueTotal(order), none), refunded)
  return owed.minus(larger(unsettled.minus(earlierWithoutNote), none))
}

function totalOf({ currency }: Order, transactions: readonly Transaction[]): Money {
  return sumMoney(
    currency,
    transactions.map(({ amount }) => amount.abs()),
  )
}

function smaller(a: Money, b: Money): Money {
  return a.lessThan(b) ? a : b
}

function larger(a: Money, b: Money): Money {
  return a.lessThan(b) ? b : a
}

function isRefundByHand(notes: readonly IssuedInvoice[]): (transaction: Transaction) => boolean {
  const byNotes = new Set(notes.flatMap(({ note }) => (note?.cause === 'request' ? note.refundIds : [])))
  return (transaction) =>
    isRefund(transaction) && !isMovedOutside(transaction) && !byNotes.has(transaction.id)
}

function isRefund({ type, state }: Transaction): boolean {
  return type === 'Refund' && state === 'succeeded'
}

export function hasNewRefund({ transactions }: OrderChange): boolean {
  return transactions.some(isNewRefund)
}

function isNewRefund({ before, transaction }: OrderChange['transactions'][number]): boolean {
  return isRefund(transaction) && !isMovedOutside(transaction) && before?.state !== 'succeeded'
}

type Standing = Pick<OrderChange, 'order' | 'voidedBy'>

/**
 * Decides the state and amounts of an invoice from its order and from what notes have credited (reference/billing-invoices#states). What
 * is due is what the order asks for: a note that gave credit of the plan lowers no order, so if its payment is lost, all is due again.
 */
export function withOrder(
  invoice: IssuedInvoice,
  credited: Money,
  { order, voidedBy }: Standing,
): Pick<IssuedInvoice, 'state' | 'amountDue' | 'creditedTotal' | 'overdueAt'> {
  const none = Money.zero(invoice.currency)
  const creditedTotal = invoice.creditedTotal.plus(credited)
  // Of a paid order something may be due that was given back without a note.
  const amountDue = order.state === 'open' ? larger(dueTotal(order), none) : none
  // A note may credit what was left after a write-off, and a write-off what a note left.
  const isGivenUp = order.state === 'voided' && order.writtenOff.isPositive()
  const isPaidInFull = order.state === 'completed' || order.state === 'refunded' || !amountDue.isPositive()
  const state =
    creditedTotal.isPositive() && creditedTotal.equals(invoice.total) && amountDue.isZero()
      ? 'credited'
      : invoice.state === 'uncollectible' || voidedBy === 'grace' || isGivenUp
        ? 'uncollectible'
        : isPaidInFull
          ? 'paid'
          : 'open'
  return { state, amountDue, creditedTotal, overdueAt: state === 'open' ? invoice.overdueAt : null }
}
