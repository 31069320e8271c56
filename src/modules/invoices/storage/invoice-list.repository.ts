import sql, { type Sql } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { FilterFields } from '#platform/filter/filter-sql'
import { minorPerUnit, narrowAmount } from '#platform/filter/minor-units'
import { type PageKey, type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { rowsOfSortedPage, type SortedPage, type SortField } from '#platform/http/validation/sorted-list'
import type { Tx } from '#platform/postgres/database'
import type { AnyInvoice } from '../model/draft-invoice.ts'
import { toDraft } from './draft.repository.ts'
import { toInvoice } from './invoice.repository.ts'

/** Drafts have no dates, and are the newest in the order of any. A draft has no number. */
export const INVOICE_SORTS = {
  issue_date: { column: sql`i.issue_key`, type: 'date' },
  due_date: { column: sql`i.due_date_key`, type: 'date' },
  total: { column: sql`i.total_key`, type: 'bigint' },
  amount_due: { column: sql`i.due_key`, type: 'bigint' },
  number: { column: sql`i.number_order`, type: 'text' },
} as const satisfies Readonly<Record<string, SortField>>

/** @param today the local date, after whose beginning earlier due dates are overdue */
export function invoiceFields(today: string): FilterFields {
  const inUnits = (minor: Sql) => sql`(${minor} / ${minorPerUnit(sql`i.currency`)})`
  return {
    id: { type: 'text', column: sql`i.id`, prefix: true },
    reference_id: { type: 'text', column: sql`i.reference_id`, prefix: true },
    type: { type: 'enum', column: sql`i.type`, values: ['invoice', 'credit_note'] },
    number: { type: 'text', column: sql`i.number`, prefix: true },
    payment_reference: { type: 'text', column: sql`i.payment_reference`, prefix: true },
    state: {
      type: 'enum',
      column: sql`i.state`,
      values: ['draft', 'open', 'paid', 'credited', 'uncollectible'],
    },
    overdue: {
      type: 'enum',
      column: sql`(case when i.state = 'open' and i.due_date < ${today}::date then 'true' else 'false' end)`,
      values: ['true', 'false'],
    },
    issue_date: { type: 'date', column: sql`i.issue_date` },
    due_date: { type: 'date', column: sql`i.due_date` },
    total: { type: 'decimal', column: inUnits(sql`i.total_minor`), narrow: narrowAmount(sql`i.total_key`) },
    amount_due: { type: 'decimal', column: inUnits(sql`i.due_minor`), narrow: narrowAmount(sql`i.due_key`) },
    currency: { type: 'text', column: sql`i.currency` },
    legal_entity_id: { type: 'text', column: sql`i.legal_entity_id` },
    'customer.uuid': { type: 'text', column: sql`i.customer_uuid` },
    buyer_tax_id: {
      type: 'key',
      matches: (value) => sql`(${hasTaxId(value)} or ${hasTaxId(taxIdAsStored(value))})`,
      isPresent: sql`(jsonb_array_length(i.copy -> 'buyer' -> 'taxIds') > 0)`,
    },
    plan_id: { type: 'text', column: sql`i.plan_id` },
    order_number: { type: 'text', column: sql`i.order_id`, prefix: true },
    invoice_id: { type: 'text', column: sql`i.invoice_id` },
    created_at: { type: 'time', column: sql`i.created_at` },
  }
}

function hasTaxId(value: string): Sql {
  return sql`i.copy -> 'buyer' -> 'taxIds' @> ${JSON.stringify([{ value }])}::jsonb`
}

/** VAT ids are stored without what people write between their characters (reference/billing-tax#vat-ids). */
function taxIdAsStored(value: string): string {
  return value.replaceAll(/[\s.-]/g, '').toUpperCase()
}

const ISSUED = sql`
  i.id, i.type, i.legal_entity_id, i.customer_uuid, i.series, i.year, i.sequence, i.number, i.state, i.order_id, i.plan_id,
  i.invoice_id, i.replaces, i.replaced_by, i.currency, i.issue_date, i.due_date, i.overdue_at, i.net_minor, i.tax_minor,
  i.total_minor, i.prepaid_minor, i.due_minor, i.credited_minor, i.payment_reference, i.cause, i.copy, i.reference_id, i.metadata,
  i.is_erased, i.created_at, i.updated_at, null::jsonb as request, i.issue_date as issue_key, i.due_date as due_date_key, i.total_key, i.due_key,
  i.number as number_order`

const DRAFTED = sql`
  d.id, 'invoice' collate "C", d.legal_entity_id, d.customer_uuid, null::text collate "C", null::integer, null::bigint,
  null::text collate "C", 'draft' collate "C", null::text collate "C", null::text collate "C", null::text collate "C",
  null::text collate "C", null::text collate "C", d.currency, null::date, null::date, null::timestamptz, d.net_minor, d.tax_minor,
  d.total_minor, 0::numeric(30,0), 0::numeric(30,0), 0::numeric(30,0), null::text collate "C", null::jsonb, d.copy, d.reference_id,
  d.metadata, null::boolean, d.created_at, d.updated_at, d.request, 'infinity'::date, 'infinity'::date, d.total_key, 0::bigint, '' collate "C"`

interface IssuedOrDraftRow {
  readonly id: string
  readonly number: string | null
  readonly sort_value: string
}

export type InvoicePage = PageRequest | SortedPage

/** - `key`: Of the row, in the order of the list. */
export interface ListedInvoice {
  readonly invoice: AnyInvoice
  readonly key: PageKey<Instant | string>
}

export async function listInvoices(
  tx: Pick<Tx, 'businessId' | 'query'>,
  condition: Sql,
  page: InvoicePage,
): Promise<ListedInvoice[]> {
  const isSorted = 'sort' in page
  const rows = await tx.query<IssuedOrDraftRow>(sql`
    select i.*, ${isSorted ? sql`${page.sort.field.column}::text` : sql`''`} as sort_value
      from (select ${ISSUED} from invoices i where i.business_id = ${tx.businessId}
            union all
            select ${DRAFTED} from invoice_drafts d where d.business_id = ${tx.businessId}) i
     where ${condition}
     ${isSorted ? rowsOfSortedPage(page, sql`i.id`) : rowsOfPage(page, sql`i.created_at`, sql`i.id`)}`)
  return rows.map((row) => {
    const invoice = row.number === null ? toDraft(row) : toInvoice(row)
    return { invoice, key: { at: isSorted ? row.sort_value : invoice.createdAt, id: row.id } }
  })
}

export interface CurrencyTotals {
  readonly currency: string
  readonly documents: number
  readonly netTotal: Money
  readonly taxTotal: Money
  readonly total: Money
  readonly amountDue: Money
}

interface SummedRow {
  currency: string
  documents: bigint
  net: bigint
  tax: bigint
  total: bigint
  due: bigint
}

/** Credit notes count negative. Drafts do not count. */
export async function sumInvoices(tx: Tx, condition: Sql): Promise<CurrencyTotals[]> {
  const sum = (column: Sql) =>
    sql`sum(case i.type when 'credit_note' then -${column} else ${column} end)::numeric(40,0)`
  const rows = await tx.query<SummedRow>(sql`
    select i.currency, count(*) as documents, ${sum(sql`i.net_minor`)} as net, ${sum(sql`i.tax_minor`)} as tax,
           ${sum(sql`i.total_minor`)} as total, sum(i.due_minor)::numeric(40,0) as due
      from invoices i
     where i.business_id = ${tx.businessId} and ${condition}
     group by i.currency order by i.currency`)
  return rows.map(({ currency, documents, net, tax, total, due }) => {
    const money = (minor: bigint) => Money.ofMinor(currency, minor)
    return {
      currency,
      documents: Number(documents),
      netTotal: money(net),
      taxTotal: money(tax),
      total: money(total),
      amountDue: money(due),
    }
  })
}
