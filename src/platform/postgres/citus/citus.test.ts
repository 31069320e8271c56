import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import sql, { raw, type Sql } from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import { scheduleJob } from '#platform/jobs/jobs'
import { freePort } from '#platform/embedded-postgres/free-port'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { analyzeNewTables } from '#platform/postgres/migrations/new-tables'
import { migrate } from '#platform/postgres/migrations/migrate'
import { MIGRATIONS_DIRECTORY, newestMigration } from '#platform/postgres/migrations/migration-files'
import { urlOnHost } from '#platform/postgres/hosts/host-list'
import { takePlans } from './testing/plans.ts'
import {
  connectForTenant,
  createEmptyDatabase,
  createTestBusiness,
  createTestDatabase,
  type TestDatabase,
  untilWaiting,
} from '#platform/testing/database'
import type { StatementOfAllTenants } from '#platform/postgres/database'
import { AllShards } from './all-shards.ts'
import { openDatabase } from '#platform/postgres/open-database'
import { type Placement, placementOf } from './tenant-nodes.ts'

// Proves reference/operations#citus.
describe.skipIf(process.env['CITUS_URL'] === undefined)('on Citus (needs CITUS_URL)', async () => {
  const database = process.env['CITUS_URL'] === undefined ? undefined : await createTestDatabase()
  const { db, admin, url } = database ?? ({} as TestDatabase)

  async function placeOf(businessId: string): Promise<Placement> {
    const { rows } = await admin.query<Placement>(placementOf(businessId))
    const [place] = rows
    if (place === undefined) throw new Error('a tenant has a shard')
    return place
  }

  async function workers(): Promise<Omit<Placement, 'shard'>[]> {
    const { rows } = await admin.query<Placement>(
      `select nodename as host, nodeport as port from pg_dist_node where shouldhaveshards`,
    )
    return rows
  }

  async function tenantsOfOneShard(): Promise<[string, string]> {
    const { businessId: first } = await createTestBusiness(database as TestDatabase)
    const { shard } = await placeOf(first)
    for (;;) {
      const { businessId } = await createTestBusiness(database as TestDatabase)
      if ((await placeOf(businessId)).shard === shard) return [first, businessId]
    }
  }

  test('after the migrations every node has the views of its shards, before any tenant is there', async () => {
    const version = await newestMigration()
    const { rows } = await admin.query<{ result: string }>(
      `select result from run_command_on_all_nodes($1)`,
      [
        `select count(*) from pg_dist_placement p join pg_dist_shard s using (shardid) join pg_dist_local_group using (groupid)
          where s.logicalrelid = 'business_clocks'::regclass
            and to_regclass('shard_' || s.shardid || '_${version}.business_clocks') is null`,
      ],
    )
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.map(({ result }) => result)).toEqual(rows.map(() => '0'))
  })

  const insertKey = (businessId: string, id: string): Sql => sql`
    insert into idempotency_keys (business_id, app_id, endpoint, key, id, fingerprint, created_at)
    values (${businessId}, 'app', 'e', ${id}, ${id}, 'f', now())`

  test.each<[string, (own: string, other: string) => Sql]>([
    ['select', (_, other) => sql`select id from idempotency_keys where business_id = ${other}`],
    [
      'select of a join',
      (own, other) => sql`
      select k.id from business_clocks c join idempotency_keys k on k.business_id = ${other} where c.business_id = ${own}`,
    ],
    [
      'select for update',
      (_, other) => sql`
      select id from idempotency_keys where business_id = ${other} for update`,
    ],
    [
      'update',
      (_, other) => sql`
      update idempotency_keys set status = 500 where business_id = ${other} returning id`,
    ],
    [
      'update from values',
      (_, other) => sql`
      update idempotency_keys k set status = 500 from (values ('other')) n (id)
       where k.business_id = ${other} and k.id = n.id returning k.id`,
    ],
    ['delete', (_, other) => sql`delete from idempotency_keys where business_id = ${other} returning id`],
    [
      'a changing CTE',
      (_, other) => sql`
      with changed as (update idempotency_keys set status = 500 where business_id = ${other} returning id) select id from changed`,
    ],
    ['a statement that names no tenant', () => sql`select id from idempotency_keys where id = 'other'`],
  ])('%s sees no row of another tenant in the same shard', async (_form, statement) => {
    const [own, other] = await tenantsOfOneShard()
    await db.transact(other, (tx) => tx.execute(insertKey(other, 'other')))
    expect(await db.transact(own, (tx) => tx.query(statement(own, other)))).toEqual([])
    expect(await db.read(own, statement(own, other))).toEqual([])
    const rows = await db.read(
      other,
      sql`select id, status from idempotency_keys where business_id = ${other}`,
    )
    expect(rows).toEqual([{ id: 'other', status: null }])
  })

  test.each<[string, (other: string) => Sql]>([
    ['insert of values', (other) => insertKey(other, 'new')],
    [
      'insert of a select',
      (other) => sql`
      insert into idempotency_keys (business_id, app_id, endpoint, key, id, fingerprint, created_at)
      select ${other}::text, 'app', 'e', n.id, n.id, 'f', now() from unnest(array['a', 'b']) n (id)`,
    ],
    [
      'insert of a select, returning',
      (other) => sql`
      insert into idempotency_keys (business_id, app_id, endpoint, key, id, fingerprint, created_at)
      select ${other}::text, 'app', 'e', n.id, n.id, 'f', now() from (values ('a')) n (id) returning id`,
    ],
    [
      'insert on conflict',
      (other) => sql`
      insert into idempotency_keys (business_id, app_id, endpoint, key, id, fingerprint, created_at)
      values (${other}, 'app', 'e', 'k', 'i', 'f', now()) on conflict (business_id, app_id, endpoint, key) do update set status = 1`,
    ],
    [
      'insert in a CTE',
      (other) => sql`
      with made as (insert into idempotency_keys (business_id, app_id, endpoint, key, id, fingerprint, created_at)
                    select ${other}::text, 'app', 'e', 'k', 'i', 'f', now()) select 1`,
    ],
  ])('%s writes no row of another tenant in the same shard', async (_form, statement) => {
    const [own, other] = await tenantsOfOneShard()
    await expect(db.transact(own, (tx) => tx.query(statement(other)))).rejects.toMatchObject({
      code: '42501',
    })
  })

  test('a statement that would have to go to another node fails there', async () => {
    const { businessId } = await createTestBusiness(database as TestDatabase)
    const distant = sql`select count(*) from public.orders`
    await expect(db.transact(businessId, (tx) => tx.query(distant))).rejects.toMatchObject({ code: '08006' })
  })

  test('plans of statements on the nodes are read, and those of Citus are found', async () => {
    const { businessId } = await createTestBusiness(database as TestDatabase)
    takePlans()
    const ofView = sql`select id from orders where business_id = ${businessId}`
    const ofTable = sql`select id from public.orders where business_id = ${businessId}`
    await db.transact(businessId, async (tx) => [await tx.query(ofView), await tx.query(ofTable)])
    const { count, ofCitus } = takePlans()
    expect(count).toBeGreaterThan(3)
    expect(ofCitus).toEqual([expect.stringMatching(/^select id from public\.orders[^]*Custom Scan \(Citus/)])
  })

  const OF_ALL_TENANTS: StatementOfAllTenants = {
    tables: ['next_runs', 'business_clocks'],
    text: (table) => sql`
      select n.business_id from ${table('next_runs')} n join ${table('business_clocks')} c on c.business_id = n.business_id
       where n.job = ${'of-all-tenants'}`,
  }

  async function tenantsOnAllNodes(): Promise<Map<string, Placement>> {
    const tenants = new Map<string, Placement>()
    const nodes = (await workers()).length
    while (new Set([...tenants.values()].map(({ port }) => port)).size < nodes) {
      const { businessId } = await createTestBusiness(database as TestDatabase)
      tenants.set(businessId, await placeOf(businessId))
      await db.transact(businessId, (tx) => scheduleJob(tx, 'of-all-tenants', tx.now))
    }
    return tenants
  }

  test('a table of all tenants is read with one statement for each node, and none of Citus', async () => {
    const tenants = await tenantsOnAllNodes()
    takePlans()
    const { rows, failures } = await db.readAllTenants<{ business_id: string }>(OF_ALL_TENANTS)
    expect(takePlans().ofCitus.filter((plan) => plan.includes('next_runs'))).toEqual([])
    expect(failures).toEqual([])
    const found = rows.map(({ business_id: id }) => id)
    expect(found.toSorted()).toEqual(
      (await db.shared.query<{ business_id: string }>(OF_ALL_TENANTS.text(raw)))
        .map(({ business_id: id }) => id)
        .toSorted(),
    )
    expect(found).toEqual(expect.arrayContaining([...tenants.keys()]))
  })

  test('a table of all tenants is read from the other nodes while one is away', async () => {
    const tenants = await tenantsOnAllNodes()
    const [lost] = await workers()
    const nobody = await freePort()
    const all = new AllShards(
      db.shared,
      async ({ host, port }) =>
        new PlainDatabase({ url: urlOnHost(url, host, port === lost?.port ? nobody : port), readers: 1 }),
    )
    onTestFinished(() => all.close())
    const { rows, failures } = await all.read<{ business_id: string }>(OF_ALL_TENANTS)
    expect(failures).toEqual([expect.objectContaining({ code: 'ECONNREFUSED' })])
    const found = new Set(rows.map(({ business_id: id }) => id))
    for (const [id, { port }] of tenants) expect([id, found.has(id)]).toEqual([id, port !== lost?.port])
  })

  async function moveAway(place: Placement): Promise<void> {
    const to = (await workers()).find(({ host, port }) => host !== place.host || port !== place.port)
    if (to === undefined) throw new Error('these tests need two workers')
    const { shard, host, port } = place
    const mover = new pg.Client({ connectionString: url })
    await mover.connect()
    onTestFinished(() => mover.end())
    const places = [shard, host, port, to.host, to.port]
    // Citus drops the old copy of a moved shard in the background, and refuses to move the shard back until then.
    const isMoved = () =>
      mover.query('select citus_move_shard_placement($1, $2, $3, $4, $5)', places).then(
        () => true,
        (error: Error) => {
          if (!error.message.includes('leftover from the previous move')) throw error
          return false
        },
      )
    while (!(await isMoved())) await sleep(1_000)
  }

  const MOVES = { timeout: 400_000 }

  test(
    'a shard is moved to and fro under load: every write counts once, and none is refused',
    MOVES,
    async () => {
      const [own, other] = await tenantsOfOneShard()
      const stopping = new AbortController()
      const counts = new Map([
        [own, 0],
        [other, 0],
      ])
      const add = async (businessId: string): Promise<void> => {
        while (!stopping.signal.aborted) {
          const id = randomUUID()
          await db.transact(businessId, (tx) => tx.execute(insertKey(businessId, id)))
          counts.set(businessId, (counts.get(businessId) ?? 0) + 1)
          const inserted = sql`select id from idempotency_keys where business_id = ${businessId} and id = ${id}`
          expect(await db.read(businessId, inserted)).toHaveLength(1)
          await sleep(20)
        }
      }
      const adding = [own, other, own, other].map(add)
      for (let move = 0; move < 2; move++) {
        const before = await placeOf(own)
        await moveAway(before)
        expect((await placeOf(own)).port).not.toBe(before.port)
      }
      stopping.abort()
      await Promise.all(adding)
      for (const [businessId, count] of counts) {
        const [row] = await db.read<{ rows: number }>(
          businessId,
          sql`select count(*)::int as rows from idempotency_keys where business_id = ${businessId}`,
        )
        expect(row?.rows).toBe(count)
        expect(count).toBeGreaterThan(4)
      }
    },
  )

  test('a shard stays where it is until the transactions in it have ended', MOVES, async () => {
    const { businessId } = await createTestBusiness(database as TestDatabase)
    await db.transact(businessId, (tx) => tx.execute(insertKey(businessId, 'before')))
    const place = await placeOf(businessId)
    const node = await nodeOf(place)
    const { rows } = await node.query<{ views: string }>(
      `select nspname as views from pg_namespace where nspname like $1`,
      [`shard_${place.shard}_%`],
    )
    await node.query('begin')
    await node.query('select quittance_enter_shard($1, $2)', [place.shard, rows[0]?.views])
    const moving = moveAway(place)
    const isBlocked = `select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and not granted`
    await expect
      .poll(async () => (await node.query(isBlocked)).rowCount, { timeout: 300_000 })
      .toBeGreaterThan(0)
    expect((await placeOf(businessId)).port).toBe(place.port)
    await node.query('commit')
    await moving
    expect((await placeOf(businessId)).port).not.toBe(place.port)
    expect(
      await db.read(businessId, sql`select id from idempotency_keys where business_id = ${businessId}`),
    ).toEqual([{ id: 'before' }])
  })

  async function nodeOf({ host, port }: Placement): Promise<pg.Client> {
    const node = new pg.Client({ connectionString: urlOnHost(url, host, port) })
    await node.connect()
    onTestFinished(() => node.end())
    return node
  }

  const dropViews = (node: pg.Client) =>
    node.query(`do $$ declare views text; begin
      for views in select nspname from pg_namespace where nspname ~ '^(shard|references)_' loop
        execute format('drop schema %I cascade', views);
      end loop; end $$`)
  const keysOf = (businessId: string) =>
    sql`select id from idempotency_keys where business_id = ${businessId}`

  test('views that are gone are made again, and the statement that missed them runs again', async () => {
    const { businessId } = await createTestBusiness(database as TestDatabase)
    await db.transact(businessId, (tx) => tx.execute(insertKey(businessId, 'kept')))
    const node = await nodeOf(await placeOf(businessId))
    await dropViews(node)
    expect(await db.read(businessId, keysOf(businessId))).toEqual([{ id: 'kept' }])
    for (const options of [{}, { usesSharedTables: true }, { isUnbounded: true }]) {
      await dropViews(node)
      const found = await db.transact(businessId, (tx) => tx.query(keysOf(businessId)), options)
      expect(found).toEqual([{ id: 'kept' }])
    }
  })

  test('views that a migration has taken away are made again when it has ended, and not before', async () => {
    const { businessId } = await createTestBusiness(database as TestDatabase)
    await db.transact(businessId, (tx) => tx.execute(insertKey(businessId, 'kept')))
    const node = await nodeOf(await placeOf(businessId))
    await admin.query('begin; lock table migration_gate in access exclusive mode')
    onTestFinished(async () => void (await admin.query('rollback')))
    await dropViews(node)
    const reading = db.read(businessId, keysOf(businessId))
    await untilWaiting(admin, 1)
    expect((await node.query(`select from pg_namespace where nspname ~ '^shard_'`)).rowCount).toBe(0)
    await admin.query('rollback')
    expect(await reading).toEqual([{ id: 'kept' }])
  })

  test(
    'shards are moved to a node that was added under load: every write counts once, and none is refused',
    MOVES,
    async () => {
      const empty = await createEmptyDatabase()
      const coordinator = new pg.Client({ connectionString: empty })
      await coordinator.connect()
      onTestFinished(() => coordinator.end())
      const [first, added] = await workers()
      if (first === undefined || added === undefined) throw new Error('these tests need two workers')
      await coordinator.query('select citus_remove_node($1, $2)', [added.host, added.port])
      await migrate(empty)
      const grown = await openDatabase({ url: empty, readers: 1 })
      onTestFinished(() => grown.close())
      const { businessId } = await createTestBusiness({ db: grown, url: empty, admin: coordinator })
      const stopping = new AbortController()
      let written = 0
      const writing = (async () => {
        while (!stopping.signal.aborted) {
          await grown.transact(businessId, (tx) => tx.execute(insertKey(businessId, randomUUID())))
          written++
          await sleep(10)
        }
      })()
      await coordinator.query('select citus_add_node($1, $2)', [added.host, added.port])
      await coordinator.query('select replicate_reference_tables()')
      const { rows } = await coordinator.query<Placement>(placementOf(businessId))
      await coordinator.query('select citus_move_shard_placement($1, $2, $3, $4, $5)', [
        rows[0]?.shard,
        first.host,
        first.port,
        added.host,
        added.port,
      ])
      const before = written
      await expect.poll(() => written).toBeGreaterThan(before + 10)
      stopping.abort()
      await writing
      const node = await connectForTenant(empty, businessId)
      expect(node.port).toBe(added.port)
      expect((await node.query('select from idempotency_keys')).rowCount).toBe(written)
    },
  )

  test('a new table is analyzed on the node of its tenants', async () => {
    const { businessId } = await createTestBusiness(database as TestDatabase)
    const { shard, ...place } = await placeOf(businessId)
    await db.transact(businessId, (tx) =>
      tx.execute(sql`
        insert into next_runs (business_id, job, due_at)
        select ${businessId}::text, 'job ' || n, 'infinity' from generate_series(1, 100) n`),
    )
    const node = await nodeOf({ ...place, shard })
    // Citus hides shards from clients.
    await node.query('set citus.override_table_visibility to off')
    const analyzed = async () => {
      await analyzeNewTables(db)
      const { rows } = await node.query<{ count: number }>(
        `select sum(pg_stat_get_analyze_count(oid))::int as count from pg_class where relname ~ '^next_runs_[0-9]+$'`,
      )
      return rows[0]?.count
    }
    await expect.poll(analyzed).toBeGreaterThan(0)
  })

  test('a migration of a distributed database makes its tables on every node, with foreign keys', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'quittance-migrations-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    await cp(MIGRATIONS_DIRECTORY, directory, { recursive: true })
    await writeFile(
      join(directory, '9000_later.sql'),
      `-- Up Migration

alter table orders add column later text;
create table order_notes (business_id text collate "C" not null, id text collate "C" not null, order_id text collate "C" not null,
  constraint order_notes_pkey primary key (business_id, id));
select quittance_tenant_table('order_notes');
alter table order_notes add constraint order_notes_order foreign key (business_id, order_id) references orders (business_id, id);
create table rates (name text primary key);
select quittance_shared_table('rates', 'reference');
`,
    )
    expect(await migrate(url, { directory })).toEqual(['9000_later'])
    const later = await openDatabase({ url, readers: 1 })
    onTestFinished(() => later.close())
    const { businessId } = await createTestBusiness(database as TestDatabase)
    await later.transact(businessId, (tx) =>
      tx.query(sql`select later from orders where business_id = ${businessId}`),
    )
    await expect(
      later.transact(businessId, (tx) =>
        tx.execute(
          sql`insert into order_notes (business_id, id, order_id) values (${businessId}, 'n', 'none')`,
        ),
      ),
    ).rejects.toMatchObject({ code: '23503' })
    expect(await later.read(businessId, sql`select name from rates`)).toEqual([])
  })
})
