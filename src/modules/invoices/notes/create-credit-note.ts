import { errorOf } from '#kernel/errors'
import { Money, sumMoney } from '#kernel/money'
import { localDateOf } from '#kernel/time-zone'
import {
  type LockedOrders,
  type Order,
  type OrderWithTransactions,
  paymentErrors,
  type Transaction,
} from '#modules/payments'
import { requireOpen } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { editMetadata } from '#platform/http/validation/metadata'
import { once } from '#platform/idempotency/idempotency'
import { platformErrors } from '#platform/errors'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { type InvoiceView, invoiceView } from '../issue/read-invoices.ts'
import type { NewCreditNote } from '../model/invoice-requests.ts'
import type { IssuedInvoice, NoteReason } from '../model/issued-invoice.ts'
import { isDraftId } from '../storage/draft.repository.ts'
import {
  findInvoiceIdByReference,
  findInvoiceIn,
  findNotes,
  lockInvoices,
} from '../storage/invoice.repository.ts'
import { decideCredit } from './decide-credit.ts'
import { creditableLines } from './decide-note.ts'
import { noteRefunds } from './decide-order-change.ts'
import { changeInvoices } from './issue-notes.ts'

export interface IssuedNote {
  readonly note: IssuedInvoice
  readonly invoice: InvoiceView
}

/** - `overpaid`: What was paid and is not owed any more. */
interface Settlement {
  readonly lowered: Money
  readonly refunded: Money
  readonly credited: Money
  readonly overpaid: Money
}

export function createCreditNote(
  ctx: InvoicesContext,
  caller: Caller,
  id: string,
  request: NewCreditNote,
): Promise<IssuedNote> {
  return once(ctx.db, caller, (tx) => issueNote(ctx, tx, id, request))
}

async function issueNote(
  ctx: InvoicesContext,
  tx: Tx,
  id: string,
  request: NewCreditNote,
): Promise<IssuedNote> {
  const { orderNumber } = await requireCreditable(ctx, tx, id, request)
  const locked = await ctx.payments.lockOrdersToCredit(tx, [orderNumber])
  const before = locked.orders.get(orderNumber)
  const invoice = (await lockInvoices(tx, [id])).get(id)
  if (before === undefined || invoice === undefined) throw errors.invoice_not_found()
  const notes = (await findNotes(tx, [id])).get(id) ?? []
  const credit = decideCredit(request, invoice, creditableLines(invoice, notes), before.order)
  if ('refused' in credit) throw errorOf({ ...paymentErrors, ...errors }, credit)
  const { amounts, amount, lowered } = credit
  const refund = request.refund ?? 'none'
  const rest = amount.minus(lowered)
  if (refund !== 'none' && rest.isPositive()) {
    const left = await locked.leftToGiveBack(orderNumber)
    const lowerable = leftToReturn(left, invoice, before.order, lowered)
    if (rest.greaterThan(lowerable)) throw tooMuchGivenBack(request, lowered.plus(lowerable))
  }
  const uncredited = invoice.total.minus(invoice.creditedTotal).minus(amount)
  const after = await settleOrder(tx, locked, before, {
    lowered,
    rest,
    uncredited,
    refund,
    reason: request.reason,
  })
  const settlement = settlementOf({ before, after, lowered, rest, refund })
  if (settlement.credited.isPositive()) await addToPlan(ctx, tx, invoice, settlement.credited, request.reason)
  const refunds = newRefunds(before, after)
  const isVoided = after.order.state === 'voided' && before.order.state !== 'voided'
  const [changed] = await changeInvoices(ctx, tx, [
    {
      invoice,
      notes,
      newNotes: [
        {
          amounts,
          note: noteOf(request.reason, rest, settlement, refunds),
          referenceId: request.reference_id ?? null,
          metadata: editMetadata(null, request.metadata, 'credit_note.metadata'),
        },
      ],
      change: { order: after.order, voidedBy: isVoided ? 'credit' : null },
      at: tx.now,
    },
  ])
  const [note] = changed?.newNotes ?? []
  if (changed === undefined || note === undefined) throw new Error(`invoice ${id} got no credit note`)
  return { note, invoice: await invoiceView(ctx, tx, id) }
}

/** Returns the invoice, not locked, if a note of it may be issued today under the requested reference. */
async function requireCreditable(
  ctx: InvoicesContext,
  tx: Tx,
  id: string,
  request: NewCreditNote,
): Promise<IssuedInvoice> {
  const [found, { timeZone }] = await Promise.all([
    findInvoiceIn(tx, id),
    ctx.businesses.profile(tx.businessId),
  ])
  if (found === undefined || found.type !== 'invoice') {
    throw (await isDraftId(tx, id)) ? errors.invoice_not_issued() : errors.invoice_not_found()
  }
  await requireOpen(tx, localDateOf(tx.now, timeZone).toString())
  const taken = request.reference_id && (await findInvoiceIdByReference(tx, request.reference_id))
  if (taken) {
    throw platformErrors.reference_id_taken({
      param: 'credit_note.reference_id',
      data: { credit_note: { id: taken } },
    })
  }
  return found
}

/** What was written off was not paid, whatever was paid beyond it. */
function leftToReturn(left: Money, invoice: IssuedInvoice, { writtenOff }: Order, lowered: Money): Money {
  const paid = invoice.total.minus(invoice.creditedTotal).minus(writtenOff).minus(lowered)
  const least = left.lessThan(paid) ? left : paid
  return least.isPositive() ? least : Money.zero(left.currency)
}

function tooMuchGivenBack({ lines }: NewCreditNote, left: Money) {
  const param = lines === undefined ? 'credit_note.amount' : 'credit_note.lines'
  return paymentErrors.amount_too_large({
    param,
    message: `${param} must be at most ${left.toString()}. The rest was written off, or has already been returned as money or as credit.`,
  })
}

interface SettlementTerms {
  readonly lowered: Money
  readonly rest: Money
  readonly uncredited: Money
  readonly refund: NonNullable<NewCreditNote['refund']>
  readonly reason: string
}

async function settleOrder(
  tx: Tx,
  locked: LockedOrders,
  before: OrderWithTransactions,
  { lowered, rest, uncredited, refund, reason }: SettlementTerms,
): Promise<OrderWithTransactions> {
  const orderId = before.order.id
  const refunds = refund === 'payment' && rest.isPositive()
  const paid = refund === 'none' ? { amount: rest, uncredited } : undefined
  const noted = refunds ? rest : undefined
  if (!lowered.isPositive() && !refunds && paid?.amount.isPositive() !== true) return before
  const orders = await locked.credit(
    [{ orderId, amount: lowered, paid, noted, at: tx.now }],
    { module: 'invoices', callbackUrls: new Map() },
    refunds ? { amount: rest, note: reason, at: tx.now } : undefined,
  )
  return orders.get(orderId) ?? before
}

function settlementOf({
  before,
  after,
  lowered,
  rest,
  refund,
}: Omit<SettlementTerms, 'reason' | 'uncredited'> & {
  readonly before: OrderWithTransactions
  readonly after: OrderWithTransactions
}): Settlement {
  const refunded = sumMoney(
    rest.currency,
    newRefunds(before, after).map(({ amount }) => amount.abs()),
  )
  if (refund === 'payment' && refunded.lessThan(rest)) {
    throw errors.refund_not_possible({
      param: 'credit_note.refund',
      message: `Only ${refunded.toString()} of the ${rest.toString()} that is no longer due can be refunded to the payments.`,
    })
  }
  return {
    lowered,
    refunded,
    credited: refund === 'credit' ? rest : Money.zero(rest.currency),
    overpaid: after.order.creditedTotal.minus(before.order.creditedTotal).minus(lowered),
  }
}

function noteOf(
  reason: string,
  rest: Money,
  { lowered, refunded, credited, overpaid }: Settlement,
  refunds: readonly Transaction[],
): NoteReason {
  return {
    cause: 'request',
    reason,
    settlement: { due: lowered, refunds: noteRefunds(refunds, refunded), credit: credited },
    unsettled: rest.minus(refunded).minus(credited).minus(overpaid),
    refundIds: refunds.map(({ id }) => id),
  }
}

function newRefunds(before: OrderWithTransactions, after: OrderWithTransactions) {
  const known = new Set(before.transactions.map(({ id }) => id))
  return after.transactions.filter(({ id, type }) => type === 'Refund' && !known.has(id))
}

async function addToPlan(
  ctx: InvoicesContext,
  tx: Tx,
  { planId, orderNumber: orderId }: IssuedInvoice,
  amount: Money,
  note: string,
): Promise<void> {
  if (planId === null) {
    throw errors.refund_not_possible({
      param: 'credit_note.refund',
      message: 'The invoice does not belong to a plan, so there is no plan whose credit could grow.',
    })
  }
  for (const { addCredit } of ctx.planHandlers)
    await addCredit(tx, { planId, orderId, amount, note, at: tx.now })
}
