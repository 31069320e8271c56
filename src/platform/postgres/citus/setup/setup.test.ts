import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import sql from 'sql-template-tag'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { newId } from '#kernel/ids'
import { urlOnHost } from '#platform/postgres/hosts/host-list'
import { migrate } from '#platform/postgres/migrations/migrate'
import {
  MIGRATIONS_DIRECTORY,
  newestMigration,
  readMigrationFiles,
} from '#platform/postgres/migrations/migration-files'
import { codeOf } from '#platform/thrown'
import {
  createEmptyDatabase,
  createTestBusiness,
  createTestDatabase,
  type TestDatabase,
} from '#platform/testing/database'
import { onServer, withDatabase } from '#platform/testing/postgres'
import { eventually } from '#platform/testing/until'
import { openDatabase } from '#platform/postgres/open-database'
import { type Placement, placementOf } from '../tenant-nodes.ts'

const TAKES_MINUTES = { timeout: 600_000 }

// Proves reference/operations#citus.
describe.skipIf(process.env['CITUS_URL'] === undefined)('setting up and changing Citus', async () => {
  const database = process.env['CITUS_URL'] === undefined ? undefined : await createTestDatabase()
  const { db, admin, url } = database ?? ({} as TestDatabase)

  async function connectTo(target: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: target })
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }

  async function placeOf(businessId: string): Promise<Placement> {
    const { rows } = await admin.query<Placement>(placementOf(businessId))
    const [place] = rows
    if (place === undefined) throw new Error('a tenant has a shard')
    return place
  }

  const insertKey = (businessId: string, id: string) => sql`
    insert into idempotency_keys (business_id, app_id, endpoint, key, id, fingerprint, created_at)
    values (${businessId}, 'app', 'e', ${id}, ${id}, 'f', now())`

  test(
    'an owner who is no superuser is shown what a superuser must run on which node before anything is written, and then migrates',
    TAKES_MINUTES,
    async () => {
      const empty = await createEmptyDatabase()
      const owner = newId('owner')
      const onNode = (node: string, statements: string) =>
        onServer(node, async (client) => {
          for (const statement of statements.split('; ')) await client.query(statement)
        })
      const nodes = inject('citusNodes').map(({ host, port }) => ({
        name: `${host}:${port}`,
        url: urlOnHost(empty, host, port),
      }))
      const onThisNode = 'set citus.enable_create_role_propagation to off'
      for (const node of nodes) await onNode(node.url, `${onThisNode}; create role ${owner} login`)
      const asOwner = new URL(empty)
      asOwner.username = owner
      const refusal = await migrate(asOwner.href).catch((error: unknown) => error)
      const coordinator = await connectTo(empty)
      const { rowCount } = await coordinator.query(
        `select from pg_class where relnamespace = 'public'::regnamespace and relname in ('migration_gate', 'schema_migrations')`,
      )
      expect(rowCount).toBe(0)
      for (const node of nodes) {
        const statements = new RegExp(`A superuser must run on ${node.name}: (.+?)\\.(?: A |$)`).exec(
          String(refusal),
        )?.[1]
        expect(statements).toContain(`owner to ${owner}`)
        await onNode(node.url, statements ?? '')
      }
      expect((await migrate(asOwner.href)).length).toBeGreaterThan(10)
      const grown = await openDatabase({ url: asOwner.href, readers: 1 })
      onTestFinished(() => grown.close())
      const { businessId } = await createTestBusiness({ db: grown, url: empty, admin: coordinator })
      await grown.transact(businessId, (tx) => tx.execute(insertKey(businessId, 'kept')))
      expect(await grown.read(businessId, sql`select id from idempotency_keys`)).toEqual([{ id: 'kept' }])
    },
  )

  test(
    'a distributed database of the first migrations of this draft runs all later ones',
    TAKES_MINUTES,
    async () => {
      const empty = await createEmptyDatabase()
      const directory = await mkdtemp(join(tmpdir(), 'quittance-migrations-'))
      onTestFinished(() => rm(directory, { recursive: true }))
      const files = (await readMigrationFiles()).filter(({ name }) => name <= '0022_first_statistics')
      for (const { name, text } of files) await writeFile(join(directory, `${name}.sql`), text)
      expect(await migrate(empty, { directory })).toHaveLength(22)
      const coordinator = await connectTo(empty)
      const { rows: placed } = await coordinator.query(`select from pg_dist_partition`)
      expect(placed.length).toBeGreaterThan(50)
      const { businessId } = await createTestBusiness({ url: empty, db, admin: coordinator })
      await coordinator.query(
        `insert into customers (business_id, uuid, reference_number, name, phone, created_at, updated_at) values ($1, 'c', 'c', 'Ann', '', now(), now())`,
        [businessId],
      )
      const days = { far: 60, near: 10, late: 5 }
      for (const [token, left] of Object.entries(days)) {
        await coordinator.query(
          `insert into payment_tokens (business_id, token, customer_uuid, token_type, state, verify_uuid, brand, last_4, sealed_number,
                                     expires_at, created_at, updated_at)
         values ($1, $2, 'c', 'CreditCard', 'active', $2, 'visa', '1111', 'sealed', now() + $3 * interval '1 day', now(), now())`,
          [businessId, token, left],
        )
      }
      expect((await migrate(empty)).length).toBeGreaterThan(20)
      const { rows } = await coordinator.query(
        `select token, (expires_at - expiry_notice_at)::text as before from payment_tokens where business_id = $1 order by token`,
        [businessId],
      )
      expect(rows).toEqual([
        { token: 'far', before: '30 days' },
        { token: 'late', before: null },
        { token: 'near', before: '7 days' },
      ])
      const lists = `select placement, partmethod::text from placements join pg_dist_partition on logicalrelid = name::regclass where name = 'user_list_settings'`
      expect((await coordinator.query(lists)).rows).toEqual([{ placement: 'coordinator', partmethod: 'n' }])
    },
  )

  test('a coordinator without nodes is asked to name them, and is not called a worker', async () => {
    const name = newId('alone')
    const server = inject('postgresUrl')
    await onServer(server, (client) => client.query(`create database ${name}`))
    onTestFinished(() =>
      onServer(server, async (client) => void (await client.query(`drop database ${name} with (force)`))),
    )
    const alone = withDatabase(server, name)
    await onServer(alone, (client) => client.query('create extension citus'))
    await expect(migrate(alone)).rejects.toThrow(
      /^Citus knows no nodes: on the coordinator, run "select citus_set_coordinator_host\('its name', its port\)"/,
    )
  })

  async function migrateWith(name: string, text: string): Promise<string[]> {
    const directory = await mkdtemp(join(tmpdir(), 'quittance-migrations-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    await cp(MIGRATIONS_DIRECTORY, directory, { recursive: true })
    await writeFile(join(directory, `${name}.sql`), `-- Up Migration\n\n${text}\n`)
    const ran = await migrate(url, { directory })
    await admin.query('delete from schema_migrations where name = $1', [name])
    await admin.query('delete from ran_migrations where name = $1', [name])
    return ran
  }

  test(
    'a migration that changes transactions before orders ends beside payments, with one deadlock at most',
    TAKES_MINUTES,
    async () => {
      await keepViewsOfThisVersion()
      const { businessId } = await createTestBusiness(database as TestDatabase)
      const stopping = new AbortController()
      let paid = 0
      const pay = async (): Promise<void> => {
        while (!stopping.signal.aborted) {
          await db.transact(businessId, async (tx) => {
            await tx.query(sql`select from orders where business_id = ${businessId} for update`)
            await sleep(5)
            await tx.query(sql`select from transactions where business_id = ${businessId} for update`)
          })
          paid++
        }
      }
      const paying = Array.from({ length: 6 }, pay)
      try {
        await expect.poll(() => paid).toBeGreaterThan(10)
        const text =
          'alter table transactions add column added text;\nalter table orders add column added text;'
        expect(await migrateWith('9004_adds', text)).toEqual(['9004_adds'])
      } finally {
        stopping.abort()
        await Promise.all(paying)
      }
    },
  )

  /** Says that a process uses the views. Otherwise the migration drops them as views of an old version. */
  async function keepViewsOfThisVersion(): Promise<void> {
    await admin.query(
      `insert into processes (id, newest_migration, started_at, seen_at) values ('prc_old', $1, now(), now() + interval '1 hour')
       on conflict do nothing`,
      [await newestMigration()],
    )
  }

  async function viewsOf({ host, port, shard }: Placement): Promise<{ node: pg.Client; views: string }> {
    const views = `shard_${shard}_${await newestMigration()}`
    return { node: await connectTo(urlOnHost(url, host, port)), views }
  }

  test(
    'tenants keep the views that they work with while a migration adds to their tables, and lose them when it drops a column',
    TAKES_MINUTES,
    async () => {
      const { businessId } = await createTestBusiness(database as TestDatabase)
      await db.transact(businessId, (tx) => tx.execute(insertKey(businessId, 'kept')))
      await keepViewsOfThisVersion()
      const { node, views } = await viewsOf(await placeOf(businessId))
      const idOfView = async () => {
        const { rows } = await node.query<{ id: number | null }>(
          `select to_regclass('${views}.orders')::oid::int as id`,
        )
        return rows[0]?.id
      }
      const before = await idOfView()
      expect(before).not.toBeNull()
      expect(await migrateWith('9001_adds', 'alter table orders add column later text;')).toEqual([
        '9001_adds',
      ])
      expect(await idOfView()).toBe(before)
      expect(await migrateWith('9002_drops', 'alter table orders drop column later;')).toEqual(['9002_drops'])
      expect(await idOfView()).toBeNull()
      expect(await db.read(businessId, sql`select id from idempotency_keys`)).toEqual([{ id: 'kept' }])
    },
  )

  test(
    'a migration that takes views away waits for what is under way in a shard, whatever that reads next',
    TAKES_MINUTES,
    async () => {
      const { businessId } = await createTestBusiness(database as TestDatabase)
      const place = await placeOf(businessId)
      await db.read(businessId, sql`select id from idempotency_keys`)
      const { node, views } = await viewsOf(place)
      const { rows } = await node.query<{ view: string }>(
        `select format('%I.%I', schemaname, viewname) as view from pg_views where schemaname = $1 order by random()`,
        [views],
      )
      await node.query('begin')
      await node.query('select quittance_enter_shard($1, $2)', [place.shard, views])
      await node.query(`select from ${rows[0]?.view} limit 1`)
      const migrating = migrateWith('9003_contracts', '-- Needs programs from 0010\nselect 1;')
      const observer = await connectTo(urlOnHost(url, place.host, place.port))
      const isWaiting = async () => (await observer.query('select from pg_locks where not granted')).rowCount
      await eventually(isWaiting, (count) => (count ?? 0) > 0)
      for (const { view } of rows) await node.query(`select from ${view} limit 1`)
      await node.query('commit')
      expect(await migrating).toEqual(['9003_contracts'])
    },
  )

  test(
    'a shard that is split is followed: every write counts once, and none fails as a defect',
    TAKES_MINUTES,
    async () => {
      const { businessId } = await createTestBusiness(database as TestDatabase)
      const before = await placeOf(businessId)
      await db.transact(businessId, (tx) => tx.execute(insertKey(businessId, 'first')))
      const idle = await openDatabase({ url, readers: 1 })
      onTestFinished(() => idle.close())
      const first = sql`select id from idempotency_keys where business_id = ${businessId} and id = 'first'`
      expect(await idle.read(businessId, first)).toEqual([{ id: 'first' }])
      const stopping = new AbortController()
      let written = 0
      const failures: unknown[] = []
      const write = async (): Promise<void> => {
        while (!stopping.signal.aborted) {
          await db
            .transact(businessId, (tx) => tx.execute(insertKey(businessId, randomUUID())))
            .then(
              () => written++,
              (error: unknown) => failures.push(error),
            )
          await sleep(20)
        }
      }
      const writing = [write(), write(), write()]
      await admin.query(
        `select isolate_tenant_to_new_shard('business_clocks', $1::text, 'CASCADE', shard_transfer_mode => 'block_writes')`,
        [businessId],
      )
      expect(await idle.read(businessId, first)).toEqual([{ id: 'first' }])
      const during = written
      await expect.poll(() => written, { timeout: 60_000 }).toBeGreaterThan(during + 10)
      stopping.abort()
      await Promise.all(writing)
      expect((await placeOf(businessId)).shard).not.toBe(before.shard)
      const TIMED_OUT = '57014'
      expect(failures.filter((error) => codeOf(error) !== TIMED_OUT)).toEqual([])
      const [row] = await db.read<{ rows: number }>(
        businessId,
        sql`select count(*)::int as rows from idempotency_keys where business_id = ${businessId}`,
      )
      expect(row?.rows).toBe(written + 1)
    },
  )
})
