import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY_ROOT } from '../harness/service.ts'

export interface Measurement {
  readonly costs: Costs
  readonly bytesOfTables: Readonly<Record<string, number>>
}

/** The costs of one repetition. */
interface Costs {
  readonly statements: number
  readonly transactions: number
  readonly round_trips: number
  /** Without `request_log`: how much is written and compressed together depends on time. */
  readonly wal_bytes: number
  readonly request_log_wal_bytes: number
  readonly allocated_kilobytes: number
  /** Without `request_log`, too. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, number>>>>
}

export type CostTable = Record<string, Costs>

const FILE = join(REPOSITORY_ROOT, 'bench/costs.json')
const REWRITE = 'npm run costs'

export const DELIVERY = 'delivery'
export const DEPOSIT = 'deposit'

interface Tolerance {
  readonly share: number
  readonly least: number
}

/**
 * Less than two in five repetitions is chance: a cache that is read anew every few seconds, or a batch that ends
 * later.
 */
const COUNT: Tolerance = { share: 0.03, least: 0.4 }
const WAL: Tolerance = { share: 0.03, least: 60 }
/** How many of them are recorded together depends on time. */
const TIMED = new Set([DELIVERY, DEPOSIT])
const TIMED_WAL: Tolerance = { share: 0.2, least: 60 }
const REQUEST_LOG_WAL: Tolerance = { share: 1, least: 60 }
/**
 * A busy machine takes longer, and time costs memory too: an order that follows the last one after 100 ms and not at
 * once allocates 48 kB more. With four times as many processes as processors 22 % more were measured.
 */
const ALLOCATED: Tolerance = { share: 0.25, least: 80 }

export async function readCostTable(): Promise<CostTable> {
  return JSON.parse(await readFile(FILE, 'utf8')) as CostTable
}

export async function writeCostTable(table: CostTable): Promise<void> {
  await writeFile(FILE, `${JSON.stringify(table, null, 2)}\n`)
}

/** Says what differs from the table; an empty text if nothing does. */
export function compareCosts(
  way: string,
  before: Costs | undefined,
  { costs: now, bytesOfTables }: Measurement,
): string {
  if (before === undefined) return `${way} is not in bench/costs.json. ${REWRITE} adds it.`
  const differences = [
    ...difference('statements', before.statements, now.statements, COUNT),
    ...difference('transactions', before.transactions, now.transactions, COUNT),
    ...difference('round trips', before.round_trips, now.round_trips, COUNT),
    ...difference('WAL bytes', before.wal_bytes, now.wal_bytes, TIMED.has(way) ? TIMED_WAL : WAL),
    ...difference(
      'WAL bytes of request_log',
      before.request_log_wal_bytes,
      now.request_log_wal_bytes,
      REQUEST_LOG_WAL,
    ),
    ...difference('allocated kilobytes', before.allocated_kilobytes, now.allocated_kilobytes, ALLOCATED),
    ...differencesOfRows(before.rows, now.rows),
  ]
  if (differences.length === 0) return ''
  const bytes = Object.entries(bytesOfTables).map(([table, count]) => `${table} ${count}`)
  return [
    `${way} costs:`,
    ...differences,
    `WAL bytes now: ${bytes.join(', ')}`,
    `If that is right, ${REWRITE} writes bench/costs.json anew.`,
  ].join('\n  ')
}

function differencesOfRows(before: Costs['rows'], now: Costs['rows']): string[] {
  const tables = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...tables].flatMap((table) =>
    ['inserted', 'updated', 'hot', 'deleted'].flatMap((change) =>
      difference(`${table} ${change}`, before[table]?.[change] ?? 0, now[table]?.[change] ?? 0, COUNT),
    ),
  )
}

function difference(figure: string, before: number, now: number, { share, least }: Tolerance): string[] {
  const isSame = Math.abs(now - before) <= Math.max(before * share, least)
  return isSame ? [] : [`${figure}: ${before} before, ${now} now`]
}
