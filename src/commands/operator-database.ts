import type { Config } from '#platform/config'
import { Database } from '#platform/postgres/database'
import {
  acquireDataDirLock,
  DataDirInUse,
  runningPostgresUrl,
  startEmbeddedPostgres,
} from '#platform/embedded-postgres/embedded-postgres'
import { migrate } from '#platform/postgres/migrations/migrate'

/** A command needs few connections, beside a service that may be busy. */
const CONNECTIONS = 4

export interface OperatorDatabase {
  readonly db: Database
  /** The migrations that were run to open it. */
  readonly migrations: readonly string[]
}

/**
 * Runs a command of the operator on the installation's database: that of DATABASE_URL, of the service
 * that runs on DATA_DIR, or, when none does, the embedded one, started for as long as the command takes.
 */
export async function withDatabase<T>(
  config: Config,
  command: (database: OperatorDatabase) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl !== undefined) return runOn(config.databaseUrl, command)
  for (;;) {
    const url = await runningPostgresUrl(config.dataDir)
    if (url !== undefined) return runOn(url, command)
    const lock = await acquireDataDirLock(config.dataDir).catch((error: unknown) => {
      if (error instanceof DataDirInUse) return undefined
      throw error
    })
    // A service was started in between: it has the database.
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
  const db = new Database({ url, maxConnections: CONNECTIONS, readers: 1 })
  try {
    return await command({ db, migrations })
  } finally {
    await db.close()
  }
}
