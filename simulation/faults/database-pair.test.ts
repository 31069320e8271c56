import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '#platform/postgres/database'
import { openHosts } from '#platform/postgres/hosts/hosts'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { isUnreachable } from '#platform/postgres/database-errors'
import { migrate } from '#platform/postgres/migrations/migrate'
import { withOwnerConnection } from '#platform/postgres/owner-connection'
import { Client, PAYMENTS } from '../../scenarios/harness/client.ts'
import { startService } from '../../scenarios/harness/service.ts'
import { startDatabasePair } from './database-pair.ts'
import { crashByCommand } from './postmaster.ts'

const MAX_MS_UNTIL_WRITES = 15_000
const MAX_LAG_SECONDS = 2
const CUSTOMERS = `${PAYMENTS}/customers`
const pair = await startDatabasePair()
afterAll(() => pair.stop())

async function onReplica(statement: string): Promise<void> {
  await withOwnerConnection(pair.replicaUrl(), (owner) => owner.query(statement))
}

// Proves reference/operations#replicas.
test('a replica serves lists while it is fresh enough, and never hides what the caller has just written', async () => {
  const service = await startService({
    env: {
      DATABASE_URL: pair.primaryUrl(),
      DATABASE_REPLICA_URL: pair.replicaUrl(),
      REPLICA_MAX_LAG_SECONDS: String(MAX_LAG_SECONDS),
    },
  })
  try {
    const client = new Client(service.sandbox)
    const list = async (headers: Record<string, string> = {}) => {
      const reply = await client.call('GET', CUSTOMERS, undefined, { headers })
      const age = reply.headers.get('data-age')
      const customers = reply.data.customers as { uuid: string }[]
      return { age: age === null ? null : Number(age), ids: customers.map(({ uuid }) => uuid) }
    }
    const untilReplica = () => expect.poll(async () => (await list()).age).not.toBeNull()

    const first = await client.createCustomer()
    await untilReplica()
    expect((await list()).ids).toEqual([first.uuid])
    expect((await list({ 'cache-control': 'no-cache' })).age).toBeNull()
    expect((await client.call('GET', `${CUSTOMERS}/${first.uuid}`)).headers.get('data-age')).toBeNull()
    const csv = await fetch(`${service.sandbox.base_url}${CUSTOMERS}`, {
      headers: { authorization: `Bearer ${service.sandbox.api_key}`, accept: 'text/csv' },
    })
    expect([csv.headers.has('data-age'), (await csv.text()).includes(first.uuid)]).toEqual([true, true])

    await onReplica('select pg_wal_replay_pause()')
    const second = await client.createCustomer()
    expect(await list()).toEqual({ age: null, ids: [second.uuid, first.uuid] })
    await onReplica('select pg_wal_replay_resume()')
    await untilReplica()
    expect((await list()).ids).toEqual([second.uuid, first.uuid])

    await onReplica('select pg_wal_replay_pause()')
    await withOwnerConnection(pair.primaryUrl(), (owner) => owner.query('create table later ()'))
    const ages: (number | null)[] = []
    const pausedAtMs = performance.now()
    while (ages.at(-1) !== null) {
      ages.push((await list()).age)
      expect(performance.now() - pausedAtMs).toBeLessThan((MAX_LAG_SECONDS + 5) * 1000)
      await sleep(100)
    }
    expect(ages.filter((age) => age !== null && age > MAX_LAG_SECONDS)).toEqual([])
    await onReplica('select pg_wal_replay_resume()')
    await untilReplica()
  } finally {
    await service.stop()
  }
})

const businessId = 'biz_pair'

async function write(db: Database, note: string): Promise<void> {
  await db.transact(businessId, (tx) =>
    tx.execute(sql`insert into notes (business_id, note) values (${businessId}, ${note})`),
  )
}

async function notes(db: Database): Promise<string[]> {
  const rows = await db.read<{ note: string }>(businessId, sql`select note from notes order by note`)
  return rows.map(({ note }) => note)
}

// Proves reference/operations#several-hosts.
test('when the primary falls silent under load, writes go on at the other host within 15 s, and all that was acknowledged is there', async () => {
  await migrate(pair.url)
  await withOwnerConnection(pair.url, async (owner) => {
    await owner.query(`insert into business_clocks (business_id, offset_ms) values ('${businessId}', 0)`)
    await owner.query(`
      create table notes (business_id text collate "C" not null, note text not null, primary key (business_id, note));
      select quittance_tenant_table('notes')`)
  })
  const moved: string[] = []
  const db = new PlainDatabase({
    url: pair.url,
    hosts: openHosts(pair.url, (host) => moved.push(host)),
  })
  const acknowledged: string[] = []
  const refused: unknown[] = []
  const done = new AbortController()
  const workers = Array.from({ length: 4 }, async (_, worker) => {
    for (let index = 0; !done.signal.aborted; index++) {
      const note = `${worker}-${String(index).padStart(6, '0')}`
      await write(db, note).then(
        () => acknowledged.push(note),
        async (error: unknown) => {
          refused.push(error)
          await sleep(50)
        },
      )
    }
  })
  while (acknowledged.length < 20) await sleep(5)
  let lostAtMs = 0
  await pair.failOver({ hangs: true, onLost: () => (lostAtMs = performance.now()) })
  const promotedWith = acknowledged.length
  while (acknowledged.length === promotedWith) await sleep(5)
  const writesAfterMs = performance.now() - lostAtMs
  done.abort()
  await Promise.all(workers)
  const stored = new Set(await notes(db))
  await db.close()
  expect(writesAfterMs).toBeLessThan(MAX_MS_UNTIL_WRITES)
  expect(acknowledged.filter((note) => !stored.has(note))).toEqual([])
  expect(refused.filter((error) => !isUnreachable(error))).toEqual([])
  expect(moved).toHaveLength(1)
})

test('a service that starts after a failover uses the new primary', async () => {
  expect(await migrate(pair.url)).toEqual([])
})

// Proves reference/operations#durability.
test('a commit whose wait for the replica is canceled is not acknowledged, although PostgreSQL says that it succeeded', async () => {
  const db = new PlainDatabase({
    url: pair.url,
    hosts: openHosts(pair.url),
    maxConnections: 1,
    readers: 1,
  })
  const onPrimary = (statement: string) =>
    withOwnerConnection(pair.url, async (owner) => (await owner.query(statement)).rowCount)
  await write(db, 'before')
  await onPrimary(`alter system set synchronous_standby_names = 'nobody'`)
  await onPrimary('select pg_reload_conf()')
  // The setting takes effect a moment later, so the first writes may still be acknowledged.
  let outcome: unknown = 'acknowledged'
  for (let index = 0; outcome === 'acknowledged'; index++) {
    const written = write(db, `canceled-${index}`).then(
      () => 'acknowledged',
      (error: unknown) => error,
    )
    while ((await Promise.race([written, sleep(100)])) === undefined) {
      await onPrimary(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
    }
    outcome = await written
  }
  expect(outcome).toMatchObject({ code: '08007' })
  expect(isUnreachable(outcome)).toBe(true)
  await onPrimary(`alter system reset synchronous_standby_names`)
  await onPrimary('select pg_reload_conf()')
  await write(db, 'after')
  await db.close()
})

test('a crash command hits a database when a session on it is lost, and not because the command succeeds', async () => {
  const url = pair.primaryUrl()
  expect(await crashByCommand({ command: 'true', url })).toBe(false)
  const pid = await withOwnerConnection(url, async (owner) => {
    const { rows } = await owner.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
    )
    return rows[0]?.pid
  })
  expect(await crashByCommand({ command: `kill -9 ${pid}`, url })).toBe(true)
})
