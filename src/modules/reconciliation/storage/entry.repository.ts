import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { givenIds, isOneOf } from '#platform/postgres/rows'
import { composed, named, table } from '#platform/postgres/table'
import type { CountedEntry, Entry, Match, Result } from '../model/entry.ts'

const ENTRIES = table<Entry>('e', {
  id: 'text',
  reconciliationId: 'text',
  result: 'text',
  type: 'text',
  acquirerType: 'text',
  reference: 'text',
  currency: 'text',
  grossMinor: 'numeric',
  feeMinor: 'numeric',
  netMinor: 'numeric',
  paid: composed(
    ['paid_currency', 'paid_minor'],
    (currency: string | null, amountMinor: bigint | null) =>
      currency === null || amountMinor === null ? null : { currency, amountMinor },
    {
      paid_currency: ['text', (paid) => paid?.currency ?? null],
      paid_minor: ['numeric', (paid) => paid?.amountMinor ?? null],
    },
  ),
  transactionId: 'text',
  orderNumber: named('order_id', 'text'),
  disputeId: 'text',
  expected: composed(
    ['expected_currency', 'expected_minor'],
    (currency: string | null, minor: bigint | null) =>
      currency === null || minor === null ? null : Money.ofMinor(currency, minor),
    {
      expected_currency: ['text', (expected) => expected?.currency ?? null],
      expected_minor: ['numeric', (expected) => expected?.minor ?? null],
    },
  ),
  movedAt: 'timestamptz',
  createdAt: 'timestamptz',
  availableAt: 'timestamptz',
  foundAt: 'timestamptz',
})

export async function findEntries(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, CountedEntry>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query(sql`
    select e.* from ${givenIds(ids)} cross join lateral (
      select ${ENTRIES.columns} from reconciliation_entries e
       where e.business_id = ${tx.businessId} and e.account_id = ${accountId} and e.id = given.id
      offset 0) e`)
  return new Map(rows.map(ENTRIES.read).map((entry) => [entry.id, entry]))
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

export async function insertEntries(tx: Tx, accountId: string, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  await tx.execute(sql`
    insert into reconciliation_entries ${ENTRIES.values(tx.businessId, entries, { account_id: accountId })}`)
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

const MATCHES = ENTRIES.only(
  'id',
  'result',
  'transactionId',
  'orderNumber',
  'disputeId',
  'expected',
  'movedAt',
)
const matchRows = MATCHES.rowsAs('m')
const matchSet = MATCHES.without('id').setFrom('m')

export async function updateMatches(
  tx: Tx,
  accountId: string,
  matches: readonly (readonly [id: string, match: Match])[],
): Promise<void> {
  if (matches.length === 0) return
  await tx.execute(sql`
    update reconciliation_entries e
       set ${matchSet}
      from ${matchRows(matches.map(([id, match]) => ({ id, ...match })))}
     where e.business_id = ${tx.businessId} and e.account_id = ${accountId} and e.id = m.id`)
}

export async function deleteMissingThere(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<CountedEntry[]> {
  if (ids.length === 0) return []
  const rows = await tx.query(sql`
    delete from reconciliation_entries e
     where e.business_id = ${tx.businessId} and e.account_id = ${accountId} and ${isOneOf(sql`e.id`, ids)}
       and e.result = 'missing_there'
    returning ${ENTRIES.columns}`)
  return rows.map(ENTRIES.read)
}

export async function openEntries(
  tx: Tx,
  accountId: string,
  page: { readonly afterId: string; readonly limit: number; readonly foundAfter: Instant },
): Promise<Entry[]> {
  const rows = await tx.query(sql`
    select ${ENTRIES.columns} from reconciliation_entries e
     where e.business_id = ${tx.businessId} and e.account_id = ${accountId} and e.id > ${page.afterId}
       and e.result in ('missing_here', 'missing_there', 'different_amount')
       and e.found_at > ${toRfc3339(page.foundAfter)}
     order by e.id limit ${page.limit}`)
  return rows.map(ENTRIES.read)
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
  const rows = await tx.query(sql`
    select ${ENTRIES.columns} from reconciliation_entries e where e.business_id = ${tx.businessId} and ${condition}`)
  return rows.map(ENTRIES.read)
}

function resultIs(result: Result | undefined): Sql {
  return result === undefined ? sql`true` : sql`e.result = ${result}`
}
