import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readAccess, urlOf } from '#platform/embedded-postgres/cluster'
import { freePort } from '#platform/embedded-postgres/free-port'
import { startAutoFailoverPair } from '../../faults/auto-failover-pair.ts'
import { DatabaseNode } from '../../faults/database-node.ts'
import { startDatabasePair } from '../../faults/database-pair.ts'
import { crashByCommand, killIfAlive, postmasterPid, stopPostmaster } from '../../faults/postmaster.ts'
import type { Supervisor } from '../plan/plan.ts'
import type { Failover } from '../plan/draw-faults.ts'

/** The database under the processes of a topology. */
export interface SystemDatabase {
  /** Undefined when the service brings its own. */
  readonly url: string | undefined
  /** The URL of what takes writes now, as its owner; undefined while it was never started. */
  ownerUrl(): Promise<string | undefined>
  /**
   * Ends the server that takes writes, and returns whether there was one. Resolves once it is gone, a pair's once the other one
   * takes writes.
   */
  crash(failover?: Failover, onLost?: () => void): Promise<boolean>
  /** Resolves once the database is as it was before the crashes. */
  recover(): Promise<void>
  stop(): Promise<void>
}

/** The embedded PostgreSQL of a service, which starts it again itself. */
export function embeddedIn(dataDir: string): SystemDatabase {
  return {
    url: undefined,
    ownerUrl: async () => {
      const { password, port } = (await readAccess(dataDir)) ?? {}
      return password === undefined || port === undefined ? undefined : urlOf({ password, port })
    },
    crash: () => crashIn(dataDir),
    recover: async () => {},
    stop: async () => {
      const pid = await postmasterPid(dataDir)
      if (pid !== undefined) await stopPostmaster(pid)
    },
  }
}

/** A PostgreSQL that is started again after each crash. */
export async function startSingle(root: string): Promise<SystemDatabase> {
  const node = new DatabaseNode(join(root, 'database'), await freePort())
  await node.startNew()
  let restarting: Promise<void> = Promise.resolve()
  return {
    url: node.url(),
    ownerUrl: async () => node.url(),
    crash: async () => {
      await restarting
      await node.kill()
      restarting = node.restart()
      restarting.catch(() => {})
      return true
    },
    recover: () => restarting,
    stop: async () => {
      await restarting.catch(() => {})
      await node.stop()
    },
  }
}

/** A primary and its synchronous replica, which takes its place. */
export async function startPair(supervisor: Supervisor = 'simulation'): Promise<SystemDatabase> {
  const pair = await (supervisor === 'simulation' ? startDatabasePair() : startAutoFailoverPair())
  let isWhole = true
  return {
    url: pair.url,
    ownerUrl: async () => pair.url,
    crash: async (failover, onLost = () => {}) => {
      if (!isWhole) await pair.rejoin()
      isWhole = false
      await pair.failOver({ ...failover, onLost })
      await sleep(failover?.aloneMs ?? 0)
      return true
    },
    recover: async () => {
      if (!isWhole) await pair.rejoin()
      isWhole = true
    },
    stop: () => pair.stop(),
  }
}

/** A database of the caller's, which a shell command crashes and starts again. */
export function externalDatabase(url: string, crashCommand: string | undefined): SystemDatabase {
  return {
    url,
    ownerUrl: async () => url,
    crash: async () => crashCommand !== undefined && crashByCommand({ command: crashCommand, url }),
    recover: async () => {},
    stop: async () => {},
  }
}

async function crashIn(dataDir: string): Promise<boolean> {
  const pid = await postmasterPid(dataDir)
  return pid !== undefined && killIfAlive(pid, 'SIGKILL')
}
