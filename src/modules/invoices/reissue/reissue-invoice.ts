import type { Instant } from '#kernel/clock'
import { errorOf } from '#kernel/errors'
import { localDateOf, type TimeZone } from '#kernel/time-zone'
import { customerErrors } from '#modules/customers'
import { type LockedOrders, type Order, paymentErrors } from '#modules/payments'
import { findTaxGrounds, type LegalEntity, requireOpen, type TaxAnswers } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { Numbered } from '../issue/decide-document.ts'
import { findExchanges, requireRate } from '../issue/find-exchange.ts'
import { issueInvoices, numberDocuments } from '../issue/issue-invoices.ts'
import { entityOf, findParties } from '../issue/parties.ts'
import { type InvoiceView, invoiceView } from '../issue/read-invoices.ts'
import type { InvoiceContent } from '../model/draft-invoice.ts'
import { exchangeOf, type TaxExchange } from '../model/exchange.ts'
import { REISSUE_REASON } from '../model/invoice.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { eventOf } from '../notes/issue-notes.ts'
import { isDraftId } from '../storage/draft.repository.ts'
import {
  findInvoiceIn,
  findNotes,
  insertInvoices,
  linkReissued,
  lockInvoices,
  updateInvoices,
} from '../storage/invoice.repository.ts'
import { creditedInFull, type DecidedReissue, dueDateOf, newInvoice, noteOf } from './decide-documents.ts'
import { decideReissue, rebilled, type Reissue } from './decide-reissue.ts'

/** - `invoice`: The new one. */
export interface Reissued {
  readonly note: IssuedInvoice
  readonly invoice: InvoiceView
}

/** - `note`, `invoice`: As they would be issued now. */
export interface PreviewedReissue {
  readonly note: InvoiceContent
  readonly invoice: InvoiceContent
}

/** Credits an invoice in full and issues it again on the same order. Payments stay with the order. */
export function reissueInvoice(
  ctx: InvoicesContext,
  caller: Caller,
  id: string,
  reason: string | undefined,
): Promise<Reissued> {
  return ctx.taxes.withEngine(caller.businessId, (answers) =>
    once(ctx.db, caller, (tx) => reissue(ctx, tx, id, reason, answers)),
  )
}

export function previewReissue(
  ctx: InvoicesContext,
  { businessId }: Caller,
  id: string,
  reason: string | undefined,
): Promise<PreviewedReissue> {
  const preview = async (tx: Tx, answers: TaxAnswers) => {
    const invoice = await requireIssued(tx, id)
    const orders = await ctx.payments.findOrders(tx, [invoice.orderNumber])
    const order = orders.get(invoice.orderNumber)?.order
    if (order === undefined) throw errors.invoice_not_found()
    const decided = await decide(ctx, tx, invoice, order, answers, false)
    const { timeZone } = await ctx.businesses.profile(tx.businessId)
    const place = { id: '', number: '', series: '', seriesKey: '', year: 0, sequence: 0n, at: tx.now }
    return {
      note: noteOf(invoice, decided, reason, place, timeZone),
      invoice: newInvoice(invoice, decided, rebilled(order, decided), place, timeZone),
    }
  }
  return ctx.taxes.withEngine(
    businessId,
    (answers) => ctx.db.transact(businessId, (tx) => preview(tx, answers), { isSnapshot: true }),
    true,
  )
}

async function requireIssued(tx: Tx, id: string): Promise<IssuedInvoice> {
  const found = await findInvoiceIn(tx, id)
  if (found?.type === 'invoice') return found
  throw (await isDraftId(tx, id)) ? errors.invoice_not_issued() : errors.invoice_not_found()
}

/** The order and its plan are locked before the invoice, and sequences last, as everywhere. */
async function reissue(
  ctx: InvoicesContext,
  tx: Tx,
  id: string,
  reason: string | undefined,
  answers: TaxAnswers,
): Promise<Reissued> {
  const { orderNumber, planId } = await requireIssued(tx, id)
  const locked = await ctx.payments.lockOrdersToCredit(tx, [orderNumber])
  if (planId !== null) for (const { lockPlan } of ctx.planHandlers) await lockPlan(tx, planId)
  const old = (await lockInvoices(tx, [id])).get(id)
  const before = locked.orders.get(orderNumber)?.order
  if (before === undefined || old === undefined) throw errors.invoice_not_found()
  const decided = await decide(ctx, tx, old, before, answers, true)
  const { timeZone } = await ctx.businesses.profile(tx.businessId)
  await requireOpen(tx, localDateOf(tx.now, timeZone).toString())
  const { note: noted, invoice: place } = await takeNumbers(ctx, tx, old, timeZone)
  const order = await rebillOrder(locked, old, decided, place, timeZone, tx.now)
  const note = noteOf(old, decided, reason, noted, timeZone)
  const invoice = newInvoice(old, decided, order, place, timeZone)
  await giveCredit(ctx, tx, old, decided, note)
  await save(ctx, tx, { old, note, invoice })
  return { note, invoice: await invoiceView(ctx, tx, invoice.id) }
}

async function decide(
  ctx: InvoicesContext,
  tx: Tx,
  invoice: IssuedInvoice,
  order: Order,
  answers: TaxAnswers,
  isStored: boolean,
): Promise<DecidedReissue> {
  const { customerUuid } = invoice.buyer
  const party = { legalEntityId: invoice.seller.legalEntityId, customerUuid }
  const [{ entities, partiesOf }, groundOf, notes, customers] = await Promise.all([
    findParties(ctx, tx, [party]),
    findTaxGrounds(tx, [party], answers),
    findNotes(tx, [invoice.id]),
    ctx.customers.findCustomers(tx, [customerUuid]),
  ])
  // The details that the new invoice would show are erased.
  if (customers.get(customerUuid)?.erasedAt != null) throw customerErrors.customer_erased()
  const decided = decideReissue({
    invoice,
    hasNotes: notes.has(invoice.id),
    order,
    parties: partiesOf(party),
    ground: groundOf(party),
  })
  if ('refused' in decided) throw errorOf({ ...paymentErrors, ...errors }, decided)
  answers.requireAll()
  const exchange = await exchangeNow(tx, invoice, decided, entityOf(entities, party.legalEntityId), isStored)
  return { ...decided, exchange }
}

/** The date of the corrected invoice decides the taxes of the new one, and so their rate. */
async function exchangeNow(
  tx: Tx,
  { currency, issueDate: date }: IssuedInvoice,
  { tax }: Reissue,
  entity: LegalEntity,
  isStored: boolean,
): Promise<TaxExchange | undefined> {
  const toExchange = { currency, tax, entity, date }
  const wanted = await findExchanges(tx, [toExchange], { isStored })
  const exchange = exchangeOf(tax?.groups ?? [], wanted(toExchange))
  requireRate(currency, exchange)
  return exchange
}

async function takeNumbers(
  ctx: InvoicesContext,
  tx: Tx,
  { seller: { legalEntityId }, seriesKey: series, buyer: { customerUuid } }: IssuedInvoice,
  timeZone: TimeZone,
): Promise<{ readonly note: Numbered; readonly invoice: Numbered }> {
  const { entities } = await findParties(ctx, tx, [{ legalEntityId, customerUuid }])
  const wanted = { entity: entityOf(entities, legalEntityId), series, at: tx.now }
  const numbered = await numberDocuments(tx, timeZone, [
    { ...wanted, type: 'credit_note' as const },
    { ...wanted, type: 'invoice' as const },
  ])
  const placeOf = (wantedType: 'credit_note' | 'invoice') => {
    const found = numbered.find(({ type }) => type === wantedType)
    if (found === undefined) throw new Error(`no number for the ${wantedType}`)
    return found.place
  }
  return { note: placeOf('credit_note'), invoice: placeOf('invoice') }
}

async function rebillOrder(
  locked: LockedOrders,
  old: IssuedInvoice,
  { lines, tax, lowered }: Reissue,
  { id, number, at }: Numbered,
  timeZone: TimeZone,
  now: Instant,
): Promise<Order> {
  const { order } = await locked.rebill(
    old.orderNumber,
    {
      invoice: { id, number },
      lines,
      tax,
      lowered,
      dueDate: dueDateOf(old, at, timeZone).toString(),
      at: now,
    },
    { module: 'invoices', callbackUrls: new Map() },
  )
  return order
}

async function giveCredit(
  ctx: InvoicesContext,
  tx: Tx,
  { planId, orderNumber: orderId }: IssuedInvoice,
  { toCredit: amount }: Reissue,
  { note }: IssuedInvoice,
): Promise<void> {
  if (planId === null || !amount.isPositive()) return
  for (const { addCredit } of ctx.planHandlers)
    await addCredit(tx, { planId, orderId, amount, note: note?.reason ?? REISSUE_REASON, at: tx.now })
}

interface ToSave extends Reissued {
  readonly old: IssuedInvoice
}

async function save(ctx: InvoicesContext, tx: Tx, { old, note, invoice }: ToSave): Promise<void> {
  const credited = creditedInFull(old, note, invoice.id)
  tx.defer(insertInvoices(tx, [note]))
  tx.defer(updateInvoices(tx, [credited]))
  await ctx.events.append(tx, [
    eventOf(ctx, 'credit_note.issued', note),
    eventOf(ctx, 'invoice.credited', credited),
  ])
  await issueInvoices(ctx, tx, [invoice])
  // An insert stores no time since which the claim is given up, and an update does.
  if (invoice.state === 'uncollectible') tx.defer(updateInvoices(tx, [invoice]))
  tx.defer(linkReissued(tx, { old: old.id, new: invoice.id }))
}
