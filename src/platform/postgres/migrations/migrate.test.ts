import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, chown, cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '#kernel/ids'
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres'
import { releaseDeadLeases } from '#platform/jobs/dead-leases'
import { migrate, refuseOldVersion, UnfitDatabase } from '#platform/postgres/migrations/migrate'
import { MIGRATIONS_DIRECTORY } from '#platform/postgres/migrations/migration-files'
import { createEmptyDatabase, createTestDatabase, untilWaiting } from '#platform/testing/database'
import { isUnreachable } from '#platform/postgres/database-errors'
import { codeOf } from '#platform/thrown'

const { admin } = await createTestDatabase({ isPlain: true })

// Proves reference/operations#upgrades, reference/operations#starting.
test('several processes that start at once migrate a database once', async () => {
  const url = await createEmptyDatabase({ isPlain: true })
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(url)))
  expect(runs.filter((names) => names.length > 0)).toHaveLength(1)
  expect(await migrate(url)).toEqual([])
})

test('a start waits for a database that takes no connections yet', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-starting-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const options = { dataDir, log: () => {} }
  const before = await startEmbeddedPostgres(options)
  await before.stop()
  // Like a server that recovers, a standby without hot standby lets nobody in until it is promoted.
  const directory = join(dataDir, 'postgres')
  await appendFile(join(directory, 'postgresql.auto.conf'), 'hot_standby = off\n')
  await touchAs(await stat(directory), join(directory, 'standby.signal'))
  const starting = startEmbeddedPostgres(options)
  const postmaster = async () => (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n')
  const url = await vi.waitUntil(
    async () => {
      const [, , , port = ''] = await postmaster().catch(() => [])
      const changed = Object.assign(new URL(before.url), { port }).toString()
      return (await sqlStateOfRefusal(changed)) === '57P03' && changed
    },
    { timeout: 60_000, interval: 100 },
  )
  let isMigrated = false
  const migrating = migrate(url).then((names) => {
    isMigrated = true
    return names
  })
  await sleep(1_000)
  expect(isMigrated).toBe(false)
  await touchAs(await stat(directory), join(directory, 'promote'))
  process.kill(Number((await postmaster())[0]), 'SIGUSR1')
  expect((await migrating).length).toBeGreaterThan(10)
  await (await starting).stop()
})

async function directoryWith(...files: (readonly [name: string, text: string])[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'quittance-migrations-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await cp(MIGRATIONS_DIRECTORY, directory, { recursive: true })
  for (const [name, text] of files)
    await writeFile(join(directory, `${name}.sql`), `-- Up Migration\n\n${text}\n`)
  return directory
}

test('a refusal of the database names the migration in one sentence, and nothing is changed', async () => {
  const url = await createEmptyDatabase({ isPlain: true })
  await migrate(url)
  const directory = await directoryWith(
    ['9000_fine', 'alter table orders add column later text;'],
    ['9001_refused', 'alter table orders add constraint later_known check (later > 1);'],
  )
  const refusal = await migrate(url, { directory }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(UnfitDatabase)
  expect(refusal).toMatchObject({
    message:
      'The database refused the migration 9001_refused, and nothing was changed: operator does not exist: text > integer; ' +
      'No operator matches the given name and argument types. You might need to add explicit type casts.',
  })
  await rm(join(directory, '9001_refused.sql'))
  expect(await migrate(url, { directory })).toEqual(['9000_fine'])
})

test('databases that ran a migration and those that ran the text that stands for it are the same to programs of both', async () => {
  const landed = 'alter table orders add column later text check (later > $$a$$);'
  const original = await directoryWith(['9000_later', landed])
  const hash = createHash('sha256').update(`-- Up Migration\n\n${landed}\n`).digest('hex')
  const replacement = await directoryWith([
    '9000_later',
    `-- Stands for ${hash}\nalter table orders add column later text;\nalter table orders add constraint orders_later_check check (later > $$a$$);`,
  ])
  for (const [first, second] of [
    [original, replacement],
    [replacement, original],
  ]) {
    const url = await createEmptyDatabase({ isPlain: true })
    expect((await migrate(url, { directory: first ?? '' })).at(-1)).toBe('9000_later')
    expect(await migrate(url, { directory: second ?? '' })).toEqual([])
  }
})

test('a migration that changes transactions before orders waits for payments, and no deadlock ends either', async () => {
  const url = await createEmptyDatabase({ isPlain: true })
  await migrate(url)
  const stopping = new AbortController()
  let paid = 0
  const pay = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    while (!stopping.signal.aborted) {
      await client.query('begin')
      await client.query('select from orders where id = $1 for update', ['ord'])
      await sleep(5)
      await client.query('select from transactions where order_id = $1 for update', ['ord'])
      await client.query('commit')
      paid++
    }
    await client.end()
  }
  const paying = Array.from({ length: 6 }, pay)
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  try {
    for (const round of [1, 2, 3]) {
      const before = paid
      await vi.waitUntil(() => paid > before + 10, { timeout: 60_000 })
      const directory = await directoryWith([
        `900${round}_adds`,
        `alter table transactions add column later${round} text;\nselect pg_sleep(0.1);\nalter table orders add column later${round} text;`,
      ])
      expect(await migrate(url, { directory })).toEqual([`900${round}_adds`])
      await database.query('delete from schema_migrations where name > $1', ['9'])
      await database.query('delete from ran_migrations where name > $1', ['9'])
    }
  } finally {
    stopping.abort()
  }
  await Promise.all(paying)
  await database.query('select pg_stat_force_next_flush()')
  const { rows } = await database.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  await database.end()
  expect(rows).toEqual([{ deadlocks: 0 }])
})

async function touchAs({ uid, gid }: { uid: number; gid: number }, file: string): Promise<void> {
  await writeFile(file, '')
  await chown(file, uid, gid)
}

async function sqlStateOfRefusal(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return codeOf(error)
  } finally {
    await client.end()
  }
}

test('an older database is migrated and keeps its rows', async () => {
  const url = await createEmptyDatabase({ isPlain: true })
  await migrate(url, { upTo: 5 })
  const old = new pg.Client({ connectionString: url })
  await old.connect()
  await old.query(`insert into business_clocks (business_id) values ('biz_old')`)
  await old.query(`
    insert into events (business_id, id, object_id, sequence, type, timestamp, data)
    values ('biz_old', 'evt_old', 'ord_old', 1, 'order.created', now(), '{}')`)
  expect((await migrate(url)).length).toBeGreaterThan(0)
  const { rows } = await old.query('select id from events')
  await old.end()
  expect(rows).toEqual([{ id: 'evt_old' }])
})

test('a database that another version has migrated is refused and not changed', async () => {
  const url = await createEmptyDatabase({ isPlain: true })
  await migrate(url, { upTo: 4 })
  const newer = new pg.Client({ connectionString: url })
  await newer.connect()
  await newer.query(`insert into schema_migrations (name, run_on) values ('9999_of_tomorrow', now())`)
  await expect(migrate(url)).rejects.toEqual(
    new UnfitDatabase(
      'The database was migrated by another version of Quittance (9999_of_tomorrow): start that one, or a newer one.',
    ),
  )
  const { rowCount } = await newer.query('select from schema_migrations')
  await newer.end()
  expect(rowCount).toBe(5)
})

test('the error for a user without the rights to set up the database says what to change', async () => {
  const url = await createEmptyDatabase({ isPlain: true })
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const user = newId('guest')
  const asUser = (settings = '') => {
    const its = new URL(url)
    its.username = user
    its.password = 'guest'
    its.search = settings
    return its.href
  }
  await owner.query(`create role ${user} login password 'guest'`)
  try {
    await expect(migrate(asUser())).rejects.toThrow(
      /^Cannot set up .* permission denied .* must own the database/,
    )
    await owner.query(`grant all on schema public to ${user}`)
    await expect(migrate(asUser())).rejects.toThrow(/^Cannot set up .* may have to create a role/)
    const readOnly = `?options=${encodeURIComponent('-c default_transaction_read_only=on')}`
    await expect(migrate(asUser(readOnly))).rejects.toThrow(
      /^Cannot set up .* read-only .* must be the primary/,
    )
    const { rowCount } = await owner.query('select from schema_migrations')
    expect(rowCount).toBe(0)
  } finally {
    await owner.query(`drop owned by ${user}`)
    await owner.query(`drop role ${user}`)
    await owner.end()
  }
})

test('a PostgreSQL older than 15 is refused with its version', () => {
  expect(() => refuseOldVersion('14.9 (Debian 14.9-1.pgdg120+1)')).toThrow(
    'DATABASE_URL is PostgreSQL 14.9 (Debian 14.9-1.pgdg120+1): Quittance needs 15 or newer.',
  )
  for (const version of ['15.0', '18.1 (Debian 18.1-1)', '19beta1']) refuseOldVersion(version)
})

test('a database with another encoding than UTF8 is refused before anything is written to it', async () => {
  const url = new URL(await createEmptyDatabase({ isPlain: true }))
  const name = `${url.pathname.slice(1)}_ascii`
  const server = new pg.Client({ connectionString: url.href })
  await server.connect()
  onTestFinished(async () => {
    await server.query(`drop database if exists ${name}`)
    await server.end()
  })
  await server.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
  url.pathname = `/${name}`
  await expect(migrate(url.href)).rejects.toThrow(
    /^The database of DATABASE_URL has the encoding SQL_ASCII: Quittance needs UTF8/,
  )
  const ascii = new pg.Client({ connectionString: url.href })
  await ascii.connect()
  const { rows } = await ascii.query(`select from pg_class where relnamespace = 'public'::regnamespace`)
  await ascii.end()
  expect(rows).toEqual([])
})

test('the error for a database that was restored without its role says what to do', async () => {
  const url = await createEmptyDatabase({ isPlain: true })
  await migrate(url)
  const restored = new pg.Client({ connectionString: url })
  await restored.connect()
  onTestFinished(() => restored.end())
  // The same state as after pg_restore on a server without the role.
  await restored.query('drop owned by quittance_service')
  await expect(migrate(url)).rejects.toEqual(
    new UnfitDatabase(
      'The database was restored on a server without the role quittance_service and lacks its policies and grants: run "create role quittance_service", then restore it again.',
    ),
  )
})

test.each([
  ['a file that is not there', '/no/such/ca.pem', 'ENOENT'],
  ['a directory', tmpdir(), 'EISDIR'],
  ['not a certificate', fileURLToPath(import.meta.url), 'PEM'],
])(
  'the error for a DATABASE_URL whose certificate is %s says what to change',
  async (_what, path, reason) => {
    const url = `postgres://127.0.0.1:1/none?sslcert=${encodeURIComponent(path)}`
    const refusal = await migrate(url).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(UnfitDatabase)
    expect(String(refusal)).toContain('DATABASE_URL')
    expect(String(refusal)).toContain(reason)
  },
)

test('an option that the server refuses is reported in a sentence', async () => {
  const url = new URL(await createEmptyDatabase({ isPlain: true }))
  url.searchParams.set('options', '-c no_such_setting=1')
  await expect(migrate(url.href)).rejects.toThrow(UnfitDatabase)
})

test('the error for a user that may not take the role of the service says what to grant', async () => {
  const url = await createEmptyDatabase({ isPlain: true })
  await migrate(url)
  await expect(migrate(await urlOfStranger(url))).rejects.toThrow('may not become the role quittance_service')
})

test('a database whose first migration did not finish is not mistaken for a restored one', async () => {
  const url = await createEmptyDatabase({ isPlain: true })
  await migrate(url, { upTo: 0 })
  await expect(migrate(await urlOfStranger(url))).rejects.toThrow('Cannot set up the database')
})

/** The URL of a user who may do everything in the database except become another role. */
async function urlOfStranger(ofOwner: string): Promise<string> {
  const url = new URL(ofOwner)
  url.username = `stranger_${randomUUID().slice(0, 8)}`
  url.password = 'secret'
  const owner = new pg.Client({ connectionString: ofOwner })
  await owner.connect()
  await owner.query(`
    create role ${url.username} login password 'secret';
    grant usage, create on schema public to ${url.username};
    alter table schema_migrations owner to ${url.username};
    alter table migration_gate owner to ${url.username}`)
  await owner.end()
  return url.href
}

test('a start does not wait forever for a server that accepts connections and never replies', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo
  const url = `postgres://x@127.0.0.1:${port}/x`
  const [migrated, ended] = await Promise.allSettled([migrate(url), releaseDeadLeases(url, [])])
  expect([migrated, ended].map((one) => one.status === 'rejected' && isUnreachable(one.reason))).toEqual([
    true,
    true,
  ])
})

test('a server without TLS or with an untrusted certificate counts as unreachable', async () => {
  const plain = createServer((socket) => socket.once('data', () => socket.end('N'))).listen(0, '127.0.0.1')
  await once(plain, 'listening')
  onTestFinished(() => void plain.close())
  const { port } = plain.address() as AddressInfo
  const refused: unknown = await migrate(`postgres://x@127.0.0.1:${port}/x?sslmode=verify-full`).catch(
    (error: unknown) => error,
  )
  const codes = ['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']
  const untrusted = codes.map((code) => Object.assign(new Error('TLS'), { code }))
  for (const error of [refused, ...untrusted]) expect(isUnreachable(error)).toBe(true)
})

test('the tables are in the schema public, even when the user has a schema of its own', async () => {
  const url = await createEmptyDatabase({ isPlain: true })
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  onTestFinished(() => owner.end())
  await owner.query('create schema authorization current_user')
  await migrate(url)
  expect(await migrate(url)).toEqual([])
  const { rows } = await owner.query(
    `select distinct relnamespace::regnamespace::text as schema
       from pg_class where relname in ('businesses', 'schema_migrations', 'migration_gate')`,
  )
  expect(rows).toEqual([{ schema: 'public' }])
})

test('a migration that waits for a lock stops on a signal', async () => {
  const url = await createEmptyDatabase({ isPlain: true })
  await migrate(url)
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('begin; lock table migration_gate')
  const stop = Promise.withResolvers<string>()
  const migrated = migrate(url, { stopped: stop.promise })
  await untilWaiting(holder, 1)
  stop.resolve('SIGTERM')
  await expect(migrated).rejects.toThrow('Stopped by SIGTERM')
})

test('in a new database, rows are looked up by the whole key from PostgreSQL 18 on', async () => {
  const url = await createEmptyDatabase({ isPlain: true })
  await migrate(url)
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  const indexOf = async (column: string): Promise<string | undefined> => {
    const { rows } = await database.query<{ 'QUERY PLAN': string }>(
      `explain select * from ${column.replace('.', ' where ')} = 'a' and business_id = 'b'`,
    )
    return /using (\w+)/.exec(rows[0]?.['QUERY PLAN'] ?? '')?.[1]
  }
  const used = [
    await indexOf('orders.reference_number'),
    await indexOf('transactions.id'),
    await indexOf('transactions.order_id'),
  ]
  const version = await database.query<{ server_version: string }>('show server_version')
  await database.end()
  const expected = ['orders_reference_number', 'transactions_pkey', 'transactions_order']
  const usesWholeKey = Number.parseInt(version.rows[0]?.server_version ?? '', 10) >= 18
  expect(used.every((index, position) => index === expected[position])).toBe(usesWholeKey)
})

const SHARED = await admin
  .query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relrowsecurity`,
  )
  .then(({ rows }) => rows.map((row) => row.name))

test('only the tables that all tenants share have no row-level security', () => {
  // Users belong to several businesses, sign in before a tenant is known, and have memberships in both environments.
  const ofUsers = [
    'invitations',
    'memberships',
    'sign_in_failures',
    'user_accounts',
    'user_list_settings',
    'user_passkeys',
    'user_secrets',
    'user_sessions',
    'user_setup_links',
    'user_trusted_devices',
    'user_two_factors',
    'user_verifications',
    'users',
  ]
  expect(SHARED.filter((name) => !ofUsers.includes(name)).toSorted()).toEqual([
    'api_keys',
    'apple_pay_domain_files',
    'apps',
    'business_clocks',
    'businesses',
    'chain_transfers',
    'deposit_addresses',
    'migration_gate',
    'next_runs',
    'placements',
    'processes',
    'ran_migrations',
    'receipt_numbers',
    'recoveries',
    'schema_migrations',
    'watched_blocks',
    'watched_chains',
  ])
  expect(SHARED).toEqual(expect.arrayContaining(ofUsers))
})

test("business_id leads every primary key, unique constraint and B-tree of a tenant's table", async () => {
  const { rows } = await admin.query<{ index: string; leads: string }>(
    `select i.indexrelid::regclass::text as index,
            (select attname from pg_attribute where attrelid = i.indrelid and attnum = i.indkey[0]) as leads
       from pg_index i join pg_class t on t.oid = i.indrelid
       join pg_class x on x.oid = i.indexrelid join pg_am m on m.oid = x.relam
      where t.relnamespace = 'public'::regnamespace and not (t.relname = any($1)) and m.amname = 'btree'`,
    [SHARED],
  )
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter((row) => row.leads !== 'business_id')).toEqual([])
})

test("every foreign key between tenants' tables includes business_id", async () => {
  const { rows } = await admin.query<{ name: string; columns: string[] }>(
    `select c.conname as name, array(
              select attname::text from pg_attribute where attrelid = c.conrelid and attnum = any(c.conkey)) as columns
       from pg_constraint c join pg_class t on t.oid = c.conrelid
      where c.contype = 'f' and not (t.relname = any($1))`,
    [SHARED],
  )
  expect(rows.filter((row) => !row.columns.includes('business_id'))).toEqual([])
})

test('the role of the service owns nothing and cannot bypass row-level security', async () => {
  const { rows } = await admin.query(
    `select rolsuper, rolbypassrls, rolcanlogin,
            (select count(*)::int from pg_class where relowner = r.oid) as owned
       from pg_roles r where rolname = 'quittance_service'`,
  )
  expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcanlogin: false, owned: 0 }])
})
