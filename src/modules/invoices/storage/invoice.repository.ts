import sql, { empty } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Database, Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { isOneOf } from '#platform/postgres/rows'
import { amount, composed, json, named, table } from '#platform/postgres/table'
import type { TaxExchange } from '../model/exchange.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { type IssuedScope, isIssuedIn } from './issued-scope.ts'
import { type Copy, readCopy, readReason, storedCopy, storedReason } from './stored-copy.ts'

type MissingRate = Pick<TaxExchange, 'date' | 'currency'>

interface InvoiceRecord extends Omit<IssuedInvoice, keyof Copy> {
  readonly legalEntityId: string
  readonly customerUuid: string
  readonly rateMissing: MissingRate | undefined
  readonly copy: Copy & Pick<IssuedInvoice, 'currency'>
}

const RECORDS = table<InvoiceRecord>('i', {
  id: 'text',
  type: 'text',
  legalEntityId: 'text',
  series: 'text',
  year: 'integer',
  sequence: 'bigint',
  number: 'text',
  state: 'text',
  orderNumber: named('order_id', 'text'),
  planId: 'text',
  customerUuid: 'text',
  invoiceId: 'text',
  replaces: 'text',
  replacedBy: 'text',
  currency: 'text',
  issueDate: 'date',
  dueDate: 'date',
  overdueAt: 'timestamptz',
  netTotal: amount('net_minor'),
  taxTotal: amount('tax_minor'),
  total: amount('total_minor'),
  prepaid: amount('prepaid_minor'),
  amountDue: amount('due_minor'),
  creditedTotal: amount('credited_minor'),
  paymentReference: 'text',
  rateMissing: composed<MissingRate | undefined>([], () => undefined, {
    rate_missing_on: ['date', (missing) => missing?.date ?? null],
    rate_missing_to: ['text', (missing) => missing?.currency ?? null],
  }),
  note: composed(['currency', 'cause'], readReason, { cause: ['json', storedReason] }),
  copy: composed(['currency', 'copy'], readOwnCopy, { copy: ['json', storedCopy] }),
  referenceId: 'text',
  metadata: json(),
  isErased: composed(['is_erased'], (isErased: boolean | null) => isErased === true, {
    is_erased: ['boolean', (isErased) => isErased || null],
  }),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
})
const NEW = RECORDS.without('replaces', 'replacedBy', 'creditedTotal', 'updatedAt')
const INVOICES = RECORDS.without('legalEntityId', 'customerUuid', 'rateMissing')
export const COLUMNS = INVOICES.columns
export const NAMED = RECORDS.only('orderNumber', 'type', 'number', 'issueDate')

function recordOf(invoice: IssuedInvoice): InvoiceRecord {
  return {
    ...invoice,
    legalEntityId: invoice.seller.legalEntityId,
    customerUuid: invoice.buyer.customerUuid,
    rateMissing: missingRate(invoice),
    copy: invoice,
  }
}

function missingRate({ exchange }: IssuedInvoice): TaxExchange | undefined {
  return exchange?.converted === null ? exchange : undefined
}

export async function insertInvoices(tx: Tx, invoices: readonly IssuedInvoice[]): Promise<void> {
  if (invoices.length === 0) return
  await tx.execute(sql`
    insert into invoices ${NEW.values(tx.businessId, invoices.map(recordOf), { updated_at: sql`n.created_at` })}`)
}

const CHANGED = RECORDS.only('id', 'state', 'amountDue', 'creditedTotal', 'overdueAt', 'updatedAt')
const CHANGES = CHANGED.without('id').setFrom('c')
const changedInvoices = CHANGED.rowsAs('c')

export async function updateInvoices(tx: Tx, invoices: readonly IssuedInvoice[]): Promise<void> {
  if (invoices.length === 0) return
  await tx.execute(sql`
    update invoices i
       set ${CHANGES},
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
  const rows = await tx.query(sql`
    select ${COLUMNS} from invoices i
     where i.business_id = ${tx.businessId} and ${isOneOf(sql`i.id`, ids)}
     order by i.id for no key update`)
  return new Map(rows.map(toInvoice).map((invoice) => [invoice.id, invoice]))
}

export async function findNotes(
  tx: Tx,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string, readonly IssuedInvoice[]>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await tx.query(sql`
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
  const [row] = await db.read(
    businessId,
    sql`select ${COLUMNS} from invoices i where i.business_id = ${businessId} and i.id = ${id}`,
  )
  return row && toInvoice(row)
}

export async function findInvoiceIn(tx: Tx, id: string): Promise<IssuedInvoice | undefined> {
  const [row] = await tx.query(sql`
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
  const rows = await tx.query(sql`
    select ${COLUMNS} from invoices i
     where ${isIssuedIn(tx.businessId, scope)}
     ${rowsOfPage(page, sql`i.created_at`, sql`i.id`)}`)
  return rows.map(toInvoice)
}

/** Lists documents in the order of their creation, after the given one. */
export async function listIssuedUpwards(
  tx: Tx,
  scope: IssuedScope,
  after: { readonly at: Instant; readonly id: string } | undefined,
  limit: number,
): Promise<IssuedInvoice[]> {
  const later = after && sql`and (i.created_at, i.id) > (${toRfc3339(after.at)}::timestamptz, ${after.id})`
  const rows = await tx.query(sql`
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

function readOwnCopy(currency: string, text: string): InvoiceRecord['copy'] {
  return { ...readCopy(currency, text), currency }
}

/** @param row with `COLUMNS` */
export function toInvoice(row: object): IssuedInvoice {
  const { copy, ...invoice } = INVOICES.read(row)
  return { ...invoice, ...copy, seriesKey: copy.seriesKey ?? invoice.series }
}
