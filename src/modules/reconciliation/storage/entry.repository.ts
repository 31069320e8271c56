import sql, { type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { givenIds, isOneOf, rowsAs } from '#platform/postgres/rows'
import type { CountedEntry, Entry, EntryType, Match, Result } from '../model/entry.ts'

interface EntryRow {
  id: string
  reconciliation_id: string
  result: Result
  type: EntryType
  acquirer_type: string
  reference: string | null
  currency: string
  gross_minor: bigint
  fee_minor: bigint
  net_minor: bigint
  paid_currency: string | null
  paid_minor: bigint | null
  transaction_id: string | null
  order_id: string | null
  dispute_id: string | null
  expected_currency: string | null
  expected_minor: bigint | null
  moved_at: Instant | null
  created_at: Instant
  available_at: Instant | null
  found_at: Instant
}

const COLUMNS = sql`e.id, e.reconciliation_id, e.result, e.type, e.acquirer_type, e.reference, e.currency, e.gross_minor,
  e.fee_minor, e.net_minor, e.paid_currency, e.paid_minor, e.transaction_id, e.order_id, e.dispute_id,
  e.expected_currency, e.expected_minor, e.moved_at, e.created_at, e.available_at, e.found_at`

export async function findEntries(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, CountedEntry>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<EntryRow>(sql`
    select e.* from ${givenIds(ids)} cross join lateral (
      select ${COLUMNS} from reconciliation_entries e
       where e.business_id = ${tx.businessId} and e.account_id = ${accountId} and e.id = given.id
      offset 0) e`)
  return new Map(rows.map((row) => [row.id, toEntry(row)]))
}

export async function takenTransactions(tx: Tx, transactionIds: readonly string[]): Promise<Set<string>> {
  if (transactionIds.length === 0) return new Set()
  const rows = await tx.query<{ transaction_id: string }>(sql`
    select given.id as transaction_id from ${givenIds(transactionIds)} cross join lateral (
      select from reconciliation_entries e
       where e.business_id = ${tx.businessId} and e.transaction_id = given.id and e.result <> 'missing_there' limit 1) e`)
  return new Set(rows.map((row) => row.transaction_id))
}

export async function withdrawnDisputes(tx: Tx, disputeIds: readonly string[]): Promise<Set<string>> {
  if (disputeIds.length === 0) return new Set()
  const rows = await tx.query<{ dispute_id: string }>(sql`
    select given.id as dispute_id from ${givenIds(disputeIds)} cross join lateral (
      select from reconciliation_entries e
       where e.business_id = ${tx.businessId} and e.dispute_id = given.id and e.result <> 'missing_there'
         and e.gross_minor < 0
       limit 1) e`)
  return new Set(rows.map((row) => row.dispute_id))
}

const entryRows = rowsAs<Entry>('n', {
  id: ['text', (entry) => entry.id],
  reconciliation_id: ['text', (entry) => entry.reconciliationId],
  result: ['text', (entry) => entry.result],
  type: ['text', (entry) => entry.type],
  acquirer_type: ['text', (entry) => entry.acquirerType],
  reference: ['text', (entry) => entry.reference],
  currency: ['text', (entry) => entry.currency],
  gross_minor: ['numeric', (entry) => entry.grossMinor.toString()],
  fee_minor: ['numeric', (entry) => entry.feeMinor.toString()],
  net_minor: ['numeric', (entry) => entry.netMinor.toString()],
  paid_currency: ['text', (entry) => entry.paid?.currency ?? null],
  paid_minor: ['numeric', (entry) => entry.paid?.amountMinor.toString() ?? null],
  transaction_id: ['text', (entry) => entry.transactionId],
  order_id: ['text', (entry) => entry.orderNumber],
  dispute_id: ['text', (entry) => entry.disputeId],
  expected_currency: ['text', (entry) => entry.expected?.currency ?? null],
  expected_minor: ['numeric', (entry) => entry.expected?.minor.toString() ?? null],
  moved_at: ['timestamptz', (entry) => rfc3339OrNull(entry.movedAt)],
  created_at: ['timestamptz', (entry) => toRfc3339(entry.createdAt)],
  available_at: ['timestamptz', (entry) => rfc3339OrNull(entry.availableAt)],
  found_at: ['timestamptz', (entry) => toRfc3339(entry.foundAt)],
})

export async function insertEntries(tx: Tx, accountId: string, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  await tx.execute(sql`
    insert into reconciliation_entries (business_id, account_id, id, reconciliation_id, result, type, acquirer_type, reference,
                                        currency, gross_minor, fee_minor, net_minor, paid_currency, paid_minor,
                                        transaction_id, order_id, dispute_id, expected_currency, expected_minor,
                                        moved_at, created_at, available_at, found_at)
    select ${tx.businessId}, ${accountId}, n.* from ${entryRows(entries)}`)
}

export async function moveEntries(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
  reconciliationId: string,
): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(sql`
    update reconciliation_entries set reconciliation_id = ${reconciliationId}
     where business_id = ${tx.businessId} and account_id = ${accountId} and ${isOneOf(sql`id`, ids)}`)
}

const matchRows = rowsAs<readonly [id: string, match: Match]>('m', {
  id: ['text', ([id]) => id],
  result: ['text', ([, match]) => match.result],
  transaction_id: ['text', ([, match]) => match.transactionId],
  order_id: ['text', ([, match]) => match.orderNumber],
  dispute_id: ['text', ([, match]) => match.disputeId],
  expected_currency: ['text', ([, match]) => match.expected?.currency ?? null],
  expected_minor: ['numeric', ([, match]) => match.expected?.minor.toString() ?? null],
  moved_at: ['timestamptz', ([, match]) => rfc3339OrNull(match.movedAt)],
})

export async function updateMatches(
  tx: Tx,
  accountId: string,
  matches: readonly (readonly [id: string, match: Match])[],
): Promise<void> {
  if (matches.length === 0) return
  await tx.execute(sql`
    update reconciliation_entries e
       set result = m.result, transaction_id = m.transaction_id, order_id = m.order_id, dispute_id = m.dispute_id,
           expected_currency = m.expected_currency, expected_minor = m.expected_minor, moved_at = m.moved_at
      from ${matchRows(matches)}
     where e.business_id = ${tx.businessId} and e.account_id = ${accountId} and e.id = m.id`)
}

export async function deleteMissingThere(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<CountedEntry[]> {
  if (ids.length === 0) return []
  const rows = await tx.query<EntryRow>(sql`
    delete from reconciliation_entries e
     where e.business_id = ${tx.businessId} and e.account_id = ${accountId} and ${isOneOf(sql`e.id`, ids)}
       and e.result = 'missing_there'
    returning ${COLUMNS}`)
  return rows.map(toEntry)
}

export async function openEntries(
  tx: Tx,
  accountId: string,
  page: { readonly afterId: string; readonly limit: number; readonly foundAfter: Instant },
): Promise<Entry[]> {
  const rows = await tx.query<EntryRow>(sql`
    select ${COLUMNS} from reconciliation_entries e
     where e.business_id = ${tx.businessId} and e.account_id = ${accountId} and e.id > ${page.afterId}
       and e.result in ('missing_here', 'missing_there', 'different_amount')
       and e.found_at > ${toRfc3339(page.foundAfter)}
     order by e.id limit ${page.limit}`)
  return rows.map(toEntry)
}

export function entriesPage(
  tx: Tx,
  reconciliationId: string,
  result: Result | undefined,
  page: PageRequest,
): Promise<Entry[]> {
  const order = rowsOfPage(page, sql`e.created_at`, sql`e.id`)
  return entriesWhere(tx, sql`e.reconciliation_id = ${reconciliationId} and ${resultIs(result)} ${order}`)
}

export function entriesAfter(
  tx: Tx,
  reconciliationId: string,
  after: Entry | undefined,
  limit: number,
): Promise<Entry[]> {
  const position =
    after && sql`and (e.created_at, e.id) > (${toRfc3339(after.createdAt)}::timestamptz, ${after.id})`
  return entriesWhere(
    tx,
    sql`e.reconciliation_id = ${reconciliationId} ${position ?? sql``} order by e.created_at, e.id limit ${limit}`,
  )
}

async function entriesWhere(tx: Tx, condition: Sql): Promise<Entry[]> {
  const rows = await tx.query<EntryRow>(sql`
    select ${COLUMNS} from reconciliation_entries e where e.business_id = ${tx.businessId} and ${condition}`)
  return rows.map(toEntry)
}

function resultIs(result: Result | undefined): Sql {
  return result === undefined ? sql`true` : sql`e.result = ${result}`
}

function toEntry(row: EntryRow): Entry {
  return {
    id: row.id,
    reconciliationId: row.reconciliation_id,
    result: row.result,
    type: row.type,
    acquirerType: row.acquirer_type,
    reference: row.reference,
    currency: row.currency,
    grossMinor: row.gross_minor,
    feeMinor: row.fee_minor,
    netMinor: row.net_minor,
    paid:
      row.paid_currency === null || row.paid_minor === null
        ? null
        : { currency: row.paid_currency, amountMinor: row.paid_minor },
    transactionId: row.transaction_id,
    orderNumber: row.order_id,
    disputeId: row.dispute_id,
    expected:
      row.expected_currency === null || row.expected_minor === null
        ? null
        : Money.ofMinor(row.expected_currency, row.expected_minor),
    movedAt: row.moved_at,
    createdAt: row.created_at,
    availableAt: row.available_at,
    foundAt: row.found_at,
  }
}
