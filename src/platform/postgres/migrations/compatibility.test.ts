import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished, expect, test } from 'vitest'
import { createEmptyDatabase, untilWaiting } from '#platform/testing/database'
import { migrate, UnfitDatabase } from './migrate.ts'
import { MIGRATIONS_DIRECTORY, readMigrationFiles } from './migration-files.ts'

/** The migrations of a version that has `more` than this one. */
async function versionWith(more: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'quittance-migrations-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await cp(MIGRATIONS_DIRECTORY, directory, { recursive: true })
  for (const [name, text] of Object.entries(more)) {
    await writeFile(join(directory, `${name}.sql`), `-- Up Migration\n\n${text}\n`)
  }
  return directory
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

// Proves reference/operations#side-by-side.
test('a version runs on a database with further migrations until one of them needs a newer version', async () => {
  const url = await createEmptyDatabase()
  await migrate(url)
  const expanded = { '9000_expands': 'alter table orders add column later text;' }
  const newer = await versionWith(expanded)
  expect(await migrate(url, { directory: newer })).toEqual(['9000_expands'])
  expect(await migrate(url)).toEqual([])
  const contracted = {
    ...expanded,
    '9001_contracts': '-- Needs programs from 9000\nalter table orders drop column later;',
  }
  expect(await migrate(url, { directory: await versionWith(contracted) })).toEqual(['9001_contracts'])
  expect(await migrate(url, { directory: newer })).toEqual([])
  await expect(migrate(url)).rejects.toThrow(
    /knows migrations up to \d{4}, and the database has run 9001_contracts, which needs programs from 9000: start a newer version/,
  )
})

test('a migration that needs a newer version waits until older processes are gone', async () => {
  const url = await createEmptyDatabase()
  await migrate(url)
  const client = await connect(url)
  await client.query(
    `insert into processes (id, newest_migration, started_at, seen_at) values ('prc_old', '0005', now(), now())`,
  )
  const directory = await versionWith({ '9000_contracts': '-- Needs programs from 8000\nselect 1;' })
  await expect(migrate(url, { directory })).rejects.toThrow(
    /^The migration 9000_contracts needs programs from 8000, and 1 processes of older versions \(migrations up to 0005\)/,
  )
  await client.query(`update processes set seen_at = now() - interval '31 seconds'`)
  expect(await migrate(url, { directory })).toEqual(['9000_contracts'])
})

// Proves reference/operations#frozen-migrations.
test('a database that ran another text of a migration is refused with its name', async () => {
  const url = await createEmptyDatabase()
  await migrate(url)
  const directory = await versionWith({ '0021_checkout': 'select 1;' })
  await expect(migrate(url, { directory })).rejects.toThrow(
    'The database ran another text of the migration 0021_checkout than migrations/0021_checkout.sql has',
  )
})

// Proves reference/operations#frozen-migrations.
test('a database of another draft is refused with what to do, and not changed', async () => {
  const url = await createEmptyDatabase()
  const client = await connect(url)
  const old = ['0001_platform', '0002_businesses', '0002_events']
  await client.query(
    `create table schema_migrations (id serial primary key, name varchar(255) not null, run_on timestamp not null)`,
  )
  await client.query('insert into schema_migrations (name, run_on) select unnest($1::text[]), now()', [old])
  const refusal =
    'The database belongs to another draft of Quittance, whose tables this version does not migrate: use a new, empty database or DATA_DIR, or start the version that this database belongs to.'
  await client.query('create role quittance_service').catch(() => {})
  await client.query('grant quittance_service to current_user')
  await expect(migrate(url)).rejects.toEqual(new UnfitDatabase(refusal))
  await client.query(`
    create table ran_migrations (name text primary key, sha256 text not null, needs text);
    insert into ran_migrations (name, sha256) select name, 'of the draft' from schema_migrations;
    update schema_migrations set name = '0001_tenants' where name = '0001_platform';
    update ran_migrations set name = '0001_tenants' where name = '0001_platform'`)
  await expect(migrate(url)).rejects.toEqual(new UnfitDatabase(refusal))
  const { rows } = await client.query(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  expect(rows.map(({ relname }) => relname)).toEqual([
    'migration_gate',
    'ran_migrations',
    'schema_migrations',
  ])
})

test('the hashes of migrations that a crash kept from being recorded are recorded by the next start', async () => {
  const url = await createEmptyDatabase()
  await migrate(url)
  const client = await connect(url)
  await client.query('delete from ran_migrations')
  await migrate(url)
  const { rows } = await client.query('select name, sha256 from ran_migrations order by name')
  const files = await readMigrationFiles()
  expect(rows).toEqual(files.map(({ name, sha256 }) => ({ name, sha256 })))
})

// Proves reference/operations#upgrades.
test('migrations that a deadlock stopped run again', async () => {
  const url = await createEmptyDatabase({ isPlain: true })
  await migrate(url)
  const columns = ['orders', 'idempotency_keys'].map((table) => `alter table ${table} add column later text;`)
  const directory = await versionWith({ '9000_two_tables': columns.join('\n') })
  const paying = await connect(url)
  // PostgreSQL stops the session that looks for a deadlock first.
  await paying.query(`alter database ${paying.database} set deadlock_timeout to '5s'`)
  await paying.query(`set deadlock_timeout to '1h'`)
  await paying.query('begin')
  await paying.query('select from idempotency_keys')
  const migrating = migrate(url, { directory })
  await untilWaiting(paying, 1)
  await paying.query('select from orders')
  await paying.query('commit')
  expect(await migrating).toEqual(['9000_two_tables'])
})
