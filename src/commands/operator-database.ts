import { OperatorError } from '#kernel/operator-error'
import type { Config } from '#platform/config'
import { openDatabase } from '#platform/postgres/open-database'
import type { Database } from '#platform/postgres/database'
import {
  acquireDataDirLock,
  DataDirInUse,
  hasDatabase,
  runningPostgresUrl,
  startEmbeddedPostgres,
} from '#platform/embedded-postgres/embedded-postgres'
import { migrate } from '#platform/postgres/migrations/migrate'

/** Few, because a busy service may share the database. */
const CONNECTIONS = 4

export interface OperatorDatabase {
  readonly db: Database
  readonly migrations: readonly string[]
}

/**
 * Runs a command on the installation's database: the one at DATABASE_URL, that of the service running on DATA_DIR, or the
 * embedded one, started for the duration of the command. A command makes no database: in the wrong directory it would otherwise
 * show an empty one.
 */
export async function withDatabase<T>(
  config: Config,
  command: (database: OperatorDatabase) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl !== undefined) return runOn(config.databaseUrl, command)
  for (;;) {
    const url = await runningPostgresUrl(config.dataDir)
    if (url !== undefined) return runOn(url, command)
    if (!(await hasDatabase(config.dataDir))) {
      throw new OperatorError(
        `There is no database in DATA_DIR ${config.dataDir}. Set DATA_DIR or DATABASE_URL as for the service, or make a database with npm start.`,
      )
    }
    const lock = await acquireDataDirLock(config.dataDir).catch((error: unknown) => {
      if (error instanceof DataDirInUse) return undefined
      throw error
    })
    // A service has started in the meantime and owns the database.
    if (lock === undefined) continue
    try {
      const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log: () => {} })
      try {
        return await runOn(postgres.url, command)
      } finally {
        await postgres.stop()
      }
    } finally {
      await lock.release()
    }
  }
}

async function runOn<T>(url: string, command: (database: OperatorDatabase) => Promise<T>): Promise<T> {
  const migrations = await migrate(url)
  const db = await openDatabase({ url, maxConnections: CONNECTIONS, readers: 1 })
  try {
    return await command({ db, migrations })
  } finally {
    await db.close()
  }
}
