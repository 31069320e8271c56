import { errorOf, throwIfRefused } from '#kernel/errors'
import type { Money } from '#kernel/money'
import { localDateOf } from '#kernel/time-zone'
import { type LockedOrders, type OrderWithTransactions, paymentErrors } from '#modules/payments'
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
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { isDraftId } from '../storage/draft.repository.ts'
import {
  findInvoiceIdByReference,
  findInvoiceIn,
  findNotes,
  lockInvoices,
} from '../storage/invoice.repository.ts'
import { decideCredit } from './decide-credit.ts'
import { creditableLines } from './decide-note.ts'
import { type CreditParts, decideSettlement, refuseReturn } from './decide-settlement.ts'
import { changeInvoices } from './issue-notes.ts'

export interface IssuedNote {
  readonly note: IssuedInvoice
  readonly invoice: InvoiceView
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
  const { refund = 'none', reason } = request
  const parts: CreditParts = { lowered, rest: amount.minus(lowered), refund, reason }
  if (refund !== 'none' && parts.rest.isPositive()) {
    const left = await locked.leftToGiveBack(orderNumber)
    throwIfRefused(paymentErrors, refuseReturn(request, parts, invoice, before.order, left))
  }
  const uncredited = invoice.total.minus(invoice.creditedTotal).minus(amount)
  const after = await settleOrder(tx, locked, before, parts, uncredited)
  const note = decideSettlement(parts, before, after)
  if ('refused' in note) throw errorOf(errors, note)
  if (note.settlement.credit.isPositive()) await addToPlan(ctx, tx, invoice, note.settlement.credit, reason)
  const isVoided = after.order.state === 'voided' && before.order.state !== 'voided'
  const [changed] = await changeInvoices(ctx, tx, [
    {
      invoice,
      notes,
      newNotes: [
        {
          amounts,
          note,
          referenceId: request.reference_id ?? null,
          metadata: editMetadata(null, request.metadata, 'credit_note.metadata'),
        },
      ],
      change: { order: after.order, voidedBy: isVoided ? 'credit' : null },
      at: tx.now,
    },
  ])
  const [issued] = changed?.newNotes ?? []
  if (issued === undefined) throw new Error(`invoice ${id} got no credit note`)
  return { note: issued, invoice: await invoiceView(ctx, tx, id) }
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

async function settleOrder(
  tx: Tx,
  locked: LockedOrders,
  before: OrderWithTransactions,
  { lowered, rest, refund, reason }: CreditParts,
  uncredited: Money,
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
