import sql from 'sql-template-tag'
import { type Instant, realClock } from '#kernel/clock'
import type { SharedStatements } from '#platform/postgres/database'

export interface PartitionedTable {
  readonly name: string
  readonly period: 'day' | 'month'
  readonly boundOf: (start: Instant) => string
  readonly keepDays: number
}

const PERIODS = { day: { days: 1 }, month: { months: 1 } } as const
const PERIODS_AHEAD = { day: 2, month: 1 } as const
/** Rows of an earlier month may be in the default partition by the time that the new one is made. */
const MIN_DAYS_AHEAD = 7

export async function keepPartitions(
  shared: SharedStatements,
  table: PartitionedTable,
  now: Instant = realClock.now(),
): Promise<void> {
  const missing = await missingPeriods(shared, table, now)
  if (missing.length > 0) await makePartitions(shared, table, missing)
  const kept = periodOf(table, now.subtract({ hours: 24 * table.keepDays }))
  await shared.query(sql`select quittance_drop_partitions(${table.name}, ${nameOf(table, kept)})`)
}

async function makePartitions(
  shared: SharedStatements,
  table: PartitionedTable,
  missing: readonly Temporal.PlainDate[],
): Promise<void> {
  const parts = missing.map((start) => ({
    name: nameOf(table, start),
    from: table.boundOf(instantOf(start)),
    to: table.boundOf(instantOf(start.add(PERIODS[table.period]))),
  }))
  await shared.query(sql`select quittance_bound_default_partition(${table.name}, ${parts[0]?.from})`)
  await shared.query(sql`select quittance_prove_default_partition(${table.name})`)
  await shared.query(sql`
    select quittance_make_partitions(${table.name}, ${parts.map(({ name }) => name)}::text[],
                                     ${parts.map(({ from }) => from)}::text[], ${parts.map(({ to }) => to)}::text[])`)
}

/** A request that began before midnight is written after it, so yesterday counts where there is no default partition. */
async function missingPeriods(
  shared: SharedStatements,
  table: PartitionedTable,
  now: Instant,
): Promise<Temporal.PlainDate[]> {
  const rows = await shared.query<{ name: string }>(sql`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table.name}::regclass`)
  const names = new Set(rows.map(({ name }) => name))
  const earliest =
    table.period === 'day' ? now.subtract({ hours: 48 }) : now.add({ hours: 24 * MIN_DAYS_AHEAD })
  const missing: Temporal.PlainDate[] = []
  for (let ahead = -1; ahead <= PERIODS_AHEAD[table.period]; ahead++) {
    const start = periodOf(table, now).add(table.period === 'day' ? { days: ahead } : { months: ahead })
    const isEarlyEnough = Temporal.Instant.compare(instantOf(start), earliest) >= 0
    if (isEarlyEnough && !names.has(`${table.name}_${nameOf(table, start)}`)) missing.push(start)
  }
  return missing
}

function periodOf({ period }: PartitionedTable, at: Instant): Temporal.PlainDate {
  const day = at.toZonedDateTimeISO('UTC').toPlainDate()
  return period === 'day' ? day : day.with({ day: 1 })
}

function instantOf(day: Temporal.PlainDate): Instant {
  return day.toZonedDateTime('UTC').toInstant()
}

function nameOf({ period }: PartitionedTable, start: Temporal.PlainDate): string {
  return start
    .toString()
    .replaceAll('-', '')
    .slice(0, period === 'day' ? 8 : 6)
}
