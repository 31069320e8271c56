import { readdir } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { OperatorError } from '#kernel/operator-error'
import { CONNECT_TIMEOUT_MS, SCHEMA, SERVICE_ROLE } from '#platform/postgres/session'
import { codeOf, messageOf } from '#platform/thrown'
import { isUnreachable } from '#platform/postgres/unreachable'

const READ_ONLY = '25006'
const INSUFFICIENT_PRIVILEGE = '42501'
const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../../../migrations', import.meta.url))

/** The database cannot be used by this program. */
export class UnfitDatabase extends OperatorError {}

/** The oldest that the tests are run on. */
const OLDEST_MAJOR_VERSION = 15

export interface MigrateOptions {
  /** How many migrations to run at most; tests use it to make an older database. */
  readonly upTo?: number
  /** Settles with the signal that tells to stop: who waits for a lock may wait for as long as its holder likes. */
  readonly stopped?: Promise<string> | undefined
}

/**
 * Brings the database to the newest migration. Safe when several processes start at once: they take
 * their turn on a lock, and the later ones find nothing left to do. All pending migrations commit together.
 * @returns the names of the migrations that were run. Throws `UnfitDatabase`.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const config: pg.ClientConfig = { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS }
  const gate = newClient(config)
  const client = newClient(config)
  const { upTo = Infinity, stopped = new Promise(() => {}) } = options
  try {
    return await Promise.race([runPending(gate, client, upTo), stopped.then(giveUp)])
  } catch (error) {
    throw unfitBy(error) ?? error
  } finally {
    await Promise.all([gate.end(), client.end()])
  }
}

/** A certificate or a key that is none would otherwise end the process when the server first answers. */
function newClient(config: pg.ClientConfig): pg.Client {
  try {
    const client = new pg.Client(config)
    const ssl: unknown = client.ssl
    if (typeof ssl === 'object' && ssl !== null) createSecureContext(ssl)
    return client
  } catch (cause) {
    throw new UnfitDatabase(`Cannot use DATABASE_URL, or a file that it names: ${messageOf(cause)}.`, {
      cause,
    })
  }
}

async function runPending(gate: pg.Client, client: pg.Client, upTo: number): Promise<string[]> {
  await gate.connect()
  await client.connect()
  const { rows } = await gate.query<{ server_version: string }>('show server_version')
  refuseOldVersion(rows[0]?.server_version ?? '')
  // One after the other: at the same moment a pool, too, has two.
  refuseLentConnections(await backendOf(gate), await backendOf(client))
  await gate.query(`set search_path to ${SCHEMA}`)
  await gate.query('create table if not exists migration_gate ()').catch(ignoreConcurrentCreation)
  await gate.query('begin; lock table migration_gate in access exclusive mode')
  if (await isNewest(gate)) {
    await gate.query('commit')
    return []
  }
  // Loaded only when there is something to do: it costs every start otherwise, and memory for as long as we run.
  const { runner } = await import('node-pg-migrate')
  const run = await runner({
    dbClient: client,
    dir: MIGRATIONS_DIRECTORY,
    direction: 'up',
    schema: SCHEMA,
    migrationsTable: 'schema_migrations',
    count: upTo,
    checkOrder: true,
    noLock: true,
    singleTransaction: true,
    log: () => {},
  })
  await gate.query('commit')
  return run.map((migration) => migration.name)
}

function giveUp(signal: string): never {
  throw new UnfitDatabase(
    `Stopped by ${signal} while the database was being brought to the newest migration.`,
  )
}

/** @param version such as `14.9 (Debian 14.9-1)`; throws `UnfitDatabase` */
export function refuseOldVersion(version: string): void {
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR_VERSION) return
  throw new UnfitDatabase(
    `DATABASE_URL is PostgreSQL ${version}: Quittance needs ${OLDEST_MAJOR_VERSION} or newer.`,
  )
}

/**
 * What a session is set to, and whose rows it may see, would be another's at the next transaction.
 * @param first, second the server's processes behind two open connections; throws `UnfitDatabase`
 */
export function refuseLentConnections(first: number, second: number): void {
  if (first !== second) return
  throw new UnfitDatabase(
    'DATABASE_URL leads to a pool that lends connections for a transaction: Quittance needs them for a session (pgbouncer: pool_mode = session), or the database itself.',
  )
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** What to do about a database that does not let its user set it up; undefined when that is not what is wrong. */
function unfitBy(error: unknown): UnfitDatabase | undefined {
  if (!(error instanceof Error)) return undefined
  const problem = `Cannot set up the database: ${error.message}.`
  if (codeOf(error) === READ_ONLY) return new UnfitDatabase(`${problem} DATABASE_URL must be the primary.`)
  // The connection was refused for what DATABASE_URL asks of it, such as a setting that there is not.
  if (error instanceof pg.DatabaseError && error.severity === 'FATAL' && !isUnreachable(error)) {
    return new UnfitDatabase(problem)
  }
  if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) return undefined
  return new UnfitDatabase(
    `${problem} The user of DATABASE_URL must own the database and may have to create a role.`,
  )
}

/**
 * Whether all migrations that we have were run. Throws `UnfitDatabase` when others were, which only newer programs know,
 * or when they were run on another server, from which the role that they make did not come along.
 */
async function isNewest(gate: pg.Client): Promise<boolean> {
  const { rows: tables } = await gate.query(
    `select from pg_class where oid = to_regclass('schema_migrations')`,
  )
  if (tables.length === 0) return false
  const { rows } = await gate.query<{ name: string }>('select name from schema_migrations order by name')
  const files = (await readdir(MIGRATIONS_DIRECTORY)).filter((file) => file.endsWith('.sql'))
  const names = new Set(files.map((file) => file.slice(0, -'.sql'.length)))
  const unknown = rows.map(({ name }) => name).filter((name) => !names.has(name))
  if (unknown.length > 0) {
    throw new UnfitDatabase(
      `The database was migrated by another version of Quittance (${unknown.join(', ')}): start that one, or a newer one.`,
    )
  }
  // With none the very first migration was cut short, and the role is still to be made.
  if (rows.length > 0) await refuseWithoutRole(gate)
  return rows.length === names.size
}

/**
 * A dump of a database holds no roles. Restored where the service's role is not, its tables come without the policies
 * and the rights that name it.
 */
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
      `The database was restored where there was no role ${SERVICE_ROLE}, without what the service may do: run "create role ${SERVICE_ROLE}", then restore it again.`,
    )
  }
  if (rows[0]?.may_set_role === true) return
  throw new UnfitDatabase(
    `The user of DATABASE_URL may not become the role ${SERVICE_ROLE}: run "grant ${SERVICE_ROLE} to" with its name.`,
  )
}

/** Unique violation, duplicate table, duplicate type: which one depends on how far the other process was. */
const CREATED_BY_ANOTHER = new Set(['23505', '42P07', '42710'])

/** Two processes may create the same table at the same moment even with IF NOT EXISTS. */
function ignoreConcurrentCreation(error: unknown): void {
  if (error instanceof pg.DatabaseError && CREATED_BY_ANOTHER.has(error.code ?? '')) return
  throw error
}
