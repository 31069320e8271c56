import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { givenIds, isOneOf } from '#platform/postgres/rows'
import { composed, table } from '#platform/postgres/table'
import type { Counter, Usage, WindowCounter } from '../model/usage.ts'
import type { Window } from '../model/limit-windows.ts'

const USAGES = table<Usage>('card_usage', {
  cardId: 'text',
  lastChangedAt: 'timestamptz',
  daily: windowCounter('daily'),
  monthly: windowCounter('monthly'),
  lifetime: composed(
    ['lifetime_minor', 'lifetime_count'],
    (minor: bigint, count: number): Counter => ({ minor, count }),
    {
      lifetime_minor: ['numeric', (lifetime) => lifetime.minor],
      lifetime_count: ['integer', (lifetime) => lifetime.count],
    },
  ),
})

function windowCounter(name: 'daily' | 'monthly') {
  return composed(
    [`${name}_start`, `${name}_end`, `${name}_minor`, `${name}_count`],
    (start: Instant, end: Instant, minor: bigint, count: number): WindowCounter => ({
      window: { start, end },
      minor,
      count,
    }),
    {
      [`${name}_start`]: ['timestamptz', ({ window }) => toRfc3339(window.start)],
      [`${name}_end`]: ['timestamptz', ({ window }) => toRfc3339(window.end)],
      [`${name}_minor`]: ['numeric', ({ minor }) => minor],
      [`${name}_count`]: ['integer', ({ count }) => count],
    },
  )
}

const CHANGED = USAGES.without('cardId')
const changedUsages = USAGES.rowsAs('input')

export async function insertUsage(tx: Tx, usage: Usage): Promise<void> {
  await tx.execute(sql`
    insert into card_usage ${USAGES.values(tx.businessId, [usage])}`)
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
  const rows = await tx.query(sql`
    select u.*
      from ${givenIds(cardIds)}
     cross join lateral (
           select ${USAGES.columns} from card_usage
            where business_id = ${tx.businessId} and card_id = given.id
            limit 1 ${lock}) u`)
  return new Map(rows.map(USAGES.read).map((usage) => [usage.cardId, usage]))
}

export async function lockUsageOfAuthorization(tx: Tx, uuid: string): Promise<Usage | null> {
  const [row] = await tx.query(sql`
    select ${USAGES.columns} from card_usage
     where business_id = ${tx.businessId}
       and card_id = (select card_id from card_authorizations
                       where business_id = ${tx.businessId} and uuid = ${uuid})
       for no key update`)
  return row === undefined ? null : USAGES.read(row)
}

export async function updateUsages(tx: Tx, usages: readonly Usage[]): Promise<void> {
  await tx.execute(sql`
    update card_usage u
       set ${CHANGED.setFrom('input')}
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
