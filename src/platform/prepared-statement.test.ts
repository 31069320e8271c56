import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { runStatement } from '#platform/prepared-statement'
import { createTestDatabase } from '#platform/testing/database'

const { url } = await createTestDatabase()
const client = new pg.Client({ connectionString: url, pipeline: true })
await client.connect()
afterAll(() => client.end())

test('pipelined statements each get their own answer, also behind one that fails', async () => {
  const settled = await Promise.allSettled([
    runStatement(client, sql`select ${1}::int as one, null as nothing`),
    runStatement(client, sql`select 1 / ${0}::int`),
    runStatement(client, sql`select g as number from generate_series(1, ${3}::int) g`),
    runStatement(client, sql`create temporary table counted (id int)`),
    runStatement(client, sql`insert into counted select generate_series(1, 7)`),
    runStatement(client, sql`update counted set id = 0 where id > ${4}::int`),
  ])
  expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
    { rows: [{ one: 1, nothing: null }], count: 1 },
    'error: division by zero',
    { rows: [{ number: 1 }, { number: 2 }, { number: 3 }], count: 3 },
    { rows: [], count: 0 },
    { rows: [], count: 7 },
    { rows: [], count: 3 },
  ])
})

test('the columns of the last answer are not taken for those of another', async () => {
  const other = new pg.Client({ connectionString: url, pipeline: true })
  await other.connect()
  const read = (on: pg.Client) => runStatement(on, sql`select * from shown`)
  await client.query('create temporary table shown as select 1 as a, 2::bigint as b')
  await other.query(`create temporary table shown as select 'x' as b, 'y' as a, 'z' as c`)
  for (let round = 0; round < 2; round++) {
    expect((await read(client)).rows).toEqual([{ a: 1, b: 2n }])
    expect((await read(other)).rows).toEqual([{ a: 'y', b: 'x', c: 'z' }])
  }
  await other.end()
})

test('a value that cannot be read fails its statement alone', async () => {
  const answers = await Promise.allSettled([
    runStatement(client, sql`select 'infinity'::timestamptz as never`),
    runStatement(client, sql`select 2 as two`),
  ])
  expect(answers.map((one) => one.status)).toEqual(['rejected', 'fulfilled'])
})
