import { throwIfRefused } from '#kernel/errors'
import { newId } from '#kernel/ids'
import { isChargeable } from '#modules/customers'
import type { Charge, Order } from '#modules/payments'
import { type TaxAnswers, taxErrors } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { claimIdempotencyKey, keepReply } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import type { InvoiceRequest } from '../model/invoice-requests.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { requireRate } from './find-exchange.ts'
import { billRequest, refuseTakenReference } from './bill-request.ts'
import { type InvoiceView, invoiceView } from './read-invoices.ts'
import { issueInvoices, prepareInvoices } from './issue-invoices.ts'

/** - `id`: Of the draft that is issued. */
interface ToIssue {
  readonly request: InvoiceRequest
  readonly id?: string
}

/**
 * Makes an order and its invoice, and charges the default token once if the invoice is collected automatically. If the acquirer
 * does not answer, the resolver finds out the outcome; the order stays payable.
 * @param take finds, in the same transaction, what to issue
 */
export async function issueAndCharge(
  ctx: InvoicesContext,
  caller: Caller,
  take: (tx: Tx) => ToIssue | Promise<ToIssue>,
): Promise<InvoiceView> {
  const { businessId } = caller
  const make = async (tx: Tx, answers: TaxAnswers) => {
    const keyId = await claimIdempotencyKey(tx, caller)
    const made = await makeInvoice(ctx, tx, await take(tx), answers)
    await keepReply(tx, keyId, caller, made.invoice)
    return { ...made, keyId }
  }
  const { invoice, charge, keyId } = await ctx.taxes.withEngine(businessId, (answers) =>
    ctx.db.transact(businessId, (tx) => make(tx, answers)),
  )
  if (charge === null) return invoice
  await ctx.payments.performWithFallbacks(charge, async (tried, outcome) => {
    const [recorded] = await ctx.db.transact(businessId, (tx) =>
      ctx.payments.recordOutcomes(tx, [{ charge: tried, outcome, at: tx.now }]),
    )
    if (recorded === undefined) throw new Error(`the charge of invoice ${invoice.id} was not recorded`)
    return recorded
  })
  return ctx.db.transact(businessId, async (tx) => {
    const charged = await invoiceView(ctx, tx, invoice.id)
    await keepReply(tx, keyId, caller, charged)
    return charged
  })
}

async function makeInvoice(
  ctx: InvoicesContext,
  tx: Tx,
  { request, id }: ToIssue,
  answers: TaxAnswers,
): Promise<{ readonly invoice: IssuedInvoice; readonly charge: Charge | null }> {
  const { order: billed, locked } = await billRequest(ctx, tx, request, answers, ctx.customers.holdCustomers)
  throwIfRefused(taxErrors, locked)
  answers.requireAll()
  const orderId = newId('ord')
  const prepared = await prepareInvoices(ctx, tx, [
    { ...billed, orderId, ...(id !== undefined && { documentId: id }), at: tx.now },
  ])
  const invoice = prepared.get(orderId)
  if (invoice === undefined) throw new Error(`the order ${orderId} bills nothing`)
  requireRate(invoice.currency, invoice.exchange)
  // Earlier transactions that issued in the same series have committed by now.
  await refuseTakenReference(tx, request.reference_id)
  const isSent = billed.collection === 'send_invoice'
  const [order] = await ctx.payments.createOrders(tx, [
    {
      id: orderId,
      source: 'api',
      type: 'one_off',
      referenceNumber: invoice.id,
      initialTotal: billed.total,
      lineItems: billed.lines,
      dueDate: isSent ? invoice.dueDate : null,
      customerUuid: request.customer_uuid,
      tax: billed.tax,
      invoice: { id: invoice.id, number: invoice.number },
      at: tx.now,
    },
  ])
  if (order === undefined) throw new Error(`the reference number ${invoice.id} is taken`)
  await issueInvoices(ctx, tx, [invoice])
  return { invoice, charge: isSent ? null : await initiateCharge(ctx, tx, order) }
}

async function initiateCharge(ctx: InvoicesContext, tx: Tx, order: Order): Promise<Charge | null> {
  if (order.state !== 'open' || order.customerUuid === null) return null
  const token = (await ctx.customers.defaultTokens(tx, [order.customerUuid])).get(order.customerUuid)
  if (token === undefined || !isChargeable(token, tx.now)) return null
  const charge = { orderId: order.id, type: 'Sales', token, payerPresent: false, at: tx.now } as const
  const [initiated] = await ctx.payments.initiateCharges(tx, [charge], [])
  return initiated === undefined || 'refused' in initiated ? null : initiated
}
