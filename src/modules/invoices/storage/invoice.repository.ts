import sql, { empty } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { readMetadata, storedMetadata } from '#platform/http/validation/metadata'
import type { Database, Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import type { DocumentType, InvoiceState } from '../model/invoice.ts'
import type { TaxExchange } from '../model/exchange.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { type IssuedScope, isIssuedIn } from './issued-scope.ts'
import { readCopy, readReason, storedCopy, storedReason } from './stored-copy.ts'

export interface InvoiceRow {
  id: string
  type: DocumentType
  series: string
  year: number
  sequence: bigint
  number: string
  state: InvoiceState
  order_id: string
  plan_id: string | null
  invoice_id: string | null
  replaces: string | null
  replaced_by: string | null
  currency: string
  issue_date: string
  due_date: string
  overdue_at: Instant | null
  net_minor: bigint
  tax_minor: bigint
  total_minor: bigint
  prepaid_minor: bigint
  due_minor: bigint
  credited_minor: bigint
  payment_reference: string
  cause: string | null
  copy: string
  reference_id: string | null
  metadata: string | null
  created_at: Instant
  updated_at: Instant
}

export const COLUMNS = sql`i.id, i.type, i.series, i.year, i.sequence, i.number, i.state, i.order_id, i.plan_id, i.invoice_id,
       i.replaces, i.replaced_by, i.currency, i.issue_date, i.due_date, i.overdue_at, i.net_minor, i.tax_minor, i.total_minor, i.prepaid_minor, i.due_minor,
       i.credited_minor, i.payment_reference, i.cause::text, i.copy::text, i.reference_id, i.metadata, i.created_at, i.updated_at`

const newInvoices = rowsAs<IssuedInvoice>('n', {
  id: ['text', (i) => i.id],
  type: ['text', (i) => i.type],
  legal_entity_id: ['text', (i) => i.seller.legalEntityId],
  series: ['text', (i) => i.series],
  year: ['integer', (i) => i.year],
  sequence: ['bigint', (i) => i.sequence.toString()],
  number: ['text', (i) => i.number],
  state: ['text', (i) => i.state],
  order_id: ['text', (i) => i.orderNumber],
  plan_id: ['text', (i) => i.planId],
  customer_uuid: ['text', (i) => i.buyer.customerUuid],
  invoice_id: ['text', (i) => i.invoiceId],
  currency: ['text', (i) => i.currency],
  issue_date: ['date', (i) => i.issueDate],
  due_date: ['date', (i) => i.dueDate],
  overdue_at: ['timestamptz', (i) => rfc3339OrNull(i.overdueAt)],
  net_minor: ['numeric', (i) => i.netTotal.minor.toString()],
  tax_minor: ['numeric', (i) => i.taxTotal.minor.toString()],
  total_minor: ['numeric', (i) => i.total.minor.toString()],
  prepaid_minor: ['numeric', (i) => i.prepaid.minor.toString()],
  due_minor: ['numeric', (i) => i.amountDue.minor.toString()],
  payment_reference: ['text', (i) => i.paymentReference],
  rate_missing_on: ['date', (i) => missingRate(i)?.date ?? null],
  rate_missing_to: ['text', (i) => missingRate(i)?.currency ?? null],
  cause: ['text', (i) => storedReason(i.note)],
  copy: ['text', (i) => storedCopy(i)],
  reference_id: ['text', (i) => i.referenceId],
  metadata: ['text', (i) => storedMetadata(i.metadata)],
  created_at: ['timestamptz', (i) => toRfc3339(i.createdAt)],
})

function missingRate({ exchange }: IssuedInvoice): TaxExchange | undefined {
  return exchange?.converted === null ? exchange : undefined
}

export async function insertInvoices(tx: Tx, invoices: readonly IssuedInvoice[]): Promise<void> {
  if (invoices.length === 0) return
  await tx.execute(sql`
    insert into invoices (business_id, id, type, legal_entity_id, series, year, sequence, number, state, order_id, plan_id,
                          customer_uuid, invoice_id, currency, issue_date, due_date, overdue_at, net_minor, tax_minor,
                          total_minor, prepaid_minor, due_minor, payment_reference, rate_missing_on, rate_missing_to, cause, copy, reference_id, metadata,
                          created_at, updated_at)
    select ${tx.businessId}, n.id, n.type, n.legal_entity_id, n.series, n.year, n.sequence, n.number, n.state, n.order_id,
           n.plan_id, n.customer_uuid, n.invoice_id, n.currency, n.issue_date, n.due_date, n.overdue_at, n.net_minor,
           n.tax_minor, n.total_minor, n.prepaid_minor, n.due_minor, n.payment_reference, n.rate_missing_on, n.rate_missing_to, n.cause::jsonb, n.copy::jsonb,
           n.reference_id, n.metadata::jsonb, n.created_at, n.created_at
      from ${newInvoices(invoices)}`)
}

const changedInvoices = rowsAs<IssuedInvoice>('c', {
  id: ['text', (i) => i.id],
  state: ['text', (i) => i.state],
  due: ['numeric', (i) => i.amountDue.minor.toString()],
  credited: ['numeric', (i) => i.creditedTotal.minor.toString()],
  overdue_at: ['timestamptz', (i) => rfc3339OrNull(i.overdueAt)],
  updated_at: ['timestamptz', (i) => toRfc3339(i.updatedAt)],
})

export async function updateInvoices(tx: Tx, invoices: readonly IssuedInvoice[]): Promise<void> {
  if (invoices.length === 0) return
  await tx.execute(sql`
    update invoices i
       set state = c.state, due_minor = c.due, credited_minor = c.credited, overdue_at = c.overdue_at, updated_at = c.updated_at,
           uncollectible_at = case when c.state = 'uncollectible' then coalesce(i.uncollectible_at, c.updated_at) end
      from ${changedInvoices(invoices)}
     where i.business_id = ${tx.businessId} and i.id = c.id`)
}

/** Makes two invoices name each other: the corrected one and the one that was issued in its place. */
export async function linkReissued(
  tx: Tx,
  { old, new: replacing }: { readonly old: string; readonly new: string },
): Promise<void> {
  await tx.execute(sql`
    update invoices i
       set replaced_by = case i.id when ${old} then ${replacing} end, replaces = case i.id when ${replacing} then ${old} else i.replaces end
     where i.business_id = ${tx.businessId} and i.id in (${old}, ${replacing})`)
}

export async function lockInvoices(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IssuedInvoice>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<InvoiceRow>(sql`
    select ${COLUMNS} from invoices i
     where i.business_id = ${tx.businessId} and ${isOneOf(sql`i.id`, ids)}
     order by i.id for no key update`)
  return new Map(rows.map((row) => [row.id, toInvoice(row)]))
}

export async function findNotes(
  tx: Tx,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string, readonly IssuedInvoice[]>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await tx.query<InvoiceRow>(sql`
    select ${COLUMNS} from invoices i
     where i.business_id = ${tx.businessId} and ${isOneOf(sql`i.invoice_id`, invoiceIds)}
     order by i.created_at, i.sequence`)
  return Map.groupBy(rows.map(toInvoice), ({ invoiceId }) => invoiceId ?? '')
}

export async function findInvoice(
  db: Database,
  businessId: string,
  id: string,
): Promise<IssuedInvoice | undefined> {
  const [row] = await db.read<InvoiceRow>(
    businessId,
    sql`select ${COLUMNS} from invoices i where i.business_id = ${businessId} and i.id = ${id}`,
  )
  return row && toInvoice(row)
}

export async function findInvoiceIn(tx: Tx, id: string): Promise<IssuedInvoice | undefined> {
  const [row] = await tx.query<InvoiceRow>(sql`
    select ${COLUMNS} from invoices i where i.business_id = ${tx.businessId} and i.id = ${id}`)
  return row && toInvoice(row)
}

export async function findInvoiceIdByReference(tx: Tx, referenceId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from invoices where business_id = ${tx.businessId} and reference_id = ${referenceId}
    union all
    select id from invoice_drafts where business_id = ${tx.businessId} and reference_id = ${referenceId}`)
  return row?.id
}

export async function listIssued(tx: Tx, scope: IssuedScope, page: PageRequest): Promise<IssuedInvoice[]> {
  const rows = await tx.query<InvoiceRow>(sql`
    select ${COLUMNS} from invoices i
     where ${isIssuedIn(tx.businessId, scope)}
     ${rowsOfPage(page, sql`i.created_at`, sql`i.id`)}`)
  return rows.map(toInvoice)
}

/** In the order of their creation, after one. */
export async function listIssuedUpwards(
  tx: Tx,
  scope: IssuedScope,
  after: { readonly at: Instant; readonly id: string } | undefined,
  limit: number,
): Promise<IssuedInvoice[]> {
  const later = after && sql`and (i.created_at, i.id) > (${toRfc3339(after.at)}::timestamptz, ${after.id})`
  const rows = await tx.query<InvoiceRow>(sql`
    select ${COLUMNS} from invoices i
     where ${isIssuedIn(tx.businessId, scope)} ${later ?? empty}
     order by i.created_at, i.id limit ${limit}`)
  return rows.map(toInvoice)
}

export function earliestOverdueAt(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`invoices`, sql`overdue_at`)
}

export interface OverdueInvoice {
  readonly id: string
  readonly orderId: string
}

export async function findOverdue(tx: Tx, until: Instant, limit: number): Promise<OverdueInvoice[]> {
  const rows = await tx.query<{ id: string; order_id: string }>(sql`
    select id, order_id from invoices
     where business_id = ${tx.businessId} and overdue_at <= ${toRfc3339(until)}
     order by overdue_at, id limit ${limit}`)
  return rows.map(({ id, order_id: orderId }) => ({ id, orderId }))
}

export function toInvoice(row: InvoiceRow): IssuedInvoice {
  const { currency } = row
  const copy = readCopy(currency, row.copy)
  const money = (minor: bigint) => Money.ofMinor(currency, minor)
  return {
    id: row.id,
    type: row.type,
    series: row.series,
    year: row.year,
    sequence: row.sequence,
    number: row.number,
    state: row.state,
    orderNumber: row.order_id,
    planId: row.plan_id,
    invoiceId: row.invoice_id,
    replaces: row.replaces,
    replacedBy: row.replaced_by,
    currency,
    issueDate: row.issue_date,
    dueDate: row.due_date,
    overdueAt: row.overdue_at,
    netTotal: money(row.net_minor),
    taxTotal: money(row.tax_minor),
    total: money(row.total_minor),
    prepaid: money(row.prepaid_minor),
    amountDue: money(row.due_minor),
    creditedTotal: money(row.credited_minor),
    paymentReference: row.payment_reference,
    note: readReason(currency, row.cause),
    ...copy,
    seriesKey: copy.seriesKey ?? row.series,
    referenceId: row.reference_id,
    metadata: readMetadata(row.metadata),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
