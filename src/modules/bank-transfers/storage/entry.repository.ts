import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { minorPerUnit } from '#platform/filter/minor-units'
import { readFiltered } from '#platform/filter/read-filtered'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { amount, computed, table } from '#platform/postgres/table'
import { type BankEntry, ENTRY_STATES, type NamedInvoice } from '../model/bank-entry.ts'
import type { CompletedEntry, KnownEntry, Returned, StatementEntry } from '../model/statement-entry.ts'

const RETURNED_ON =
  '(select r.booking_date from bank_entries r where r.business_id = e.business_id and r.id = e.returned_by)'

const STATED = {
  identity: 'text',
  account: 'text',
  bookingDate: 'date',
  amount: amount('amount_minor', 'currency'),
  bankReference: 'text',
} as const

const ENTRIES = table<BankEntry>('e', {
  ...STATED,
  id: 'text',
  state: 'text',
  statementId: 'text',
  debtorName: 'text',
  debtorIban: 'text',
  endToEndId: 'text',
  remittance: 'text',
  suggestions: {
    type: 'json',
    read: (stored: string | null) => (stored === null ? [] : (JSON.parse(stored) as NamedInvoice[])),
    write: (suggestions) => (suggestions.length === 0 ? null : JSON.stringify(suggestions)),
  },
  countedOn: 'date',
  returnedOn: computed('returned_on', RETURNED_ON),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
})
const NEW = ENTRIES.without('updatedAt')
const KNOWN = table<KnownEntry>('e', { ...STATED, id: 'text', kind: 'text' })

const matchesWith = (column: Sql) => ({
  type: 'key' as const,
  matches: (value: string) => sql`exists (
    select 1 from bank_entry_matches m
     where m.business_id = e.business_id and m.entry_id = e.id and m.undone_at is null and ${column} = ${value})`,
  isPresent: sql`(e.state = 'matched')`,
})

export const ENTRY_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`e.id`, prefix: true },
  state: { type: 'enum', column: sql`e.state`, values: ENTRY_STATES, narrow: narrowState },
  booking_date: { type: 'text', column: sql`e.booking_date::text` },
  counted_on: { type: 'date', column: sql`e.counted_on` },
  amount: { type: 'decimal', column: sql`(e.amount_minor / ${minorPerUnit(sql`e.currency`)})` },
  currency: { type: 'text', column: sql`e.currency` },
  debtor_name: { type: 'text', column: sql`e.debtor_name` },
  debtor_iban: { type: 'text', column: sql`e.debtor_iban` },
  bank_reference: { type: 'text', column: sql`e.bank_reference` },
  remittance: { type: 'text', column: sql`e.remittance` },
  bank_statement_id: { type: 'text', column: sql`e.statement_id` },
  invoice_id: matchesWith(sql`m.invoice_id`),
  order_number: matchesWith(sql`m.order_id`),
  'customer.uuid': matchesWith(sql`m.customer_uuid`),
  created_at: { type: 'time', column: sql`e.created_at` },
}

function narrowState(state: string): Sql | undefined {
  return state === 'unmatched' || state === 'suggested'
    ? sql`e.state in ('unmatched', 'suggested')`
    : undefined
}

/**
 * Lets one import or match of a business run at a time, so that nobody else changes its entries until this
 * transaction ends.
 */
export async function lockEntries(tx: Tx): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${tx.businessId} bank entries`}, 0))`)
}

const wantedTransfers = rowsAs<StatementEntry>('w', {
  kind: ['text', (e) => e.kind],
  bank_reference: ['text', (e) => e.bankReference],
  booking_date: ['date', (e) => e.bookingDate],
  currency: ['text', (e) => e.amount.currency],
  amount_minor: ['numeric', (e) => e.amount.minor.toString()],
})

/** Finds the entries with these identities, and those with the same references, dates and amounts. */
export async function findKnown(tx: Tx, entries: readonly StatementEntry[]): Promise<KnownEntry[]> {
  const identities = entries.map(({ identity }) => identity)
  const rows = await tx.query(sql`
    select ${KNOWN.columns} from bank_entries e
     where e.business_id = ${tx.businessId} and ${isOneOf(sql`e.identity`, identities)}
    union
    select ${KNOWN.columns}
      from (select distinct * from ${wantedTransfers(entries)}) w
      join bank_entries e
        on e.business_id = ${tx.businessId} and left(e.bank_reference, 255) collate "C" = left(w.bank_reference, 255)
       and e.bank_reference = w.bank_reference and e.booking_date = w.booking_date and e.amount_minor = w.amount_minor
       and e.currency = w.currency and e.kind = w.kind`)
  return rows.map(KNOWN.read)
}

const completedEntries = rowsAs<CompletedEntry>('c', {
  id: ['text', (c) => c.id],
  identity: ['text', (c) => c.by.identity],
  account: ['text', (c) => c.by.account],
  debtor_iban: ['text', (c) => c.by.debtorIban],
  end_to_end_id: ['text', (c) => c.by.endToEndId],
})

/** Adds what a statement with the account knows. An entry without any texts may have been erased, and gets none back. */
export async function completeEntries(tx: Tx, completed: readonly CompletedEntry[]): Promise<void> {
  if (completed.length === 0) return
  const isErased = sql`(e.debtor_name is null and e.debtor_iban is null and e.remittance = '')`
  await tx.execute(sql`
    update bank_entries e
       set account = c.account, identity = c.identity,
           debtor_iban = case when ${isErased} then null else coalesce(e.debtor_iban, c.debtor_iban) end,
           end_to_end_id = case when ${isErased} then null else coalesce(e.end_to_end_id, c.end_to_end_id) end
      from ${completedEntries(completed)}
     where e.business_id = ${tx.businessId} and e.id = c.id`)
}

export async function insertEntries(tx: Tx, entries: readonly BankEntry[]): Promise<void> {
  await tx.execute(sql`
    insert into bank_entries ${NEW.values(tx.businessId, entries, {
      kind: 'credit',
      updated_at: sql`n.created_at`,
    })}`)
}

interface NewReturn {
  readonly id: string
  readonly entry: StatementEntry
  readonly statementId: string
  readonly at: Instant
}

const newReturns = rowsAs<NewReturn>('n', {
  id: ['text', (r) => r.id],
  identity: ['text', (r) => r.entry.identity],
  statement_id: ['text', (r) => r.statementId],
  account: ['text', (r) => r.entry.account],
  booking_date: ['date', (r) => r.entry.bookingDate],
  currency: ['text', (r) => r.entry.amount.currency],
  amount_minor: ['numeric', (r) => r.entry.amount.minor.toString()],
  bank_reference: ['text', (r) => r.entry.bankReference],
  end_to_end_id: ['text', (r) => r.entry.endToEndId],
  remittance: ['text', (r) => r.entry.remittance],
  returned_to: ['text', (r) => r.entry.returnedTo],
  created_at: ['timestamptz', (r) => toRfc3339(r.at)],
})

export async function insertReturns(tx: Tx, returns: readonly NewReturn[]): Promise<void> {
  await tx.execute(sql`
    insert into bank_entries (business_id, id, kind, identity, statement_id, account, booking_date, currency, amount_minor,
                              bank_reference, end_to_end_id, remittance, returned_to, created_at, updated_at)
    select ${tx.businessId}, n.id, 'return', n.identity, n.statement_id, n.account, n.booking_date, n.currency, n.amount_minor,
           n.bank_reference, n.end_to_end_id, n.remittance, n.returned_to, n.created_at, n.created_at
      from ${newReturns(returns)}`)
}

interface OpenReturn extends Returned {
  readonly id: string
  readonly createdAt: Instant
}

const RETURNS = table<OpenReturn>('r', {
  id: 'text',
  bookingDate: 'date',
  amount: amount('amount_minor'),
  bankReference: 'text',
  endToEndId: 'text',
  remittance: 'text',
  returnedTo: 'text',
  createdAt: 'timestamptz',
})

const isOpenReturn = (
  businessId: string,
) => sql`r.business_id = ${businessId} and r.kind = 'return' and not exists (
         select 1 from bank_entries c
          where c.business_id = ${businessId} and c.end_to_end_id = r.end_to_end_id and c.returned_by = r.id)`

/** Finds returns that have taken back no credit. */
export async function findOpenReturns(tx: Tx, endToEndIds: readonly string[]): Promise<OpenReturn[]> {
  if (endToEndIds.length === 0) return []
  const rows = await tx.query(sql`
    select ${RETURNS.columns} from bank_entries r
     where ${isOneOf(sql`r.end_to_end_id`, endToEndIds)} and ${isOpenReturn(tx.businessId)}
     order by r.booking_date, r.created_at, r.id`)
  return rows.map(RETURNS.read)
}

export async function findNewestOpenReturns(tx: Tx, after: Instant, limit: number): Promise<OpenReturn[]> {
  const rows = await tx.query(sql`
    select ${RETURNS.columns} from bank_entries r
     where r.created_at > ${toRfc3339(after)} and r.end_to_end_id is not null and ${isOpenReturn(tx.businessId)}
     order by r.created_at desc, r.id desc limit ${limit}`)
  return rows.map(RETURNS.read)
}

/** Finds credits that no return has taken back, in the order in which they were booked. */
export async function findReturnable(tx: Tx, endToEndIds: readonly string[]): Promise<BankEntry[]> {
  if (endToEndIds.length === 0) return []
  const rows = await tx.query(sql`
    select ${ENTRIES.columns} from bank_entries e
     where e.business_id = ${tx.businessId} and ${isOneOf(sql`e.end_to_end_id`, endToEndIds)}
       and e.kind = 'credit' and e.returned_by is null
     order by e.booking_date, e.created_at, e.id`)
  return rows.map(ENTRIES.read)
}

function storedSuggestions({ state, suggestions }: BankEntry): string | null {
  return state === 'suggested' ? JSON.stringify(suggestions) : null
}

const changedEntries = rowsAs<BankEntry & { readonly returnedBy?: string }>('c', {
  id: ['text', (e) => e.id],
  state: ['text', (e) => e.state],
  suggestions: ['json', (e) => storedSuggestions(e)],
  counted_on: ['date', (e) => e.countedOn],
  returned_by: ['text', (e) => e.returnedBy ?? null],
  updated_at: ['timestamptz', (e) => toRfc3339(e.updatedAt)],
})

export async function updateEntries(
  tx: Tx,
  entries: readonly (BankEntry & { readonly returnedBy?: string })[],
): Promise<void> {
  if (entries.length === 0) return
  await tx.execute(sql`
    update bank_entries e
       set state = c.state, suggestions = c.suggestions, counted_on = c.counted_on, returned_by = coalesce(c.returned_by, e.returned_by),
           updated_at = c.updated_at
      from ${changedEntries(entries)}
     where e.business_id = ${tx.businessId} and e.id = c.id`)
}

export async function findEntry(tx: Tx, id: string): Promise<BankEntry | undefined> {
  const [row] = await tx.query(sql`
    select ${ENTRIES.columns} from bank_entries e
     where e.business_id = ${tx.businessId} and e.id = ${id} and e.kind = 'credit'`)
  return row && ENTRIES.read(row)
}

export async function listEntries(
  db: Database,
  businessId: string,
  filter: Sql | undefined,
  page: PageRequest,
): Promise<BankEntry[]> {
  const rows = await readFiltered(
    db,
    businessId,
    filter,
    (condition) => sql`
      select ${ENTRIES.columns} from bank_entries e
       where e.business_id = ${businessId} and e.kind = 'credit' and ${condition}
       ${rowsOfPage(page, sql`e.created_at`, sql`e.id`)}`,
  )
  return rows.map(ENTRIES.read)
}
