import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import pg from 'pg'
import { START_TIMEOUT_MS, writableUrl } from '#platform/postgres/hosts/hosts'
import { refuseLentConnections } from '#platform/postgres/hosts/lent-connections'
import { CONNECT_TIMEOUT_MS, SCHEMA, SERVICE_ROLE } from '#platform/postgres/session'
import { codeOf, messageOf } from '#platform/thrown'
import { deploymentAt } from '#platform/postgres/find-deployment'
import { isUnreachable, withRetries } from '#platform/postgres/database-errors'
import { type RanMigration, whyUnfit } from './compatibility.ts'
import { type MigrationFile, MIGRATIONS_DIRECTORY, newestOf, readMigrationFiles } from './migration-files.ts'
import { refuseWhileOlderRun } from './older-processes.ts'
import { UnfitDatabase } from './unfit-database.ts'

export { UnfitDatabase }

const READ_ONLY = '25006'
const INSUFFICIENT_PRIVILEGE = '42501'

const OLDEST_MAJOR_VERSION = 15
const CANNOT_CONNECT_NOW = '57P03'
const DEADLOCK_DETECTED = '40P01'
const POLL_MS = 250

/**
 * - `upTo`: The number of migrations to run at most, for tests that need an older database.
 * - `directory`: Where the migrations are, for tests that need other ones.
 * - `stopped`: Settles with the signal that stops the process, because another session may hold a lock for any length
 *   of time.
 */
export interface MigrateOptions {
  readonly upTo?: number
  readonly directory?: string
  readonly stopped?: Promise<string> | undefined
}

/**
 * Runs all pending migrations in one transaction, and waits for a server that is still starting. Processes that start at
 * the same time take turns on a lock. Throws `UnfitDatabase`.
 * @returns the names of the migrations that ran
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const startedAtMs = performance.now()
  for (;;) {
    try {
      return await withRetries(() => migrateNow(url, options))
    } catch (error) {
      if (codeOf(error) === DEADLOCK_DETECTED) {
        throw new UnfitDatabase(
          'The migrations and transactions of others waited for each other, five times: run them again at a quieter moment.',
          { cause: error },
        )
      }
      const isLate = performance.now() - startedAtMs >= START_TIMEOUT_MS
      if (isLate || codeOf(error) !== CANNOT_CONNECT_NOW) throw error
      await sleep(POLL_MS)
    }
  }
}

async function migrateNow(url: string, options: MigrateOptions): Promise<string[]> {
  const config: pg.ClientConfig = {
    connectionString: await writableUrl(url),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  }
  const gate = newClient(config)
  const client = newClient(config)
  const { upTo = Infinity, directory = MIGRATIONS_DIRECTORY, stopped = new Promise(() => {}) } = options
  let underWay: string | undefined
  const onMigration = (name: string | undefined) => void (underWay = name)
  try {
    const run = runPending(gate, client, { url, upTo, directory, onMigration })
    return await Promise.race([run, stopped.then(failStopped)])
  } catch (error) {
    throw unfitDatabaseFrom(error, underWay) ?? error
  } finally {
    await Promise.all([gate.end(), client.end()])
  }
}

/** Reads certificates now. Otherwise a broken one would end the process when the server first replies. */
function newClient(config: pg.ClientConfig): pg.Client {
  try {
    const client = new pg.Client(config)
    client.on('error', () => {})
    const ssl: unknown = client.ssl
    if (typeof ssl === 'object' && ssl !== null) createSecureContext(ssl)
    return client
  } catch (cause) {
    throw new UnfitDatabase(`Cannot use DATABASE_URL, or a file that it names: ${messageOf(cause)}.`, {
      cause,
    })
  }
}

/** - `onMigration`: Called with the name of each migration before it runs, and without one after the last. */
interface WhichMigrations {
  readonly upTo: number
  readonly directory: string
  readonly onMigration: (name: string | undefined) => void
}

async function runPending(
  gate: pg.Client,
  client: pg.Client,
  { url, ...which }: WhichMigrations & { readonly url: string },
): Promise<string[]> {
  await gate.connect()
  await client.connect()
  const { rows } = await gate.query<{ version: string; encoding: string }>(
    `select current_setting('server_version') as version, current_setting('server_encoding') as encoding`,
  )
  refuseOldVersion(rows[0]?.version ?? '')
  refuseOtherEncodings(rows[0]?.encoding ?? '')
  await refuseLentConnections('DATABASE_URL', gate, client)
  await gate.query(`set search_path to ${SCHEMA}`)
  const deployment = await deploymentAt(gate, url)
  await deployment.check()
  await gate.query('create table if not exists migration_gate ()').catch(ignoreConcurrentCreation)
  await gate.query('begin; lock table migration_gate in access exclusive mode')
  const files = await readMigrationFiles(which.directory)
  const pending = await pendingOf(gate, files)
  let ran: string[] = []
  if (pending.length > 0) {
    await refuseWhileOlderRun(gate, pending)
    ran = await deployment.run(client, pending, (by) => runFiles(by, which))
  }
  await recordTexts(gate, files)
  if (which.upTo === Infinity) await deployment.complete(client)
  await gate.query('commit')
  await deployment.finish(newestOf(files), ran.length > 0)
  return ran
}

/** The line that node-pg-migrate logs before each migration. */
const STARTED = /^### MIGRATION (\S+) \(UP\) ###$/

async function runFiles(
  dbClient: pg.Client,
  { upTo, directory, onMigration }: WhichMigrations,
): Promise<string[]> {
  const { runner } = await import('node-pg-migrate')
  const ran = await runner({
    dbClient,
    dir: directory,
    ignorePattern: '[^.]*',
    direction: 'up',
    schema: SCHEMA,
    migrationsTable: 'schema_migrations',
    count: upTo,
    checkOrder: true,
    noLock: true,
    singleTransaction: true,
    log: (line: string) => {
      const [, name] = STARTED.exec(line) ?? []
      if (name !== undefined) onMigration(name)
    },
  })
  onMigration(undefined)
  return ran.map((migration) => migration.name)
}

function failStopped(signal: string): never {
  throw new UnfitDatabase(`Stopped by ${signal} while migrating the database.`)
}

export function refuseOldVersion(version: string): void {
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR_VERSION) return
  throw new UnfitDatabase(
    `DATABASE_URL is PostgreSQL ${version}: Quittance needs ${OLDEST_MAJOR_VERSION} or newer.`,
  )
}

/** A cluster that was made without a locale, as in a container with LANG=C, is SQL_ASCII: such databases have no ICU collations. */
function refuseOtherEncodings(encoding: string): void {
  if (encoding === 'UTF8') return
  throw new UnfitDatabase(
    `The database of DATABASE_URL has the encoding ${encoding}: Quittance needs UTF8. Make it with "create database quittance encoding 'UTF8' template template0".`,
  )
}

/** @param migration The one that was under way, if any */
function unfitDatabaseFrom(error: unknown, migration: string | undefined): UnfitDatabase | undefined {
  if (!(error instanceof Error)) return undefined
  const problem = `Cannot set up the database: ${error.message}.`
  if (codeOf(error) === READ_ONLY) return new UnfitDatabase(`${problem} DATABASE_URL must be the primary.`)
  if (error instanceof pg.DatabaseError && error.severity === 'FATAL' && !isUnreachable(error)) {
    return new UnfitDatabase(problem)
  }
  if (codeOf(error) === INSUFFICIENT_PRIVILEGE) {
    return new UnfitDatabase(
      `${problem} The user of DATABASE_URL must own the database and may have to create a role.`,
    )
  }
  if (migration === undefined || !(error instanceof pg.DatabaseError)) return undefined
  if (codeOf(error) === DEADLOCK_DETECTED || isUnreachable(error)) return undefined
  const why = [error.message, error.detail, error.hint].flatMap((part) => part?.replace(/\.$/, '') ?? [])
  return new UnfitDatabase(
    `The database refused the migration ${migration}, and nothing was changed: ${why.join('; ')}.`,
    { cause: error },
  )
}

async function pendingOf(gate: pg.Client, files: readonly MigrationFile[]): Promise<MigrationFile[]> {
  const { rows: tables } = await gate.query(
    `select from pg_class where oid = to_regclass('schema_migrations')`,
  )
  if (tables.length === 0) return [...files]
  const { rowCount } = await gate.query('select from schema_migrations limit 1')
  if (rowCount !== 0) await refuseWithoutRole(gate)
  const texts = await hasTexts(gate)
  const { rows } = await gate.query<RanMigration>(
    texts
      ? 'select name, sha256, needs from schema_migrations left join ran_migrations using (name) order by name'
      : 'select name, null as sha256, null as needs from schema_migrations order by name',
  )
  const problem = whyUnfit(rows, files)
  if (problem !== undefined) throw new UnfitDatabase(problem)
  const ran = new Set(rows.map(({ name }) => name))
  return files.filter(({ name }) => !ran.has(name))
}

async function hasTexts(gate: pg.Client): Promise<boolean> {
  const { rows } = await gate.query(`select from pg_class where oid = to_regclass('ran_migrations')`)
  return rows.length > 0
}

async function recordTexts(gate: pg.Client, files: readonly MigrationFile[]): Promise<void> {
  if (!(await hasTexts(gate))) return
  await gate.query(
    `insert into ran_migrations (name, sha256, needs)
     select f.name, f.sha256, f.needs
       from json_to_recordset($1) as f (name text, sha256 text, needs text) join schema_migrations using (name)
     on conflict (name) do nothing`,
    [JSON.stringify(files.map(({ name, sha256, needs }) => ({ name, sha256, needs })))],
  )
}

/** A dump contains no roles. If it is restored on a server without the role, the tables lack the policies and grants for it. */
async function refuseWithoutRole(gate: pg.Client): Promise<void> {
  const { rows } = await gate.query<{ may_set_role: boolean; lacks_policies: boolean }>(
    `select exists (select from pg_roles where rolname = $1 and pg_has_role(oid, 'member')) as may_set_role,
            exists (select from pg_class c
                     where relnamespace = (select relnamespace from pg_class where oid = to_regclass('schema_migrations'))
                       and relrowsecurity and not exists (select from pg_policy where polrelid = c.oid)) as lacks_policies`,
    [SERVICE_ROLE],
  )
  if (rows[0]?.lacks_policies === true) {
    throw new UnfitDatabase(
      `The database was restored on a server without the role ${SERVICE_ROLE} and lacks its policies and grants: run "create role ${SERVICE_ROLE}", then restore it again.`,
    )
  }
  if (rows[0]?.may_set_role === true) return
  throw new UnfitDatabase(
    `The user of DATABASE_URL may not become the role ${SERVICE_ROLE}: run "grant ${SERVICE_ROLE} to" with its name.`,
  )
}

const ALREADY_CREATED = new Set(['23505', '42P07', '42710'])

function ignoreConcurrentCreation(error: unknown): void {
  if (error instanceof pg.DatabaseError && ALREADY_CREATED.has(error.code ?? '')) return
  throw error
}
