import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres'
import { killIfAlive, postmasterPid, stopPostmaster } from '../../faults/postmaster.ts'

/** The database under the processes of a topology. */
export interface SystemDatabase {
  /** Undefined when the service brings its own. */
  readonly url: string | undefined
  /** SIGKILL of the server that takes writes. Returns whether one was running. */
  crash(): Promise<boolean>
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

async function crashIn(dataDir: string): Promise<boolean> {
  const pid = await postmasterPid(dataDir)
  return pid !== undefined && killIfAlive(pid, 'SIGKILL')
}
