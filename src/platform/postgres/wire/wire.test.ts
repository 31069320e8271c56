import pg from 'pg'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { pipelinedWire } from '#platform/postgres/wire/pipelined-wire'
import { plainWire } from '#platform/postgres/wire/plain-wire'
import type { Wire } from '#platform/postgres/wire/wire'
import { cleanUp } from '#platform/testing/clean-up'
import { createTestDatabase, untilWaiting } from '#platform/testing/database'

const { url, admin } = await createTestDatabase({ isPlain: true })

async function connect(wire: Wire): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, ...wire.clientConfig })
  client.on('error', () => {})
  await client.connect()
  cleanUp(() => client.end())
  return client
}

describe.each([
  ['the pipelined wire', pipelinedWire],
  ['the plain wire', plainWire],
])('%s', async (_name, wire) => {
  const client = await connect(wire)

  test('each statement gets its own result, also behind a statement that fails', async () => {
    const settled = await Promise.allSettled([
      wire.query(client, sql`select ${1}::int as one, null as nothing`),
      wire.query(client, sql`select 1 / ${0}::int`),
      wire.query(client, sql`select g as number from generate_series(1, ${3}::int) g`),
      wire.query(client, sql`create temporary table counted (id int)`),
      wire.query(client, sql`insert into counted select generate_series(1, 7)`),
      wire.query(client, sql`update counted set id = 0 where id > ${4}::int`, { isPrepared: false }),
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

  test('a statement after another is one transaction with it, and does not run when that one fails', async () => {
    await client.query('create temporary table entered (id int)')
    const enter = (id: number) => sql`insert into entered values (${id}::int)`
    const fail = sql`select 1 / ${0}::int`
    const settled = await Promise.allSettled([
      wire.queryAfter(client, fail, enter(1)),
      wire.queryAfter(client, enter(2), sql`select id from entered`),
      wire.queryAfter(client, enter(3), fail),
      wire.query(client, sql`select id from entered`),
    ])
    expect(settled.map((one) => (one.status === 'fulfilled' ? one.value.rows : String(one.reason)))).toEqual([
      'error: division by zero',
      [{ id: 2 }],
      'error: division by zero',
      [{ id: 2 }],
    ])
  })

  test('a statement after another fails when their transaction cannot commit', async () => {
    await client.query('create temporary table once (id int unique deferrable initially deferred)')
    const add = sql`insert into once values (1)`
    await expect(wire.queryAfter(client, add, add)).rejects.toThrow('duplicate key')
    await expect(wire.queryAfter(client, add, sql`select id from once`)).resolves.toMatchObject({ count: 1 })
  })

  test('the same text on another connection may have other columns', async () => {
    const other = await connect(wire)
    await client.query('create temporary table shown as select 1 as a, 2::bigint as b')
    await other.query(`create temporary table shown as select 'x' as b, 'y' as a, 'z' as c`)
    for (let round = 0; round < 2; round++) {
      expect((await wire.query(client, sql`select * from shown`)).rows).toEqual([{ a: 1, b: 2n }])
      expect((await wire.query(other, sql`select * from shown`)).rows).toEqual([{ a: 'y', b: 'x', c: 'z' }])
    }
  })

  test('a value that cannot be parsed fails its own statement only', async () => {
    const results = await Promise.allSettled([
      wire.query(client, sql`select 'infinity'::timestamptz as never`),
      wire.query(client, sql`select 2 as two`),
    ])
    expect(results.map((one) => one.status)).toEqual(['rejected', 'fulfilled'])
  })

  test('a statement that is cancelled before it was prepared does not fail other statements with the same text', async () => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await admin.query('begin')
    await admin.query('lock table events in access exclusive mode')
    const sent = Promise.allSettled(
      Array.from({ length: 3 }, () => wire.query(client, sql`select count(*) as seen from events`)),
    )
    await untilWaiting(admin, 1)
    await admin.query('select pg_cancel_backend($1)', [rows[0]?.pid])
    const unlocked = admin.query('rollback')
    const [cancelled, ...others] = await sent
    await unlocked
    expect(cancelled).toMatchObject({ status: 'rejected', reason: { code: '57014' } })
    for (const one of others)
      expect(one).toMatchObject({ status: 'fulfilled', value: { rows: [{ seen: 0n }] } })
  })

  test('each statement of a transaction gets its own result when all are sent in one tick', async () => {
    const large = 'x'.repeat(20_000)
    for (let round = 0; round < 2; round++) {
      const results = await Promise.all([
        wire.queryInTransaction(client, sql`begin`),
        wire.queryInTransaction(client, sql`create temporary table kept (id int) on commit drop`),
        wire.queryInTransaction(client, sql`insert into kept select generate_series(1, ${5}::int)`),
        wire.queryInTransaction(client, sql`select ${large}::text as large`),
        wire.queryInTransaction(client, sql`select id from kept where id > ${3}::int order by id`),
        wire.queryInTransaction(client, sql`commit`),
      ])
      expect(results.map(({ command, count }) => `${command} ${count}`)).toEqual([
        'BEGIN 0',
        'CREATE 0',
        'INSERT 5',
        'SELECT 1',
        'SELECT 2',
        'COMMIT 0',
      ])
      expect(results.flatMap(({ rows }) => rows)).toEqual([{ large }, { id: 4 }, { id: 5 }])
    }
  })

  test('statements behind one that fails are skipped, and can be sent again after a rollback', async () => {
    const later = sql`select ${'later'}::text as later`
    const failing = [
      [sql`select 2 / ${0}::int as never`, 'division by zero'],
      [sql`select * from nowhere`, 'relation "nowhere" does not exist'],
      [sql`select ${'a'}::int as never`, 'invalid input syntax for type integer: "a"'],
    ] as const
    for (const [statement, message] of [...failing, ...failing]) {
      const sent = [sql`begin`, sql`select 1 as first`, statement, later, later]
      const [begun, first, failed, ...behind] = await Promise.allSettled(
        sent.map((one) => wire.queryInTransaction(client, one)),
      )
      expect([begun?.status, first?.status]).toEqual(['fulfilled', 'fulfilled'])
      expect(failed).toMatchObject({ status: 'rejected', reason: { message } })
      for (const one of behind) expect(one.status === 'rejected' && wire.isSkipped(one.reason)).toBe(true)
      const [refused] = await Promise.allSettled([wire.queryInTransaction(client, later)])
      expect(refused.status === 'rejected' && wire.isSkipped(refused.reason)).toBe(true)
      await wire.query(client, sql`rollback`)
      expect((await wire.queryInTransaction(client, later)).rows).toEqual([{ later: 'later' }])
    }
  })

  test('a rollback runs behind the statements that were sent in the same tick', async () => {
    await wire.query(client, sql`create temporary table written (id int)`)
    await Promise.all([
      wire.queryInTransaction(client, sql`begin`),
      wire.queryInTransaction(client, sql`insert into written values (1)`),
      wire.query(client, sql`rollback`),
    ])
    expect((await wire.query(client, sql`select id from written`)).rows).toEqual([])
  })

  test('a disconnected client fails all its statements, and none of them counts as skipped', async () => {
    const lost = await connect(wire)
    const { rows } = await lost.query<{ pid: number }>('select pg_backend_pid() as pid')
    const sent = [sql`begin`, sql`select pg_sleep(10)`, sql`select 1 as one`, sql`commit`]
    const results = Promise.allSettled(sent.map((one) => wire.queryInTransaction(lost, one)))
    await untilSleeping(rows[0]?.pid)
    wire.disconnect(lost)
    const settled = await results
    for (const one of settled.slice(1))
      expect(one.status === 'rejected' && !wire.isSkipped(one.reason)).toBe(true)
  })
})

test('the pipelined wire does not run a COMMIT that was sent together with a failing statement', async () => {
  const client = await connect(pipelinedWire)
  const [, failed, committed] = await Promise.allSettled([
    pipelinedWire.queryInTransaction(client, sql`begin`),
    pipelinedWire.queryInTransaction(client, sql`select 1 / 0`),
    pipelinedWire.queryInTransaction(client, sql`commit`),
  ])
  expect(failed.status).toBe('rejected')
  expect(committed.status === 'rejected' && pipelinedWire.isSkipped(committed.reason)).toBe(true)
})

async function untilSleeping(pid: number | undefined): Promise<void> {
  await expect
    .poll(async () => {
      const { rowCount } = await admin.query(
        `select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'`,
        [pid],
      )
      return rowCount
    })
    .toBe(1)
}
