import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres'
import { startDatabasePair } from '../../faults/database-pair.ts'
import { killIfAlive, postmasterPid, stopPostmaster } from '../../faults/postmaster.ts'
import type { Failover } from '../plan/draw-faults.ts'

/** The database under the processes of a topology. */
export interface SystemDatabase {
  /** Undefined when the service brings its own. */
  readonly url: string | undefined
  /** Ends the server that takes writes. Resolves once it is gone, a pair's once the other one takes writes. */
  crash(failover?: Failover): Promise<void>
  /** Resolves once the database is as it was before the crashes. */
  recover(): Promise<void>
  stop(): Promise<void>
}

/** The embedded PostgreSQL of a service, which starts it again itself. */
export function embeddedIn(dataDir: string): SystemDatabase {
  return {
    url: undefined,
    crash: () => crashIn(dataDir),
    recover: async () => {},
    stop: async () => {
      const pid = await postmasterPid(dataDir)
      if (pid !== undefined) await stopPostmaster(pid)
    },
  }
}

/** A PostgreSQL that a supervisor starts again after each crash. */
export async function startSingle(root: string): Promise<SystemDatabase> {
  const dataDir = join(root, 'database')
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
  return {
    url: server.url,
    crash: () => crashIn(dataDir),
    recover: async () => {
      while ((await postmasterPid(dataDir)) === undefined) await sleep(50)
    },
    stop: () => server.stop(),
  }
}

/** A primary and its synchronous replica, which takes its place. */
export async function startPair(): Promise<SystemDatabase> {
  const pair = await startDatabasePair()
  let isWhole = true
  return {
    url: pair.url,
    crash: async (failover) => {
      if (!isWhole) await pair.rejoin()
      isWhole = false
      await pair.failOver(failover)
      await sleep(failover?.aloneMs ?? 0)
    },
    recover: async () => {
      if (!isWhole) await pair.rejoin()
      isWhole = true
    },
    stop: () => pair.stop(),
  }
}

async function crashIn(dataDir: string): Promise<void> {
  const pid = await postmasterPid(dataDir)
  if (pid !== undefined) killIfAlive(pid, 'SIGKILL')
}
