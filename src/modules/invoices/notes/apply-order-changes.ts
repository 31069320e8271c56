import type { Order, OrderChange, OrderChangeOrigin } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import { CHANGE_REASON } from '../issue/decide-document.ts'
import { Money, sumMoney } from '#kernel/money'
import { findNotes, lockInvoices } from '../storage/invoice.repository.ts'
import { decideNotes, hasNewRefund, type NoteOfChange } from './decide-order-change.ts'
import { changeInvoices, type InvoiceChange, type NewNote } from './issue-notes.ts'

/**
 * Updates invoices from their orders, in the transaction of the change: their state, the amount due, and automatic credit
 * notes. Orders without an invoice cost no statement.
 */
export async function applyOrderChanges(
  ctx: InvoicesContext,
  tx: Tx,
  changes: readonly OrderChange[],
  origin: OrderChangeOrigin | undefined,
): Promise<void> {
  const isByNote = origin?.module === 'invoices'
  if (isByNote) return
  const relevant = changes.filter(concernsInvoice)
  if (relevant.length === 0) return
  const idOf = ({ order }: OrderChange) => order.invoice?.id ?? ''
  const [invoices, notes] = await Promise.all([
    lockInvoices(tx, relevant.map(idOf)),
    findNotes(tx, relevant.filter(mayIssueNote).map(idOf)),
  ])
  const decided = relevant.flatMap((change) => {
    const invoice = invoices.get(idOf(change))
    if (invoice === undefined || invoice.type !== 'invoice') return []
    const ofInvoice = { invoice, notes: notes.get(invoice.id) ?? [] }
    const decidedNotes = mayIssueNote(change) ? decideNotes(ofInvoice, change) : []
    return [{ ...ofInvoice, decidedNotes, newNotes: decidedNotes.map(toNewNote), change, at: change.at }]
  })
  await changeInvoices(ctx, tx, decided.map(afterNotedRefunds))
  await recordNotedRefunds(ctx, tx, decided.flatMap(notedRefund))
}

interface DecidedChange extends InvoiceChange {
  readonly change: OrderChange
  readonly decidedNotes: readonly NoteOfChange[]
}

/** An open order asks for less by the refunds that get notes now. */
function afterNotedRefunds(decided: DecidedChange): InvoiceChange {
  const { order } = decided.change
  const [noted] = notedRefund(decided)
  if (noted === undefined || order.state !== 'open') return decided
  const creditedTotal = order.creditedTotal.plus(noted.amount)
  return { ...decided, change: { ...decided.change, order: { ...order, creditedTotal } } }
}

interface NotedRefund {
  readonly order: Order
  readonly orderId: string
  readonly amount: Money
}

function notedRefund({ change: { order }, decidedNotes }: DecidedChange): readonly NotedRefund[] {
  const amounts = decidedNotes.filter(({ cause }) => cause === 'refund').map(({ amount }) => amount)
  return amounts.length === 0 ? [] : [{ order, orderId: order.id, amount: sumMoney(order.currency, amounts) }]
}

/** A refund of a part payment lowers what the open order asks for, as its note lowers the invoice. */
async function recordNotedRefunds(
  ctx: InvoicesContext,
  tx: Tx,
  noted: readonly NotedRefund[],
): Promise<void> {
  const { open = [], paid = [] } = Object.groupBy(noted, ({ order }) =>
    order.state === 'open' ? 'open' : 'paid',
  )
  tx.defer(ctx.payments.addNotedRefunds(tx, paid))
  if (open.length === 0) return
  const locked = await ctx.payments.lockOrdersToCredit(
    tx,
    open.map(({ orderId }) => orderId),
  )
  await locked.credit(
    open.map(({ orderId, amount }) => ({ orderId, amount, at: tx.now })),
    { module: 'invoices', callbackUrls: new Map() },
  )
}

function concernsInvoice(change: OrderChange): boolean {
  const { before, order } = change
  if (order.invoice === null || before === null) return false
  const isSame =
    before.state === order.state &&
    before.paidTotal.equals(order.paidTotal) &&
    before.creditedTotal.equals(order.creditedTotal) &&
    before.writtenOff.equals(order.writtenOff)
  return !isSame || hasNewRefund(change)
}

function mayIssueNote(change: OrderChange): boolean {
  const { before, order, voidedBy } = change
  const isCredited = before !== null && !before.creditedTotal.equals(order.creditedTotal)
  return isCredited || voidedBy === 'merchant' || hasNewRefund(change)
}

const REASONS = {
  change: CHANGE_REASON,
  refund: 'Refund',
  void: 'Order voided',
} as const satisfies Record<NoteOfChange['cause'], string>

function toNewNote({ cause, amount, settlement }: NoteOfChange): NewNote {
  const unsettled = Money.zero(amount.currency)
  return { amounts: amount, note: { cause, reason: REASONS[cause], settlement, unsettled, refundIds: [] } }
}
