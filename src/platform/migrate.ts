import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { OperatorError } from '#kernel/operator-error'
import { codeOf } from '#platform/unreachable'

const READ_ONLY = '25006'
const INSUFFICIENT_PRIVILEGE = '42501'
const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../migrations', import.meta.url))

/** The database cannot be used by this program. */
export class UnfitDatabase extends OperatorError {}

/** The oldest that the tests are run on. */
const OLDEST_MAJOR_VERSION = 15

/**
 * Brings the database to the newest migration. Safe when several processes start at once: they take
 * their turn on a lock inside a transaction (a session's advisory lock would not hold behind
 * pgbouncer), and the later ones find nothing left to do. All pending migrations commit together.
 * @param upTo how many migrations to run at most; tests use it to make an older database.
 * @returns the names of the migrations that were run. Throws `UnfitDatabase`.
 */
export async function migrate(url: string, upTo: number = Infinity): Promise<string[]> {
  const gate = new pg.Client({ connectionString: url })
  const client = new pg.Client({ connectionString: url })
  await gate.connect()
  try {
    const { rows } = await gate.query<{ server_version: string }>('show server_version')
    refuseOldVersion(rows[0]?.server_version ?? '')
    await gate.query('create table if not exists migration_gate ()').catch(ignoreConcurrentCreation)
    await gate.query('begin; lock table migration_gate in access exclusive mode')
    if (await isNewest(gate)) {
      await gate.query('commit')
      return []
    }
    await client.connect()
    // Loaded only when there is something to do: it costs every start otherwise, and memory for as long as we run.
    const { runner } = await import('node-pg-migrate')
    const run = await runner({
      dbClient: client,
      dir: MIGRATIONS_DIRECTORY,
      direction: 'up',
      migrationsTable: 'schema_migrations',
      count: upTo,
      checkOrder: true,
      noLock: true,
      singleTransaction: true,
      log: () => {},
    })
    await gate.query('commit')
    return run.map((migration) => migration.name)
  } catch (error) {
    throw unfitBy(error) ?? error
  } finally {
    await Promise.all([gate.end(), client.end()])
  }
}

/** @param version such as `14.9 (Debian 14.9-1)`; throws `UnfitDatabase` */
export function refuseOldVersion(version: string): void {
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR_VERSION) return
  throw new UnfitDatabase(
    `DATABASE_URL is PostgreSQL ${version}: Quittance needs ${OLDEST_MAJOR_VERSION} or newer.`,
  )
}

/** What to do about a database that does not let its user set it up; undefined when that is not what is wrong. */
function unfitBy(error: unknown): UnfitDatabase | undefined {
  if (!(error instanceof Error)) return undefined
  const problem = `Cannot set up the database: ${error.message}.`
  if (codeOf(error) === READ_ONLY) return new UnfitDatabase(`${problem} DATABASE_URL must be the primary.`)
  if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) return undefined
  return new UnfitDatabase(
    `${problem} The user of DATABASE_URL must own the database and may have to create a role.`,
  )
}

/** Whether all migrations that we have were run. Throws `UnfitDatabase` when others were, which only newer programs know. */
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
  return rows.length === names.size
}

/** Unique violation, duplicate table, duplicate type: which one depends on how far the other process was. */
const CREATED_BY_ANOTHER = new Set(['23505', '42P07', '42710'])

/** Two processes may create the same table at the same moment even with IF NOT EXISTS. */
function ignoreConcurrentCreation(error: unknown): void {
  if (error instanceof pg.DatabaseError && CREATED_BY_ANOTHER.has(error.code ?? '')) return
  throw error
}
