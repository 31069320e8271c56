import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Instant, realClock, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Database, Tx } from '#platform/postgres/database'
import { type Columns, rowsAs } from '#platform/postgres/rows'
import { type JobRun, scheduleNow } from './jobs.ts'

/**
 * The right to work on rows until `until` on the real clock. Afterwards others may take the rows over. Whoever records a result
 * locks the row and compares `id`.
 */
export interface Lease {
  readonly id: string
  readonly from: Instant
  readonly until: Instant
}

export function newLease(ms: number): Lease {
  const from = realClock.now()
  return { id: newId('lse'), from, until: from.add({ milliseconds: ms }) }
}

/** A table with `due_at`, `leased_until` and, if it takes results after a lease has ended, `lease_id`. */
export interface LeasedTable {
  readonly name: Sql
  readonly key: Sql
  readonly movesDueTime: boolean
  readonly isSame: (alias: string) => Sql
  readonly heldRows: (held: readonly HeldRow[]) => Sql
}

/** - `key`: In the order of the columns of the key. */
export interface HeldRow {
  readonly key: string | readonly string[]
  readonly leaseId: string | null
}

/**
 * - `key`: The primary key without the business.
 * - `movesDueTime`: A claim moves `due_at` to the end of its lease and leaves the lease's name in `lease_id`, so that nobody looks
 *   for the row before. Whatever else moves `due_at` takes the row from its holder.
 */
export function leasedTable(
  name: string,
  { key, movesDueTime = false }: { readonly key: readonly string[]; readonly movesDueTime?: boolean },
): LeasedTable {
  const columns = key.map((column, index): [string, Columns<HeldRow>[string]] => [
    column,
    ['text', (row) => (typeof row.key === 'string' ? row.key : (row.key[index] ?? null))],
  ])
  return {
    name: raw(name),
    key: raw(key.join(', ')),
    movesDueTime,
    isSame: (alias) => raw(key.map((column) => `r.${column} = ${alias}.${column}`).join(' and ')),
    heldRows: rowsAs<HeldRow>('held', {
      ...Object.fromEntries(columns),
      lease_id: ['text', (row) => row.leaseId],
    }),
  }
}

/** In a table that `movesDueTime`, true of a row that is still leased under this name. */
export function isHeldUnder(leaseId: string | null): Sql {
  return sql`lease_id = ${leaseId} and due_at = leased_until`
}

export function isFree(at: Instant): Sql {
  return sql`(leased_until is null or leased_until <= ${toRfc3339(at)})`
}

export function dueBy(until: Instant): Sql {
  return sql`due_at <= ${toRfc3339(until)}`
}

interface Claim {
  readonly where: Sql
  readonly limit: number
  readonly lease: Lease
  readonly found?: Sql
  readonly set?: readonly Sql[]
  readonly returning: Sql
}

/**
 * Leases rows that are free, earliest first, and skips rows that others lock. The selection is not a subquery of a join, because
 * a join could run it once per row and lease more than `limit`.
 */
export function claimRows<Row extends object>(
  tx: Tx,
  { name, key, isSame, movesDueTime }: LeasedTable,
  claim: Claim,
): Promise<Row[]> {
  const { where, limit, lease, found = key, set = [], returning } = claim
  const until = toRfc3339(lease.until)
  const moved = movesDueTime ? [sql`lease_id = ${lease.id}`, sql`due_at = ${until}`] : []
  const changes = join([sql`leased_until = ${until}`, ...moved, ...set], ', ')
  return tx.query<Row>(sql`
    with found as (
      select ${found} from ${name}
       where business_id = ${tx.businessId} and ${where} and ${isFree(lease.from)}
       order by due_at, ${key}
       limit ${limit}
         for no key update skip locked
    )
    update ${name} r set ${changes}
      from found
     where r.business_id = ${tx.businessId} and ${isSame('found')}
    returning ${returning}`)
}

/** @returns the number of rows that were still held */
export function extendLeases(
  tx: Tx,
  table: LeasedTable,
  held: readonly HeldRow[],
  until: Instant,
  set: readonly Sql[] = [],
): Promise<number> {
  const end = toRfc3339(until)
  const moved = table.movesDueTime ? [sql`due_at = ${end}`] : []
  return changeHeld(tx, table, held, [sql`leased_until = ${end}`, ...moved, ...set])
}

export async function releaseRows(tx: Tx, table: LeasedTable, held: readonly HeldRow[]): Promise<void> {
  await changeHeld(tx, table, held, [sql`leased_until = null`, sql`lease_id = null`])
}

function changeHeld(
  tx: Tx,
  { name, isSame, heldRows, movesDueTime }: LeasedTable,
  held: readonly HeldRow[],
  changes: readonly Sql[],
): Promise<number> {
  const isUnmoved = movesDueTime ? sql` and r.due_at = r.leased_until` : empty
  return tx.execute(sql`
    update ${name} r set ${join([...changes], ', ')}
      from ${heldRows(held)}
     where r.business_id = ${tx.businessId} and ${isSame('held')} and r.lease_id = held.lease_id${isUnmoved}`)
}

/**
 * Ends the leases of all tenants when the service starts, because the process that held them has died. Lease ids stay: a sender
 * that is alive after all keeps its lease until somebody claims it. A leased row is always due, so an index on `due_at` serves.
 */
export function endLeases(job: string, { name }: LeasedTable, dueAt: Sql): Sql {
  return scheduleNow(
    job,
    sql`update ${name} set leased_until = null, due_at = ${dueAt}
         where due_at is not null and leased_until is not null returning business_id`,
  )
}

const POLL_MS = 50

/**
 * Claims rows for a run. While a clock is being advanced it waits for leases of others to end, because the advance
 * returns only when everything that is due has happened.
 */
export async function claimDue<Item>(
  db: Database,
  run: JobRun,
  table: LeasedTable,
  claim: (tx: Tx) => Promise<Item[]>,
): Promise<Item[]> {
  for (;;) {
    const { items, mustWait } = await db.transact(run.businessId, async (tx) => {
      // Read before the claim, so that a lease that ends after the claim still counts.
      const now = realClock.now()
      const claimed = await claim(tx)
      const isAdvancing = tx.clockOffsetMs === undefined
      return {
        items: claimed,
        mustWait: claimed.length === 0 && isAdvancing && (await hasLeased(tx, table, run.until, now)),
      }
    })
    if (!mustWait || run.isStopping?.() === true) return items
    await sleep(POLL_MS)
  }
}

async function hasLeased(tx: Tx, { name }: LeasedTable, until: Instant, now: Instant): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from ${name}
     where business_id = ${tx.businessId} and ${dueBy(until)} and leased_until > ${toRfc3339(now)}
     limit 1`)
  return rows.length > 0
}

/** Records results together. After an error it records each by itself, so that one does not hold up the others. Returns errors. */
export async function recordEach<Result>(
  results: readonly Result[],
  record: (some: readonly Result[]) => Promise<void>,
): Promise<unknown[]> {
  try {
    await record(results)
    return []
  } catch {
    const singly = await Promise.allSettled(results.map((result) => record([result])))
    return singly.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  }
}
