import type pg from 'pg'
import type { Sql } from 'sql-template-tag'

/**
 * Sends statements over a connection. All knowledge of the driver's internals is behind this interface. The plain
 * implementation uses only the public interface of `pg`, and `npm run test:postgres15` proves that this is enough.
 * - `query`: Sends a statement. Statements of one connection run in the order in which they were sent.
 * - `queryInTransaction`: Sends a statement of an open transaction, or its BEGIN or COMMIT. Once a statement fails,
 *   those behind it fail with an error for which `isSkipped` is true.
 * - `queryAfter`: Sends two statements that are one transaction, and returns the result of the second, which does not run when
 *   the first fails.
 * - `isSkipped`: Whether a statement was not run because an earlier one of its transaction had failed.
 * - `disconnect`: Cuts the connection without waiting for the server. Statements under way fail.
 */
export interface Wire {
  readonly clientConfig: pg.ClientConfig

  query<Row extends object>(
    client: pg.Client,
    statement: Sql,
    options?: StatementOptions,
  ): Promise<QueryResult<Row>>

  queryInTransaction<Row extends object>(
    client: pg.Client,
    statement: Sql,
    options?: StatementOptions,
  ): Promise<QueryResult<Row>>

  queryAfter<Row extends object>(client: pg.Client, first: Sql, statement: Sql): Promise<QueryResult<Row>>

  isSkipped(error: unknown): boolean

  disconnect(client: pg.Client): void

  arrayParameter(type: ArrayType, elements: readonly (string | Uint8Array | null)[]): Sql
}

export interface QueryResult<Row> {
  readonly rows: Row[]
  readonly count: number
  readonly command: string
}

export interface StatementOptions {
  /** Default: true. False for texts that depend on callers, such as filters, because their number is unlimited. */
  readonly isPrepared?: boolean
}

export type ArrayType = 'json' | 'bytea'
