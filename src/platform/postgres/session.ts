import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { instantOf } from '#kernel/clock'
import type { TransactOptions } from '#platform/postgres/tenant-session'
import { wire } from '#platform/postgres/wire/current-wire'
import { codeOf } from '#platform/thrown'

export const SERVICE_ROLE = 'quittance_service'
/** The search path names it. Otherwise a schema with the name of the user of DATABASE_URL would come first. */
export const SCHEMA = 'public'
/** docs/operating/failover.md has the times of a failover. */
export const CONNECT_TIMEOUT_MS = 5_000
/** Node asks ten times, a second apart, so an idle connection to a lost machine ends after 15 s. */
const KEEP_ALIVE_AFTER_MS = 5_000

export const CONNECTION_CONFIG = {
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
} as const

/** A transaction has `MAX_WORK_MS` in all, so one statement must not use it up. */
export const MAX_STATEMENT_MS = 10_000
/** No transaction waits for a call to others, so one that is idle belongs to a process that hangs. */
const MAX_IDLE_IN_TRANSACTION_MS = 5_000
/** Longer than the server's own limits allow (docs/decisions/database-sessions-and-errors). */
export const MAX_RESPONSE_MS = 30_000

pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, instantOf)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text))
// Amounts are minor units in numeric columns of scale 0. Statements read other numerics with ::text.
pg.types.setTypeParser(pg.types.builtins.NUMERIC, (text) => BigInt(text))
// Documents stay text, because JSON.parse would round large numbers.
pg.types.setTypeParser(pg.types.builtins.JSON, (text) => text)
pg.types.setTypeParser(pg.types.builtins.JSONB, (text) => text)

/** Our statements rely on these, whatever DATABASE_URL or an `alter role … set` of its user says. */
const SETTINGS: Readonly<Record<string, string>> = {
  row_security: 'on',
  default_transaction_isolation: 'read committed',
  timezone: 'UTC',
  datestyle: 'ISO',
  array_nulls: 'on',
  transform_null_equals: 'off',
  statement_timeout: String(MAX_STATEMENT_MS),
  lock_timeout: '0',
  idle_in_transaction_session_timeout: String(MAX_IDLE_IN_TRANSACTION_MS),
  // Compiling costs more than running any statement of ours. With it, each rule of `verify` took a second for a few rows,
  // because PostgreSQL overestimates tables that were never analyzed.
  jit: 'off',
}

/** What a session sends before its work: at the beginning of each transaction, and before each single statement. */
export interface Entering {
  readonly statement: Sql
  transaction(client: pg.PoolClient, options: TransactOptions): Promise<void>
}

export interface SessionOptions {
  readonly entering?: Entering | undefined
  readonly searchPath?: string | undefined
  readonly role?: string | undefined
  readonly isReplica?: boolean | undefined
  readonly settings?: Readonly<Record<string, string>> | undefined
}

/** Sent as a statement, because DATABASE_URL may replace connection options and a proxy may drop them. */
export async function setUpSession(
  client: pg.Client,
  { role = SERVICE_ROLE, isReplica = false, settings: further, searchPath = SCHEMA }: SessionOptions,
): Promise<void> {
  const settings = { ...SETTINGS, ...further, role, search_path: searchPath }
  const set = wire.query<{ read_only: string }>(
    client,
    sql`select current_setting('transaction_read_only') as read_only, set_config(key, value, false)
          from json_each_text(${JSON.stringify(settings)})`,
  )
  const { rows } = await withDeadline(client, CONNECT_TIMEOUT_MS, set)
  if (rows[0]?.read_only === 'on' && !isReplica) throw new ReadOnlyDatabase()
}

const READ_ONLY = '25006'

export function isReadOnlySession(error: unknown): error is Error {
  return error instanceof Error && codeOf(error) === READ_ONLY
}

/** On a replica, or on the primary from before a failover, every write would fail and reads would return old rows. */
class ReadOnlyDatabase extends Error {
  readonly code = READ_ONLY

  constructor() {
    super('the database is read-only; DATABASE_URL must lead to the primary')
  }
}

/**
 * Awaits `sent`, and cuts the connection after `ms`. A server that vanished with its machine or network says nothing, and
 * the kernel would wait for a quarter of an hour.
 */
export async function withDeadline<T>(client: pg.Client, ms: number, sent: Promise<T>): Promise<T> {
  if (ms === Infinity) return sent
  const timer = setTimeout(() => wire.disconnect(client), ms)
  try {
    return await sent
  } finally {
    clearTimeout(timer)
  }
}
