import { isCurrency } from '#kernel/currencies'
import { type Decimal, decimalToString, isDecimalProblem, parseDecimal, timesDecimals } from '#kernel/decimal'
import type { ExactNumber } from '#kernel/json'
import { Money, sumMoney } from '#kernel/money'
import { localDateOf } from '#kernel/time-zone'
import { requireCustomer } from '#modules/customers'
import { lineTotal, type NewLineItem, paymentErrors } from '#modules/payments'
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
import { platformErrors } from '#platform/errors'
import { editMetadata } from '#platform/http/validation/metadata'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { InvoiceLineRequest, InvoiceRequest } from '../model/invoice-requests.ts'
import { findInvoiceIdByReference } from '../storage/invoice.repository.ts'
import { type Document, documentOf, type OrderToInvoice } from './decide-document.ts'
import type { WrittenQuantity } from './invoice-lines.ts'

/**
 * What a request bills: all but the order and the number.
 * - `locked`: Why nothing can be issued now; null in an open month.
 */
interface BilledRequest {
  readonly locked: ReturnType<typeof refuseLocked>
  readonly order: Omit<OrderToInvoice, 'orderId' | 'at'>
  readonly document: Document
}

/**
 * Prices and taxes a request at the current rates. The tax engine may have to be asked first: call `answers.requireAll` before a write.
 * @param customersIn `holdCustomers` for what an erasure has to know
 */
export async function billRequest(
  ctx: InvoicesContext,
  tx: Tx,
  request: InvoiceRequest,
  answers: TaxAnswers,
  customersIn: FindsCustomers = ctx.customers.findCustomers,
): Promise<BilledRequest> {
  const { locked, ...terms } = await readTerms(ctx, tx, request, customersIn)
  const { lines, written, tax } = await billLines(ctx, tx, request, terms, answers)
  const order = {
    planId: null,
    customerUuid: request.customer_uuid,
    lines,
    written,
    total: sumMoney(request.currency, lines.map(lineTotal)),
    tax,
    ...terms,
    buyerReference: request.buyer_reference ?? null,
    purchaseOrder: request.purchase_order ?? null,
    memo: request.memo ?? null,
    referenceId: request.reference_id ?? null,
    metadata: editMetadata(null, request.metadata, 'invoice.metadata'),
  }
  const document = documentOf(order)
  if (document === null) throw inconsistent('lines', 'must bill something')
  return { order, document, locked }
}

/** @param id of a draft, which may keep its own reference */
export async function refuseTakenReference(
  tx: Tx,
  referenceId: string | undefined,
  id?: string,
): Promise<void> {
  if (referenceId === undefined) return
  const taken = await findInvoiceIdByReference(tx, referenceId)
  if (taken === undefined || taken === id) return
  throw platformErrors.reference_id_taken({ param: 'invoice.reference_id', data: { invoice: { id: taken } } })
}

interface Terms {
  readonly legalEntityId: string
  readonly series: string | null
  readonly taxMode: BillingSettings['tax']
  readonly collection: BillingSettings['collection']
  readonly daysUntilDue: number
}

type FindsCustomers = InvoicesContext['customers']['findCustomers']

interface LockableTerms extends Terms {
  readonly locked: BilledRequest['locked']
}

async function readTerms(
  ctx: InvoicesContext,
  tx: Tx,
  request: InvoiceRequest,
  customersIn: FindsCustomers,
): Promise<LockableTerms> {
  const [defaults, customers, { timeZone }] = await Promise.all([
    settings(tx),
    customersIn(tx, [request.customer_uuid]),
    ctx.businesses.profile(tx.businessId),
  ])
  requireCustomer(customers.get(request.customer_uuid), 'invoice.customer_uuid')
  const legalEntityId = request.legal_entity_id ?? defaults.legalEntityId
  const param = 'invoice.legal_entity_id'
  if (legalEntityId === null) throw taxErrors.invoicing_incomplete({ param })
  const entity = await legalEntity(tx, legalEntityId)
  if (entity === undefined) throw taxErrors.legal_entity_not_found({ param })
  const series = request.series ?? null
  if (seriesOf(entity, series) === undefined) throw taxErrors.series_not_found({ param: 'invoice.series' })
  return {
    locked: refuseLocked(localDateOf(tx.now, timeZone).toString(), defaults.lockedUntil),
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
  const items = read.map((line, index) => itemLine(currency, lines[index], line))
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
  { label = '', period, tax_category: taxCategory = STANDARD_TAX }: Partial<InvoiceLineRequest> = {},
  { quantity, unitAmount, amount }: ReadLine,
): NewLineItem {
  const price = Money.exactly(currency, unitAmount)
  const isWhole = quantity.scale === 0 && quantity.unscaled <= BigInt(Number.MAX_SAFE_INTEGER)
  const billed = { kind: 'item', period, ...(taxCategory !== STANDARD_TAX && { taxCategory }) } as const
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
