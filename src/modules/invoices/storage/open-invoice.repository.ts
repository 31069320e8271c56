import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { amount, computed, named, table } from '#platform/postgres/table'
import type { WantedExchange } from '../model/exchange.ts'
import { readWanted, type StoredExchange } from './stored-copy.ts'
import type { DocumentKey } from './tax-report.repository.ts'

/**
 * An invoice that is open, or has changed since a moment.
 * - `key`: Its place in the list: when it last changed, or a time after all others while it is open.
 * - `credited`: By notes that were issued until the day, without what they gave as credit of the plan.
 */
export interface CandidateInvoice {
  readonly id: string
  readonly key: DocumentKey
  readonly isOpen: boolean
  readonly legalEntityId: string
  readonly currency: string
  readonly number: string
  readonly customerUuid: string
  readonly buyerName: string
  readonly issueDate: string
  readonly dueDate: string
  readonly orderId: string
  readonly planId: string | null
  readonly total: Money
  readonly prepaid: Money
  readonly credited: Money
}

const BUYER_NAME = "i.copy #>> '{buyer,name}'"

const CANDIDATES = table<Omit<CandidateInvoice, 'key' | 'credited'>>('i', {
  id: 'text',
  isOpen: computed('is_open', "i.state = 'open'"),
  legalEntityId: 'text',
  currency: 'text',
  number: 'text',
  customerUuid: 'text',
  buyerName: computed('buyer_name', BUYER_NAME),
  issueDate: 'date',
  dueDate: 'date',
  orderId: 'text',
  planId: 'text',
  total: amount('total_minor'),
  prepaid: amount('prepaid_minor'),
})

/**
 * - `day`: A local date.
 * - `end`: When it ends.
 */
interface EndOfDay {
  readonly day: string
  readonly end: Instant
}

export interface OpenScope extends EndOfDay {
  readonly legalEntityId?: string | undefined
  readonly currency?: string | undefined
}

/** By how much a credit note lowers what is due of its invoice: what it gave as credit of the plan does not. */
export function loweredBy(note: 'i' | 'n'): Sql {
  return raw(`(${note}.total_minor - coalesce((${note}.cause #>> '{settlement,credit}')::numeric, 0))`)
}

/** The end of an invoice that is still open, later than that of any other. */
export const STILL_OPEN = '9999-12-31T00:00:00Z'
/** The same expression as in the index `invoices_open_until`. */
const OPEN_UNTIL = sql`(case when i.state = 'open' then ${raw(`'${STILL_OPEN}'`)}::timestamptz else i.updated_at end)`

/** Finds the invoices that may have been open at the end of a day: those that are open first. */
export async function findOpenSince(
  tx: Tx,
  { day, end, legalEntityId, currency }: OpenScope,
  after: DocumentKey | undefined,
  limit: number,
): Promise<CandidateInvoice[]> {
  const rows = await tx.query<{ open_until: Instant; credited_minor: bigint }>(sql`
    select ${CANDIDATES.columns}, ${OPEN_UNTIL} as open_until,
           coalesce((select sum(${loweredBy('n')}) from invoices n
                      where n.business_id = ${tx.businessId} and n.invoice_id = i.id and n.issue_date <= ${day}::date),
                    0)::numeric(40,0) as credited_minor
      from invoices i
     where i.business_id = ${tx.businessId} and i.type = 'invoice' and ${OPEN_UNTIL} >= ${toRfc3339(end)}::timestamptz
       and i.issue_date <= ${day}::date
       and (i.uncollectible_at is null or i.uncollectible_at >= ${toRfc3339(end)}::timestamptz)
       ${legalEntityId === undefined ? empty : sql`and i.legal_entity_id = ${legalEntityId}`}
       ${currency === undefined ? empty : sql`and i.currency = ${currency}`}
       ${after === undefined ? empty : sql`and (${OPEN_UNTIL}, i.id) < (${toRfc3339(after.at)}::timestamptz, ${after.id})`}
     order by ${OPEN_UNTIL} desc, i.id desc limit ${limit}`)
  return rows.map((row) => {
    const invoice = CANDIDATES.read(row)
    return {
      ...invoice,
      key: { at: row.open_until, id: invoice.id },
      credited: Money.ofMinor(invoice.currency, row.credited_minor),
    }
  })
}

export interface NoteOfInvoice {
  readonly id: string
  readonly invoiceId: string
  readonly number: string
  readonly issueDate: string
  readonly lowered: Money
}

const NOTES = table<Omit<NoteOfInvoice, 'lowered'>>('i', {
  id: 'text',
  invoiceId: 'text',
  number: 'text',
  issueDate: 'date',
})

/** The credit notes that were issued until a day and lowered what is due, oldest first. */
export async function findNotesUntil(
  tx: Tx,
  invoiceIds: readonly string[],
  day: string,
): Promise<NoteOfInvoice[]> {
  if (invoiceIds.length === 0) return []
  const rows = await tx.query<{ currency: string; lowered_minor: bigint }>(sql`
    select ${NOTES.columns}, i.currency, ${loweredBy('i')}::numeric(40,0) as lowered_minor from invoices i
     where business_id = ${tx.businessId} and ${isOneOf(sql`invoice_id`, invoiceIds)} and issue_date <= ${day}::date
       and ${loweredBy('i')} > 0
     order by created_at, id`)
  return rows.map((row) => ({
    ...NOTES.read(row),
    lowered: Money.ofMinor(row.currency, row.lowered_minor),
  }))
}

/** - `at`: When it was issued. */
export interface OverdueInvoiceItem {
  readonly id: string
  readonly number: string
  readonly buyerName: string
  readonly dueDate: string
  readonly amountDue: Money
  readonly at: Instant
}

const OVERDUE = table<OverdueInvoiceItem>('i', {
  id: 'text',
  number: 'text',
  buyerName: computed('buyer_name', BUYER_NAME),
  dueDate: 'date',
  amountDue: amount('due_minor'),
  at: named('created_at', 'timestamptz'),
})

/** Finds open invoices whose due date has passed, the longest overdue first. */
export async function findOverdueOpen(tx: Tx, today: string, limit: number): Promise<OverdueInvoiceItem[]> {
  const rows = await tx.query(sql`
    select ${OVERDUE.columns}
      from invoices i
     where i.business_id = ${tx.businessId} and i.type = 'invoice' and ${OPEN_UNTIL} = ${raw(`'${STILL_OPEN}'`)}::timestamptz
       and i.due_date < ${today}::date and i.due_minor > 0
     order by i.due_date, i.id limit ${limit}`)
  return rows.map(OVERDUE.read)
}

/** Finds the orders of the newest credit notes since a local date. */
export async function findCreditedOrders(tx: Tx, since: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ order_id: string }>(sql`
    select i.order_id from invoices i
     where i.business_id = ${tx.businessId} and i.invoice_id is not null
       and i.created_at >= ${`${since}T00:00:00Z`}::timestamptz
     order by i.created_at desc, i.id desc limit ${limit}`)
  return [...new Set(rows.map((row) => row.order_id))]
}

/** - `wanted`: By which its tax is in the currency of its seller. */
export interface InvoiceOfOrder {
  readonly number: string
  readonly legalEntityId: string
  readonly buyerName: string
  readonly wanted: WantedExchange | undefined
}

/** By order: its newest invoice. */
export async function findInvoicesOfOrders(
  tx: Tx,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, InvoiceOfOrder>> {
  if (orderIds.length === 0) return new Map()
  const rows = await tx.query<{
    order_id: string
    number: string
    legal_entity_id: string
    buyer_name: string
    exchange: string | null
  }>(sql`
    select order_id, number, legal_entity_id, copy #>> '{buyer,name}' as buyer_name, (copy -> 'exchange')::text as exchange
      from invoices
     where business_id = ${tx.businessId} and type = 'invoice' and ${isOneOf(sql`order_id`, orderIds)}
     order by created_at, id`)
  return new Map(
    rows.map((row) => [
      row.order_id,
      {
        number: row.number,
        legalEntityId: row.legal_entity_id,
        buyerName: row.buyer_name,
        wanted: readWanted(row.exchange === null ? undefined : (JSON.parse(row.exchange) as StoredExchange)),
      },
    ]),
  )
}
