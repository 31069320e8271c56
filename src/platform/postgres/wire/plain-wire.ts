import type pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { codeOf } from '#platform/thrown'
import { statementName } from '#platform/postgres/wire/statement-name'
import type { QueryResult, StatementOptions, Wire } from '#platform/postgres/wire/wire'

const IN_FAILED_TRANSACTION = '25P02'

/** The newest statement of each connection. `pg` 9 will refuse a statement while another one is under way. */
const newest = new WeakMap<pg.Client, Promise<unknown>>()

async function inTurn<Row extends object>(
  client: pg.Client,
  send: () => Promise<pg.QueryResult<Row>>,
): Promise<QueryResult<Row>> {
  const sent = Promise.resolve(newest.get(client)).then(send)
  newest.set(
    client,
    sent.catch(() => {}),
  )
  const { rows, rowCount, command } = await sent
  return { rows, count: rowCount ?? 0, command }
}

function query<Row extends object>(
  client: pg.Client,
  { text, values }: Sql,
  { isPrepared = true }: StatementOptions = {},
): Promise<QueryResult<Row>> {
  const name = isPrepared ? statementName(text) : undefined
  return inTurn(client, () => client.query<Row>({ text, values, ...(name !== undefined && { name }) }))
}

function queryAfter<Row extends object>(
  client: pg.Client,
  first: Sql,
  statement: Sql,
): Promise<QueryResult<Row>> {
  return inTurn(client, async () => {
    await client.query('begin')
    try {
      await client.query({ text: first.text, values: first.values })
      const result = await client.query<Row>({ text: statement.text, values: statement.values })
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })
}

export const plainWire: Wire = {
  clientConfig: {},
  query,
  queryInTransaction: query,
  queryAfter,
  isSkipped: (error) => codeOf(error) === IN_FAILED_TRANSACTION,
  disconnect: (client) => {
    client.end().catch(() => {})
  },
  arrayParameter: (type, elements) =>
    type === 'json' ? sql`${[...elements]}::json[]` : sql`${[...elements]}::bytea[]`,
}
