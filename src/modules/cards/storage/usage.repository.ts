import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { givenIds, isOneOf, rowsAs } from '#platform/postgres/rows'
import type { Counter, Usage } from '../model/usage.ts'
import type { Window } from '../model/limit-windows.ts'

interface UsageRow {
  card_id: string
  last_changed_at: Instant
  daily_start: Instant
  daily_end: Instant
  daily_minor: bigint
  daily_count: number
  monthly_start: Instant
  monthly_end: Instant
  monthly_minor: bigint
  monthly_count: number
  lifetime_minor: bigint
  lifetime_count: number
}

const COLUMNS = sql`card_id, last_changed_at, daily_start, daily_end, daily_minor, daily_count, monthly_start, monthly_end,
       monthly_minor, monthly_count, lifetime_minor, lifetime_count`

export async function insertUsage(tx: Tx, usage: Usage): Promise<void> {
  await tx.execute(sql`
    insert into card_usage (business_id, card_id, last_changed_at, daily_start, daily_end, monthly_start, monthly_end)
    values (${tx.businessId}, ${usage.cardId}, ${toRfc3339(usage.lastChangedAt)}, ${toRfc3339(usage.daily.window.start)},
            ${toRfc3339(usage.daily.window.end)}, ${toRfc3339(usage.monthly.window.start)},
            ${toRfc3339(usage.monthly.window.end)})`)
}

/**
 * Locks cards in the order of `cardIds`. Read other tables in later statements: this statement's snapshot is older than
 * the wait for the lock.
 */
export async function lockUsages(tx: Tx, cardIds: readonly string[]): Promise<Map<string, Usage>> {
  return queryUsages(tx, cardIds, sql`for no key update`)
}

export async function findUsages(tx: Tx, cardIds: readonly string[]): Promise<Map<string, Usage>> {
  return queryUsages(tx, cardIds, empty)
}

/** One look-up per card. With `= any` the planner may read all cards of the business in their order. */
async function queryUsages(tx: Tx, cardIds: readonly string[], lock: Sql): Promise<Map<string, Usage>> {
  const rows = await tx.query<UsageRow>(sql`
    select u.*
      from ${givenIds(cardIds)}
     cross join lateral (
           select ${COLUMNS} from card_usage
            where business_id = ${tx.businessId} and card_id = given.id
            limit 1 ${lock}) u`)
  return new Map(rows.map((row) => [row.card_id, toUsage(row)]))
}

export async function lockUsageOfAuthorization(tx: Tx, uuid: string): Promise<Usage | null> {
  const [row] = await tx.query<UsageRow>(sql`
    select ${COLUMNS} from card_usage
     where business_id = ${tx.businessId}
       and card_id = (select card_id from card_authorizations
                       where business_id = ${tx.businessId} and uuid = ${uuid})
       for no key update`)
  return row === undefined ? null : toUsage(row)
}

const changedUsages = rowsAs<Usage>('input', {
  card_id: ['text', (u) => u.cardId],
  last_changed_at: ['timestamptz', (u) => toRfc3339(u.lastChangedAt)],
  daily_start: ['timestamptz', (u) => toRfc3339(u.daily.window.start)],
  daily_end: ['timestamptz', (u) => toRfc3339(u.daily.window.end)],
  daily_minor: ['numeric', (u) => u.daily.minor.toString()],
  daily_count: ['integer', (u) => u.daily.count],
  monthly_start: ['timestamptz', (u) => toRfc3339(u.monthly.window.start)],
  monthly_end: ['timestamptz', (u) => toRfc3339(u.monthly.window.end)],
  monthly_minor: ['numeric', (u) => u.monthly.minor.toString()],
  monthly_count: ['integer', (u) => u.monthly.count],
  lifetime_minor: ['numeric', (u) => u.lifetime.minor.toString()],
  lifetime_count: ['integer', (u) => u.lifetime.count],
})

export async function updateUsages(tx: Tx, usages: readonly Usage[]): Promise<void> {
  await tx.execute(sql`
    update card_usage u
       set last_changed_at = input.last_changed_at, daily_start = input.daily_start, daily_end = input.daily_end,
           daily_minor = input.daily_minor, daily_count = input.daily_count, monthly_start = input.monthly_start,
           monthly_end = input.monthly_end, monthly_minor = input.monthly_minor, monthly_count = input.monthly_count,
           lifetime_minor = input.lifetime_minor, lifetime_count = input.lifetime_count
      from ${changedUsages(usages)}
     where u.business_id = ${tx.businessId} and u.card_id = input.card_id`)
}

export async function advanceCardTime(tx: Tx, cardIds: readonly string[]): Promise<void> {
  const now = toRfc3339(tx.now)
  await tx.execute(sql`
    update card_usage set last_changed_at = ${now}
     where business_id = ${tx.businessId} and ${isOneOf(sql`card_id`, cardIds)} and last_changed_at < ${now}`)
}

export async function sumUsage(tx: Tx, cardId: string, window: Window): Promise<Counter> {
  const start = toRfc3339(window.start)
  const [row] = await tx.query<{ minor: bigint; count: number }>(sql`
    select (coalesce((select sum(held_minor + captured_minor - forced_minor - refunded_minor)
                        from card_authorizations
                       where business_id = ${tx.businessId} and card_id = ${cardId} and created_at >= ${start}), 0)
          + coalesce((select sum(forced_minor)
                        from card_operations
                       where business_id = ${tx.businessId} and card_id = ${cardId} and created_at >= ${start}
                         and forced_minor > 0), 0))::numeric(30,0) as minor,
           (select count(*)::int
              from card_authorizations
             where business_id = ${tx.businessId} and card_id = ${cardId} and created_at >= ${start}
               and state not in ('declined', 'reversed')) as count`)
  return { minor: row?.minor ?? 0n, count: row?.count ?? 0 }
}

function toUsage(row: UsageRow): Usage {
  return {
    cardId: row.card_id,
    lastChangedAt: row.last_changed_at,
    daily: {
      window: { start: row.daily_start, end: row.daily_end },
      minor: row.daily_minor,
      count: row.daily_count,
    },
    monthly: {
      window: { start: row.monthly_start, end: row.monthly_end },
      minor: row.monthly_minor,
      count: row.monthly_count,
    },
    lifetime: { minor: row.lifetime_minor, count: row.lifetime_count },
  }
}
