import type { Database, SharedStatements } from '#platform/postgres/database'
import type { OnNewPrimary } from '#platform/postgres/hosts/hosts'
import type { PlainOptions } from '#platform/postgres/plain/plain-database'
import type { ReplicaReads } from '#platform/postgres/replicas/replica-reads'

type ConnectionOptions = Pick<
  PlainOptions,
  'url' | 'applicationName' | 'maxConnections' | 'readers' | 'observer' | 'settings'
>

export interface DatabaseOptions extends ConnectionOptions {
  readonly replicas?: ReplicaReads | undefined
  readonly onNewPrimary?: OnNewPrimary
}

export type DatabaseCheck = (shared: SharedStatements) => Promise<void>

export async function checked<Db extends Database>(db: Db, check: DatabaseCheck): Promise<Db> {
  try {
    await check(db.shared)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}
