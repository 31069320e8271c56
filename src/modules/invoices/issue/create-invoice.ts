import { decimalToString, type Decimal, isDecimalProblem, parseDecimal, timesDecimals } from '#kernel/decimal'
import { isCurrency } from '#kernel/currencies'
import { newId } from '#kernel/ids'
import { throwIfRefused } from '#kernel/errors'
import type { ExactNumber } from '#kernel/json'
import { Money, sumMoney } from '#kernel/money'
import { localDateOf } from '#kernel/time-zone'
import { customerErrors, isChargeable } from '#modules/customers'
import { type Charge, lineTotal, type NewLineItem, type Order, paymentErrors } from '#modules/payments'
import {
  assessTaxes,
  type BillingSettings,
  findTaxGrounds,
  legalEntity,
  type OrderTax,
  rateLabel,
  refuseLocked,
  seriesOf,
  settings,
  STANDARD_TAX,
  type TaxAnswers,
  taxErrors,
  treatLines,
} from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { editMetadata, type MetadataEdit } from '#platform/http/validation/metadata'
import { claimIdempotencyKey, keepReply } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { findInvoice, findInvoiceIdByReference } from '../storage/invoice.repository.ts'
import type { WrittenQuantity } from './invoice-lines.ts'
import { issueInvoices, prepareInvoices } from './issue-invoices.ts'

export interface InvoiceRequest {
  readonly customer_uuid: string
  readonly currency: string
  readonly lines: readonly InvoiceLineRequest[]
  readonly legal_entity_id?: string
  readonly series?: string
  readonly tax?: BillingSettings['tax']
  readonly collection?: BillingSettings['collection']
  readonly days_until_due?: number
  readonly reference_id?: string
  readonly metadata?: MetadataEdit
}

interface InvoiceLineRequest {
  readonly label: string
  readonly quantity: number | ExactNumber
  readonly unit_amount: number | ExactNumber
  readonly tax_category?: string
  readonly period?: { readonly start: string; readonly end: string }
}

/**
 * Makes an order and its invoice, and charges the default token once if the invoice is collected automatically. If the acquirer
 * does not answer, the resolver finds out the outcome; the order stays payable.
 */
export async function createInvoice(
  ctx: InvoicesContext,
  caller: Caller,
  request: InvoiceRequest,
): Promise<IssuedInvoice> {
  const { businessId } = caller
  const make = async (tx: Tx, answers: TaxAnswers) => {
    const keyId = await claimIdempotencyKey(tx, caller)
    const made = await makeInvoice(ctx, tx, request, answers)
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
  const charged = (await findInvoice(ctx.db, businessId, invoice.id)) ?? invoice
  await ctx.db.transact(businessId, (tx) => keepReply(tx, keyId, caller, charged))
  return charged
}

async function makeInvoice(
  ctx: InvoicesContext,
  tx: Tx,
  request: InvoiceRequest,
  answers: TaxAnswers,
): Promise<{ readonly invoice: IssuedInvoice; readonly charge: Charge | null }> {
  const terms = await readTerms(ctx, tx, request)
  const { lines, written, tax } = await billLines(ctx, tx, request, terms, answers)
  answers.requireAll()
  const orderId = newId('ord')
  const total = sumMoney(request.currency, lines.map(lineTotal))
  const prepared = await prepareInvoices(ctx, tx, [
    {
      orderId,
      planId: null,
      customerUuid: request.customer_uuid,
      lines,
      written,
      total,
      tax,
      ...terms,
      referenceId: request.reference_id ?? null,
      metadata: editMetadata(null, request.metadata, 'invoice.metadata'),
      at: tx.now,
    },
  ])
  const invoice = prepared.get(orderId)
  if (invoice === undefined) throw inconsistent('lines', 'must bill something')
  // Earlier transactions that issued in the same series have committed by now.
  await refuseTakenReference(tx, request.reference_id)
  const isSent = terms.collection === 'send_invoice'
  const [order] = await ctx.payments.createOrders(tx, [
    {
      id: orderId,
      source: 'api',
      type: 'one_off',
      referenceNumber: invoice.id,
      initialTotal: total,
      lineItems: lines,
      dueDate: isSent ? invoice.dueDate : null,
      customerUuid: request.customer_uuid,
      tax,
      invoice: { id: invoice.id, number: invoice.number },
      at: tx.now,
    },
  ])
  if (order === undefined) throw new Error(`the reference number ${invoice.id} is taken`)
  await issueInvoices(ctx, tx, [invoice])
  return { invoice, charge: isSent ? null : await initiateCharge(ctx, tx, order) }
}

async function refuseTakenReference(tx: Tx, referenceId: string | undefined): Promise<void> {
  if (referenceId === undefined) return
  const taken = await findInvoiceIdByReference(tx, referenceId)
  if (taken === undefined) return
  throw platformErrors.reference_id_taken({ param: 'invoice.reference_id', data: { invoice: { id: taken } } })
}

interface Terms {
  readonly legalEntityId: string
  readonly series: string | null
  readonly taxMode: BillingSettings['tax']
  readonly collection: BillingSettings['collection']
  readonly daysUntilDue: number
}

async function readTerms(ctx: InvoicesContext, tx: Tx, request: InvoiceRequest): Promise<Terms> {
  const [defaults, customers, { timeZone }] = await Promise.all([
    settings(tx),
    ctx.customers.findCustomers(tx, [request.customer_uuid]),
    ctx.businesses.profile(tx.businessId),
  ])
  throwIfRefused(taxErrors, refuseLocked(localDateOf(tx.now, timeZone).toString(), defaults.lockedUntil))
  const customer = customers.get(request.customer_uuid)
  if (customer === undefined) throw customerErrors.customer_not_found({ param: 'invoice.customer_uuid' })
  if (customer.erasedAt !== null) throw customerErrors.customer_erased({ param: 'invoice.customer_uuid' })
  const legalEntityId = request.legal_entity_id ?? defaults.legalEntityId
  const param = 'invoice.legal_entity_id'
  if (legalEntityId === null) throw taxErrors.invoicing_incomplete({ param })
  const entity = await legalEntity(tx, legalEntityId)
  if (entity === undefined) throw taxErrors.legal_entity_not_found({ param })
  const series = request.series ?? null
  if (seriesOf(entity, series) === undefined) throw taxErrors.series_not_found({ param: 'invoice.series' })
  return {
    legalEntityId,
    series,
    taxMode: request.tax ?? defaults.tax,
    collection: request.collection ?? defaults.collection,
    daysUntilDue: request.days_until_due ?? defaults.daysUntilDue,
  }
}

interface BilledLines {
  readonly lines: readonly NewLineItem[]
  readonly written: ReadonlyMap<number, WrittenQuantity>
  readonly tax: OrderTax | null
}

async function billLines(
  ctx: InvoicesContext,
  tx: Tx,
  { customer_uuid: customerUuid, currency, lines }: InvoiceRequest,
  { legalEntityId, taxMode }: Terms,
  answers: TaxAnswers,
): Promise<BilledLines> {
  if (!isCurrency(currency)) throw paymentErrors.currency_unknown({ param: 'invoice.currency' })
  const read = lines.map((line, index) => readLine(currency, line, `lines[${index}]`))
  const written = new Map(read.map((line, index) => [index, line] as const))
  const items = read.map((line, index) =>
    itemLine(currency, lines[index]?.label ?? '', line, lines[index]?.period),
  )
  if (taxMode === 'none') return { lines: items, written, tax: null }
  const party = { legalEntityId, customerUuid }
  const [groundOf, { timeZone }] = await Promise.all([
    findTaxGrounds(tx, [party], answers),
    ctx.businesses.profile(tx.businessId),
  ])
  const ground = groundOf(party)
  const date = localDateOf(tx.now, timeZone).toString()
  const untreated = read.map(({ amount }, index) => ({
    amount,
    taxCategory: lines[index]?.tax_category ?? STANDARD_TAX,
  }))
  const taxable = treatLines(ground, untreated, { date, behavior: 'exclusive', currency })
  const rules = { behavior: 'exclusive', rounding: ground.seller.taxRounding, currency } as const
  const { order: tax, taxes } = assessTaxes(taxable, rules)
  return {
    lines: [
      ...items.map((line, index) => ({
        ...line,
        billed: {
          ...line.billed,
          kind: 'item' as const,
          net: taxable[index]?.amount,
          taxedAs: taxable[index]?.taxedAs,
          tax: taxes[index],
        },
      })),
      ...tax.groups
        .filter(({ amount }) => !amount.isZero())
        .map((group) => newLine(rateLabel(group), group.amount, 1, { kind: 'tax' })),
    ],
    written,
    tax,
  }
}

function itemLine(
  currency: string,
  label: string,
  { quantity, unitAmount, amount }: ReadLine,
  period: InvoiceLineRequest['period'],
): NewLineItem {
  const price = Money.exactly(currency, unitAmount)
  const isWhole = quantity.scale === 0 && quantity.unscaled <= BigInt(Number.MAX_SAFE_INTEGER)
  const billed = { kind: 'item', period } as const
  return price === undefined || !isWhole
    ? newLine(label, amount, 1, billed)
    : newLine(label, price, Number(quantity.unscaled), billed)
}

function newLine(
  label: string,
  price: Money,
  quantity: number,
  billed: NonNullable<NewLineItem['billed']>,
): NewLineItem {
  return { purchasableType: 'Charge', purchaseId: null, label, price, quantity, billed }
}

type ReadLine = WrittenQuantity & { readonly amount: Money }

/** As in prices of the catalogue (reference/billing-catalogue#prices). */
const MAX_DECIMALS = 12

function readLine(
  currency: string,
  { quantity: quantityMember, unit_amount: amountMember }: InvoiceLineRequest,
  place: string,
): ReadLine {
  const quantity = readDecimal(quantityMember, `${place}.quantity`)
  const unitAmount = readDecimal(amountMember, `${place}.unit_amount`)
  if (quantity.unscaled <= 0n) throw inconsistent(`${place}.quantity`, 'must be more than zero')
  if (unitAmount.unscaled < 0n) throw inconsistent(`${place}.unit_amount`, 'must not be negative')
  const exact = timesDecimals(quantity, unitAmount)
  const amount = Money.rounded(currency, exact)
  const digits = parseDecimal(decimalToString(exact), { beforePoint: 15, afterPoint: 2 * MAX_DECIMALS })
  if (isDecimalProblem(digits)) throw inconsistent(place, digits.message)
  return { quantity, unitAmount, amount }
}

function readDecimal(value: number | ExactNumber, place: string): Decimal {
  const read = parseDecimal(value, { beforePoint: 15, afterPoint: MAX_DECIMALS })
  if (isDecimalProblem(read)) throw inconsistent(place, read.message)
  return read
}

function inconsistent(place: string, rule: string) {
  const param = `invoice.${place}`
  return errors.invoice_inconsistent({ param, message: `${param} ${rule}.` })
}

async function initiateCharge(ctx: InvoicesContext, tx: Tx, order: Order): Promise<Charge | null> {
  if (order.state !== 'open' || order.customerUuid === null) return null
  const token = (await ctx.customers.defaultTokens(tx, [order.customerUuid])).get(order.customerUuid)
  if (token === undefined || !isChargeable(token, tx.now)) return null
  const charge = { orderId: order.id, type: 'Sales', token, payerPresent: false, at: tx.now } as const
  const [initiated] = await ctx.payments.initiateCharges(tx, [charge], [])
  return initiated === undefined || 'refused' in initiated ? null : initiated
}
