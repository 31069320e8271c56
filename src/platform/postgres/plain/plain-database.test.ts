import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/postgres/database'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { isUnreachable } from '#platform/postgres/database-errors'
import { startDatabaseProxy } from '#platform/postgres/testing/database-proxy'
import { runClock, freezeClock } from '#platform/testing/clock'
import {
  createTestBusiness,
  createTestBusinesses,
  createTestDatabase,
  untilWaiting,
} from '#platform/testing/database'

const database = await createTestDatabase({ isPlain: true })
const { db, url, admin } = database
const events = `insert into events (business_id, id, object_id, sequence, type, timestamp, data)`

// Proves reference/access#tenants.
test("transactions and reads do not see another tenant's rows", async () => {
  const mine = await createTestBusiness(database)
  const theirs = await createTestBusiness(database)
  await admin.query(`${events} values ($1, 'evt_theirs', 'o', 1, 't', now(), '{}')`, [theirs.businessId])
  const everything = sql`select id from events`
  expect(await db.transact(mine.businessId, (tx) => tx.query(everything))).toEqual([])
  expect(await db.read(mine.businessId, everything)).toEqual([])
  expect(await db.read(theirs.businessId, everything)).toEqual([{ id: 'evt_theirs' }])
  expect(await db.read(mine.businessId, everything)).toEqual([])
  expect(await db.shared.query(everything)).toEqual([])
})

test('a row of another tenant cannot be written, changed or deleted', async () => {
  const mine = await createTestBusiness(database)
  const theirs = await createTestBusiness(database)
  await admin.query(`${events} values ($1, 'evt_kept', 'o', 1, 't', now(), '{}')`, [theirs.businessId])
  await expect(
    db.transact(mine.businessId, (tx) =>
      tx.execute(sql`
        insert into events (business_id, id, object_id, sequence, type, timestamp, data)
        values (${theirs.businessId}, 'evt_forged', 'o', 2, 't', now(), '{}')`),
    ),
  ).rejects.toThrow('row-level security')
  const touched = await db.transact(mine.businessId, async (tx) => [
    await tx.execute(sql`update events set type = 'x' where business_id = ${theirs.businessId}`),
    await tx.execute(sql`delete from events where business_id = ${theirs.businessId}`),
  ])
  expect(touched).toEqual([0, 0])
})

test('role, timeouts and formats of a session do not depend on DATABASE_URL', async () => {
  const { businessId } = await createTestBusiness(database)
  const configured = new URL(url)
  const options = {
    work_mem: '5MB',
    role: 'none',
    search_path: 'pg_catalog',
    row_security: 'off',
    default_transaction_isolation: 'serializable',
    timezone: 'Asia/Kolkata',
    datestyle: 'German',
    array_nulls: 'off',
    transform_null_equals: 'on',
    statement_timeout: '0',
    lock_timeout: '1',
    jit: 'on',
  }
  configured.searchParams.set(
    'options',
    Object.entries(options)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  )
  configured.searchParams.set('idle_in_transaction_session_timeout', '99000')
  const other = new PlainDatabase({ url: configured.href, readers: 1 })
  onTestFinished(() => other.close())
  const names = [...Object.keys(options), 'idle_in_transaction_session_timeout']
  const session = sql`select name, current_setting(name) as value from unnest(${names}::text[]) name`
  const expected = {
    work_mem: '5MB',
    role: 'quittance_service',
    search_path: 'public',
    row_security: 'on',
    default_transaction_isolation: 'read committed',
    timezone: 'UTC',
    datestyle: 'ISO, DMY',
    array_nulls: 'on',
    transform_null_equals: 'off',
    statement_timeout: '10s',
    lock_timeout: '0',
    jit: 'off',
    idle_in_transaction_session_timeout: '5s',
  }
  const settingsOf = (rows: { name: string; value: string }[]) =>
    Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  expect(settingsOf(await other.transact(businessId, (tx) => tx.query(session)))).toEqual(expected)
  expect(settingsOf(await other.read(businessId, session))).toEqual(expected)
  expect(settingsOf(await other.shared.query(session))).toEqual(expected)
})

test('concurrent reads of many tenants never see rows of each other', async () => {
  const tenants = await createTestBusinesses(database, 5)
  for (const { businessId } of tenants) {
    await admin.query(`${events} values ($1, $2, 'o', 1, 't', now(), '{}')`, [businessId, businessId])
  }
  const reads = Array.from({ length: 400 }, async (_, index) => {
    const businessId = tenants[(index * 7) % tenants.length]?.businessId ?? ''
    return [businessId, await db.read<{ id: string }>(businessId, sql`select id from events`)] as const
  })
  for (const [businessId, rows] of await Promise.all(reads)) expect(rows).toEqual([{ id: businessId }])
})

test('a read fails when its tenant cannot be set', async () => {
  const { businessId } = await createTestBusiness(database)
  const seen = sql`select current_setting('quittance.business_id') as tenant`
  expect(await db.read(businessId, seen)).toEqual([{ tenant: businessId }])
  // PostgreSQL refuses to set a text with a NUL.
  const behind = await Promise.allSettled([db.read('\0', seen), db.read('\0', seen), db.read('\0', seen)])
  expect(behind.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await db.read(businessId, seen)).toEqual([{ tenant: businessId }])
})

test('a failed transaction writes nothing and its connection stays usable', async () => {
  const { businessId } = await createTestBusiness(database)
  for (let round = 0; round < 30; round++) {
    await expect(
      db.transact(businessId, async (tx) => {
        await tx.execute(sql`
          insert into events (business_id, id, object_id, sequence, type, timestamp, data)
          values (${businessId}, 'evt_gone', 'o', 1, 't', now(), '{}')`)
        await Promise.all([tx.query(sql`select 1 / 0`), tx.query(sql`select 1`)])
      }),
    ).rejects.toThrow('division by zero')
  }
  expect(await db.read(businessId, sql`select id from events`)).toEqual([])
})

test('a transaction cannot commit after swallowing the error of a statement', async () => {
  const { businessId } = await createTestBusiness(database)
  await expect(
    db.transact(businessId, (tx) => tx.query(sql`select 1 / 0`).catch(() => 'swallowed')),
  ).rejects.toThrow('rolled back')
})

test('a transaction that deadlocks is retried', async () => {
  const { businessId } = await createTestBusiness(database)
  for (const id of ['a', 'b']) {
    await admin.query(`${events} values ($1, $2, $2, 1, 't', now(), '{}')`, [businessId, id])
  }
  const lockBoth = (first: string, second: string) =>
    db.transact(businessId, async (tx) => {
      await tx.query(sql`select 1 from events where business_id = ${businessId} and id = ${first} for update`)
      await new Promise((resolve) => setTimeout(resolve, 100))
      await tx.query(
        sql`select 1 from events where business_id = ${businessId} and id = ${second} for update`,
      )
      return first
    })
  expect(await Promise.all([lockBoth('a', 'b'), lockBoth('b', 'a')])).toEqual(['a', 'b'])
})

// Proves reference/conventions#two-clocks.
test('a transaction whose clock was moved meanwhile is rolled back and retried with the new time', async () => {
  const { businessId } = await createTestBusiness(database)
  const offsets = async (work: (tx: Tx) => Promise<unknown>): Promise<(number | undefined)[]> => {
    const seen: (number | undefined)[] = []
    await db.transact(businessId, async (tx) => {
      seen.push(tx.clockOffsetMs)
      await work(tx)
    })
    return seen
  }
  const write = (tx: Tx) =>
    tx.execute(sql`
      insert into events (business_id, id, object_id, sequence, type, timestamp, data)
      values (${businessId}, ${`evt_${businessId}_${tx.clockOffsetMs}`}, 'o', 1, 't', now(), '{}')
      on conflict do nothing`)

  expect(await offsets(async () => {})).toEqual([0])
  await runClock(db, businessId, { minutes: 1 })
  expect(await offsets(write)).toEqual([0, 60_000])
  expect(await db.read(businessId, sql`select id from events`)).toEqual([{ id: `evt_${businessId}_60000` }])
  // An error at the old time is retried, too.
  await runClock(db, businessId, { minutes: 1 })
  const failing = offsets(async (tx) => {
    if (tx.clockOffsetMs === 60_000) throw new Error('too early')
  })
  expect(await failing).toEqual([60_000, 120_000])
  // A frozen clock is read before the work starts.
  await freezeClock(db, businessId, '2030-01-01T00:00:00Z')
  expect(await offsets(async () => {})).toEqual([120_000, undefined])
  await freezeClock(db, businessId, '2030-01-02T00:00:00Z')
  const at = await db.transact(businessId, async (tx) => tx.now.toString())
  expect(at).toBe('2030-01-02T00:00:00Z')
  expect(await offsets(async () => {})).toEqual([undefined])
})

test('a statement that fails after the clock was frozen is retried with the frozen time', async () => {
  const { businessId } = await createTestBusiness(database)
  await db.transact(businessId, async () => {})
  await freezeClock(db, businessId, '2030-01-01T00:00:00Z')
  const offset = await db.transact(businessId, async (tx) => {
    if (tx.clockOffsetMs !== undefined) await tx.query(sql`select 1 / 0`)
    return tx.clockOffsetMs
  })
  expect(offset).toBeUndefined()
})

test("a transaction's time is the business's clock", async () => {
  const dayMs = 86_400_000
  const { businessId } = await createTestBusiness(database, { offsetMs: 10 * dayMs })
  const ahead = await db.transact(businessId, async (tx) => tx.now.epochMilliseconds - Date.now())
  expect(Math.abs(ahead - 10 * dayMs)).toBeLessThan(60_000)
})

test('a connection that dies in the middle of a transaction fails that transaction and not the process', async () => {
  const { businessId } = await createTestBusiness(database)
  const pause = () => new Promise((resolve) => setTimeout(resolve, 100))
  const cut = db.transact(businessId, async (tx) => {
    const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await admin.query('select pg_terminate_backend($1)', [row?.pid])
    // No statement is under way, so only the connection itself reports its end.
    await pause()
    return tx.query(sql`select 1`)
  })
  await expect(cut).rejects.toThrow(/not queryable|terminat/)
  expect(await db.transact(businessId, (tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }])
})

test('a deferred statement commits with the rest, and its error fails the transaction', async () => {
  const { businessId } = await createTestBusiness(database)
  const insert = (id: string) => sql`
    insert into events (business_id, id, object_id, sequence, type, timestamp, data)
    values (${businessId}, ${id}, ${id}, 1, 't', now(), '{}')`
  await db.transact(businessId, async (tx) => {
    tx.defer(tx.execute(insert('evt_left')))
    tx.defer(tx.execute(insert('evt_too')))
  })
  const failing = db.transact(businessId, async (tx) => {
    tx.defer(tx.execute(insert('evt_gone')))
    tx.defer(tx.execute(insert('evt_left')))
    tx.defer(tx.execute(insert('evt_after')))
  })
  await expect(failing).rejects.toThrow('events_object_sequence')
  const stored = await db.read(businessId, sql`select id from events order by id`)
  expect(stored).toEqual([{ id: 'evt_left' }, { id: 'evt_too' }])
})

test('a transaction fails with the error of the statement that failed first', async () => {
  const { businessId } = await createTestBusiness(database)
  const insert = sql`
    insert into events (business_id, id, object_id, sequence, type, timestamp, data)
    values (${businessId}, 'evt_twice', 'evt_twice', 1, 't', now(), '{}')`
  await db.transact(businessId, (tx) => tx.execute(insert))
  const delayed = async (sent: Promise<unknown>) => {
    await sent.finally(() => {})
  }
  const deferring = db.transact(businessId, async (tx) => {
    tx.defer(delayed(delayed(tx.execute(insert))))
    tx.defer(tx.query(sql`select 1`))
  })
  await expect(deferring).rejects.toThrow('events_object_sequence')
  const awaiting = db.transact(businessId, async (tx) => {
    tx.defer(tx.execute(insert))
    await tx.query(sql`select 1`)
  })
  await expect(awaiting).rejects.toThrow('events_object_sequence')
  // A statement that was skipped has not been prepared either.
  const following = db.transact(businessId, async (tx) => {
    tx.defer(tx.execute(insert))
    tx.defer(tx.query(sql`select 'never sent before' as text`))
    await setImmediate()
    await tx.query(sql`select 'never sent before' as text`)
  })
  await expect(following).rejects.toThrow('events_object_sequence')
})

test('statements that are under way when the work fails are rolled back', async () => {
  const { businessId } = await createTestBusiness(database)
  const single = new PlainDatabase({ url, maxConnections: 1, readers: 1 })
  onTestFinished(() => single.close())
  // A session setting, because row-level security would hide a row that was written after the rollback.
  const mark = (text: string) => sql`select set_config('application_name', ${text}, false)`
  await single.transact(businessId, (tx) => tx.query(mark('before')))
  for (const rounds of [0, 1, 2]) {
    const failing = single.transact(businessId, async (tx) => {
      for (let round = 0; round < rounds; round++) await tx.query(sql`select 1 as one`)
      tx.defer(tx.query(mark('undone')))
      throw new Error('work failed')
    })
    await expect(failing).rejects.toThrow('work failed')
  }
  const read = sql`select current_setting('application_name') as mark`
  expect(await single.transact(businessId, (tx) => tx.query(read))).toEqual([{ mark: 'before' }])
})

test('a statement after the end of its transaction is refused', async () => {
  const { businessId } = await createTestBusiness(database)
  let kept: Tx | undefined
  const committed = await db.transact(businessId, async (tx) => tx)
  const failed = db.transact(businessId, async (tx) => {
    kept = tx
    throw new Error('changed its mind')
  })
  await expect(failed).rejects.toThrow('changed its mind')
  await expect(committed.query(sql`select 1`)).rejects.toThrow('after the end')
  await expect(kept?.query(sql`select 1`)).rejects.toThrow('after the end')
})

test('a transaction that takes too long is rolled back and retried, and fails in the end', async () => {
  const { businessId } = await createTestBusiness(database)
  const clock = vi.spyOn(Date, 'now')
  onTestFinished(() => clock.mockRestore())
  const insert = (tx: Tx, id: string) =>
    tx.execute(sql`
      insert into events (business_id, id, object_id, sequence, type, timestamp, data)
      values (${businessId}, ${id}, ${id}, 1, 't', now(), '{}')`)
  let tries = 0
  const slow = (times: number) =>
    db.transact(businessId, async (tx) => {
      await insert(tx, `evt_${++tries}`)
      if (tries <= times) clock.mockReturnValue(Date.now() + 15_001)
    })
  await slow(1)
  expect(await db.read(businessId, sql`select id from events`)).toEqual([{ id: 'evt_2' }])
  await expect(slow(Infinity)).rejects.toThrow('took too long')
  expect(await db.read(businessId, sql`select id from events`)).toEqual([{ id: 'evt_2' }])
})

test('a search that PostgreSQL cancels fails with search_too_slow; any other transaction keeps the error', async () => {
  const { businessId } = await createTestBusiness(database)
  // A statement_timeout has the same effect.
  const cancel = async () => {
    await untilWaiting(admin, 1)
    await admin.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  }
  await admin.query('begin')
  await admin.query('lock table events in access exclusive mode')
  const read = (tx: Tx) => tx.query(sql`select id from events`)
  const searched = db.transact(businessId, read, { isSearch: true }).catch((error: unknown) => error)
  await cancel()
  expect(await searched).toMatchObject({ reason: 'search_too_slow', status: 503 })
  const other = db.transact(businessId, read).catch((error: unknown) => error)
  await cancel()
  // The front door turns this code into a 503 that may be retried unchanged.
  expect(await other).toMatchObject({ code: '57014' })
  await admin.query('rollback')
})

test("a search for a value that nobody has reads the tenant's rows by their index", async () => {
  const { businessId } = await createTestBusiness(database)
  await admin.query('analyze business_clocks')
  const explain = sql`explain select * from business_clocks where business_id = ${businessId} and offset_ms = 7`
  const plan = async (isSearch: boolean) =>
    JSON.stringify(await db.transact(businessId, (tx) => tx.query(explain), { isSearch }))
  expect(await plan(false)).toContain('Seq Scan')
  expect(await plan(true)).toContain('Index Scan')
})

test("a tenant's searches run two at a time without delaying others, and too many are refused", async () => {
  const mine = await createTestBusiness(database)
  const theirs = await createTestBusiness(database)
  await admin.query('begin')
  await admin.query('select pg_advisory_xact_lock(7)')
  const search = (businessId: string, statement: Sql) =>
    db.transact(businessId, (tx) => tx.query(statement), { isSearch: true })
  const slow = sql`select 1 as found from pg_advisory_xact_lock_shared(7)`
  const searches = Array.from({ length: 202 }, () => search(mine.businessId, slow))
  await untilWaiting(admin, 2)
  await expect(search(mine.businessId, slow)).rejects.toMatchObject({ status: 429 })
  expect(await search(theirs.businessId, sql`select 2 as found`)).toEqual([{ found: 2 }])
  await untilWaiting(admin, 2)
  await admin.query('commit')
  expect(new Set((await Promise.all(searches)).flat().map((row) => JSON.stringify(row)))).toEqual(
    new Set(['{"found":1}']),
  )
})

test('reads and transactions do not wait forever for a server that never replies', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const lost = new PlainDatabase({ url: `postgres://x@127.0.0.1:${port}/x`, readers: 1 })
  onTestFinished(async () => {
    await lost.close()
    silent.close()
  })
  const tried = [lost.read('biz_1', sql`select 1`), lost.transact('biz_1', async () => {})]
  for (const { reason } of (await Promise.allSettled(tried)) as PromiseRejectedResult[]) {
    expect(isUnreachable(reason)).toBe(true)
  }
})

test('a read-only database counts as unreachable', async () => {
  const configured = new URL(url)
  configured.searchParams.set('options', '-c default_transaction_read_only=on')
  const replica = new PlainDatabase({ url: configured.href, readers: 1 })
  onTestFinished(() => replica.close())
  const tried = await Promise.allSettled([
    replica.read('biz_1', sql`select 1`),
    replica.transact('biz_1', async () => {}),
    replica.shared.query(sql`select 1`),
  ])
  for (const { reason } of tried as PromiseRejectedResult[]) {
    expect(isUnreachable(reason)).toBe(true)
  }
})

test('connections to a vanished server are cut after 30 s, and the server is found again', async () => {
  const { businessId } = await createTestBusiness(database)
  const proxy = await startDatabaseProxy(url)
  const far = new PlainDatabase({ url: proxy.url, readers: 1, maxConnections: 2 })
  onTestFinished(() => far.close())
  const one = sql`select 1 as one`
  const queryAll = () =>
    Promise.allSettled([
      far.read(businessId, one),
      far.transact(businessId, (tx) => tx.query(one)),
      far.shared.query(one),
    ])
  await queryAll()
  proxy.fallSilent()
  proxy.restore()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const queried = queryAll()
  await vi.advanceTimersByTimeAsync(30_000)
  for (const { reason } of (await queried) as PromiseRejectedResult[]) {
    expect(isUnreachable(reason)).toBe(true)
  }
  vi.useRealTimers()
  for (const { value } of (await queryAll()) as PromiseFulfilledResult<object[]>[])
    expect(value).toEqual([{ one: 1 }])
})
