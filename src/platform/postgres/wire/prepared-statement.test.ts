import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import {
  isOfAborted,
  runStatement,
  runTogether,
  sendWaiting,
} from '#platform/postgres/wire/prepared-statement'
import { createTestDatabase, untilWaiting } from '#platform/testing/database'

const { url, admin } = await createTestDatabase()
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
    { rows: [{ one: 1, nothing: null }], count: 1, command: 'SELECT' },
    'error: division by zero',
    { rows: [{ number: 1 }, { number: 2 }, { number: 3 }], count: 3, command: 'SELECT' },
    { rows: [], count: 0, command: 'CREATE' },
    { rows: [], count: 7, command: 'INSERT' },
    { rows: [], count: 3, command: 'UPDATE' },
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

test('a statement sent alone does not fail as another of the same text was given up before it was prepared', async () => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await admin.query('begin')
  await admin.query('lock table events in access exclusive mode')
  const sent = Promise.allSettled(
    Array.from({ length: 3 }, () => runStatement(client, sql`select count(*) as seen from events`)),
  )
  await untilWaiting(admin, 1)
  await admin.query('select pg_cancel_backend($1)', [rows[0]?.pid])
  const others = admin.query('rollback')
  const [cancelled, ...behind] = await sent
  await others
  expect(cancelled).toMatchObject({ status: 'rejected', reason: { code: '57014' } })
  for (const one of behind)
    expect(one).toMatchObject({ status: 'fulfilled', value: { rows: [{ seen: 0n }] } })
})

test('statements of one tick are answered together, each with its own', async () => {
  const large = 'x'.repeat(20_000)
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all([
      runTogether(client, sql`begin`),
      runTogether(client, sql`create temporary table kept (id int) on commit drop`),
      runTogether(client, sql`insert into kept select generate_series(1, ${5}::int)`),
      runTogether(client, sql`select ${large}::text as large`),
      runTogether(client, sql`select id from kept where id > ${3}::int order by id`),
      runTogether(client, sql`commit`),
    ])
    expect(answers.map(({ command, count }) => `${command} ${count}`)).toEqual([
      'BEGIN 0',
      'CREATE 0',
      'INSERT 5',
      'SELECT 1',
      'SELECT 2',
      'COMMIT 0',
    ])
    expect(answers.flatMap(({ rows }) => rows)).toEqual([{ large }, { id: 4 }, { id: 5 }])
  }
})

test('of statements sent together, those behind one that fails are not tried, and can be sent again', async () => {
  const later = sql`select ${'later'}::text as later`
  const failing = [
    [sql`select 2 / ${0}::int as never`, 'division by zero'],
    [sql`select * from nowhere`, 'relation "nowhere" does not exist'],
    [sql`select ${'a'}::int as never`, 'invalid input syntax for type integer: "a"'],
  ] as const
  for (const [statement, message] of [...failing, ...failing]) {
    const sent = [sql`begin`, sql`select 1 as first`, statement, later, sql`commit`]
    const [begun, first, failed, ...behind] = await Promise.allSettled(
      sent.map((one) => runTogether(client, one)),
    )
    expect([begun?.status, first?.status]).toEqual(['fulfilled', 'fulfilled'])
    expect(failed).toMatchObject({ status: 'rejected', reason: { message } })
    for (const one of behind) expect(one.status === 'rejected' && isOfAborted(one.reason)).toBe(true)
    // The transaction is still open, and takes nothing but its end.
    const [refused] = await Promise.allSettled([runTogether(client, later)])
    expect(refused.status === 'rejected' && isOfAborted(refused.reason)).toBe(true)
    await client.query('rollback')
    expect((await runTogether(client, later)).rows).toEqual([{ later: 'later' }])
  }
})

test('what waits for the end of its tick can be sent before something else', async () => {
  await client.query('create temporary table written (id int)')
  const sent = Promise.all([
    runTogether(client, sql`begin`),
    runTogether(client, sql`insert into written values (1)`),
  ])
  sendWaiting(client)
  await Promise.all([client.query('rollback'), sent])
  expect((await runStatement(client, sql`select id from written`)).rows).toEqual([])
})

test('a connection that is lost fails all that was sent over it with its own error', async () => {
  const lost = new pg.Client({ connectionString: url, pipeline: true })
  await lost.connect()
  lost.on('error', () => {})
  const sent = [sql`begin`, sql`select pg_sleep(10)`, sql`select 1 as one`, sql`commit`]
  const answers = Promise.allSettled(sent.map((one) => runTogether(lost, one)))
  sendWaiting(lost)
  lost.connection.stream.destroy(new Error('cut'))
  const settled = await answers
  expect(settled.every((one) => one.status === 'rejected' && !isOfAborted(one.reason))).toBe(true)
})
