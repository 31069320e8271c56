import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { NotTried, StatementGroup } from '#platform/postgres/wire/statement-group'
import {
  type QueryResult,
  type StatementOptions,
  StatementQuery,
} from '#platform/postgres/wire/statement-query'

/** How statements are sent: prepared, and alone or together. */

/** Sends a statement at once. */
export function runStatement<Row extends object>(
  client: pg.ClientBase,
  statement: Sql,
): Promise<QueryResult<Row>> {
  return client.query(new StatementQuery<Row>(statement)).answered()
}

/** Statements of this tick, by the connection that they are for. */
const waiting = new WeakMap<pg.ClientBase, StatementGroup>()

/**
 * Sends a statement together with the others of its tick: they leave in one write and are answered in one. Within a
 * transaction only: when one fails, those behind it are not tried, and fail as `isOfAborted`.
 */
export function runTogether<Row extends object>(
  client: pg.ClientBase,
  statement: Sql,
  options?: StatementOptions,
): Promise<QueryResult<Row>> {
  const query = new StatementQuery<Row>(statement, options)
  let group = waiting.get(client)
  if (group === undefined) {
    group = new StatementGroup()
    waiting.set(client, group)
    process.nextTick(sendWaiting, client)
  }
  group.add(query)
  if (group.isLarge) sendWaiting(client)
  return query.answered()
}

/** Sends what waits for the end of its tick: what is sent otherwise after this comes behind it. */
export function sendWaiting(client: pg.ClientBase): void {
  const group = waiting.get(client)
  if (group === undefined) return
  waiting.delete(client)
  client.query(group)
}

/** In a transaction that has failed; and without its text, which went with a statement that was not tried. */
const NOT_TRIED = new Set(['25P02', '26000'])

/** Whether a statement was not tried, as an earlier one of its transaction had failed. */
export function isOfAborted(error: unknown): boolean {
  if (error instanceof NotTried) return true
  return error instanceof pg.DatabaseError && error.code !== undefined && NOT_TRIED.has(error.code)
}
