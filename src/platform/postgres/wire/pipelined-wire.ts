import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { binaryArray } from '#platform/postgres/wire/parameters'
import { SkippedStatement, StatementGroup } from '#platform/postgres/wire/statement-group'
import { StatementQuery } from '#platform/postgres/wire/statement-query'
import type { QueryResult, StatementOptions, Wire } from '#platform/postgres/wire/wire'

const SKIPPED = new Set(['25P02', '26000'])

const groups = new WeakMap<pg.Client, StatementGroup>()
const corked = new WeakSet<pg.Client>()

function query<Row extends object>(
  client: pg.Client,
  statement: Sql,
  options?: StatementOptions,
): Promise<QueryResult<Row>> {
  sendGroup(client)
  cork(client)
  return client.query(new StatementQuery<Row>(statement, options)).result()
}

function queryInTransaction<Row extends object>(
  client: pg.Client,
  statement: Sql,
  options?: StatementOptions,
): Promise<QueryResult<Row>> {
  const one = new StatementQuery<Row>(statement, options)
  let group = groups.get(client)
  if (group === undefined) {
    group = new StatementGroup()
    groups.set(client, group)
    process.nextTick(sendGroup, client)
  }
  group.add(one)
  if (group.isLarge) sendGroup(client)
  return one.result()
}

async function queryAfter<Row extends object>(
  client: pg.Client,
  first: Sql,
  statement: Sql,
): Promise<QueryResult<Row>> {
  sendGroup(client)
  cork(client)
  const [before, one] = [new StatementQuery(first), new StatementQuery<Row>(statement)]
  const group = new StatementGroup({ isTransaction: true })
  group.add(before)
  group.add(one)
  client.query(group)
  const [, result] = await Promise.all([before.result(), one.result()])
  return result
}

function sendGroup(client: pg.Client): void {
  const group = groups.get(client)
  if (group === undefined) return
  groups.delete(client)
  client.query(group)
}

/**
 * Joins what one turn of the event loop sends, because a write to a socket costs as much as preparing the statement, and each
 * write wakes the server up.
 */
function cork(client: pg.Client): void {
  if (corked.has(client)) return
  corked.add(client)
  const { stream } = client.connection
  stream.cork()
  setImmediate(() => {
    corked.delete(client)
    stream.uncork()
  })
}

export const pipelinedWire: Wire = {
  clientConfig: { pipeline: true },
  query,
  queryInTransaction,
  queryAfter,
  isSkipped: (error) =>
    error instanceof SkippedStatement ||
    (error instanceof pg.DatabaseError && error.code !== undefined && SKIPPED.has(error.code)),
  disconnect: (client) => {
    client.connection.stream.destroy(new Error('Connection terminated: the database does not answer'))
  },
  arrayParameter: binaryArray,
}
