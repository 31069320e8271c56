import type { Sql } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import { MAX_STATEMENT_MS } from '#platform/postgres/session'
import { MAX_WORK_MS, type TransactOptions } from '#platform/postgres/tenant-session'

export type { TransactOptions }

/**
 * What modules know of the database. `plain/` is one PostgreSQL; `replicas/` and `citus/` wrap it, and `hosts/` finds which
 * of several hosts takes writes.
 */
export interface Database extends DatabaseState {
  /**
   * Runs `work` in one transaction and commits it. `work` runs again after a deadlock, a serialization failure, a timeout or
   * a moved clock, so it must touch nothing but the database.
   */
  transact<T>(businessId: string, work: (tx: Tx) => Promise<T>, options?: TransactOptions): Promise<T>
  read<Row extends object>(businessId: string, statement: Sql): Promise<Row[]>
  /**
   * Runs one writing statement that commits by itself, whatever happens to the transaction that the caller has open. It
   * must not wait for locks that are held for long, because reads on the same connection wait behind it.
   */
  autocommit<Row extends object>(businessId: string, statement: Sql): Promise<Row[]>
  readAllTenants<Row extends object>(statement: StatementOfAllTenants): Promise<RowsOfNodes<Row>>
  /** Runs a statement without parameters on every server that has tables. */
  onAllNodes(text: string): Promise<void>
  readonly shared: SharedDatabase
  close(): Promise<void>
}

/**
 * A transaction inside one business. Row-level security (migrations/0001_tenants) hides the rows of every other business. Never
 * keep a `Tx` after its transaction has ended.
 * - `now`: The business's clock when the transaction began. While the clock is being advanced, the moment at which it
 *   stands.
 * - `defer`: Defers the wait for a statement to the commit, because nobody needs its result earlier. This saves a
 *   round trip. If the statement fails, the transaction fails with the same error. The promise must not send further
 *   statements.
 */
export interface Tx {
  readonly businessId: string
  readonly now: Instant
  readonly clockOffsetMs: number | undefined
  query<Row extends object>(statement: Sql): Promise<Row[]>
  execute(statement: Sql): Promise<number>
  defer(sent: Promise<unknown>): void
}

export interface SharedStatements {
  query<Row extends object>(statement: Sql): Promise<Row[]>
}

export interface SharedDatabase extends SharedStatements {
  autocommit<Row extends object>(statement: Sql): Promise<Row[]>
}

/**
 * A statement that reads tables without row-level security, for all tenants. It may run once for each part of the tables
 * (`citus/`). So its groups, its order and its limit apply to one part.
 * - `tables`: The tables that it names.
 * - `text`: The statement, with the names that the tables have where it runs.
 */
export interface StatementOfAllTenants {
  readonly tables: readonly string[]
  readonly text: (table: (name: string) => Sql) => Sql
}

export interface RowsOfNodes<Row> {
  readonly rows: Row[]
  readonly failures: readonly unknown[]
}

interface DatabaseState {
  readonly transactionsCommitted: number
  readonly readAllTenantsEveryMs: number
  readonly isDiskFull: boolean
  connections(): ConnectionCounts
  onTransaction(observe: (durationMs: number) => void): void
}

export interface ConnectionCounts {
  readonly busy: number
  readonly idle: number
  readonly waiting: number
}

/** COMMIT may wait for a deferred statement. */
export const MAX_COMMIT_MS = MAX_STATEMENT_MS + 5_000
/** No transaction outlives this. The job runner relies on it to find work that a slow transaction has scheduled. */
export const MAX_TRANSACTION_MS = MAX_WORK_MS + MAX_COMMIT_MS
