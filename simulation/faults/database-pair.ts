import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#platform/embedded-postgres/free-port'
import { DatabaseNode } from './database-node.ts'

/**
 * - `url`: Names both nodes, and asks for the one that takes writes.
 * - `failOver`: The primary is lost, and the replica is promoted. Resolves when the new primary takes writes.
 * - `rejoin`: The lost node comes back as an empty machine, copies the new primary and follows it. Resolves when
 *   commits wait for it again. Without it the next `failOver` has nothing to promote.
 */
export interface DatabasePair {
  readonly url: string
  failOver(options?: FailOverOptions): Promise<void>
  rejoin(): Promise<void>
  stop(): Promise<void>
}

/**
 * - `hangs`: The primary falls silent, and its connections stay open. Otherwise they are reset.
 * - `detectionMs`: How long the supervisor of a real pair takes to notice.
 * - `onLost`: Called when the primary is gone.
 */
interface FailOverOptions {
  readonly hangs?: boolean
  readonly detectionMs?: number
  readonly onLost?: () => void
}

/** A primary and a synchronous replica: what the primary has committed, the replica has on its disk. */
export async function startDatabasePair(): Promise<
  DatabasePair & {
    readonly primaryUrl: () => string
    readonly replicaUrl: () => string
  }
> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'quittance-pair-')))
  let primary = new DatabaseNode(join(root, 'a'), await freePort())
  let replica = new DatabaseNode(join(root, 'b'), await freePort())
  const stop = async (): Promise<void> => {
    await Promise.all([primary.stop(), replica.stop()])
    await rm(root, { recursive: true, force: true })
  }
  const follow = async (): Promise<void> => {
    await replica.startAsReplicaOf(primary)
    await primary.requireReplica()
  }
  try {
    await primary.startNew()
    await follow()
  } catch (error) {
    await stop()
    throw error
  }
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${replica.port}`
  return {
    url: `postgres://quittance:${primary.password}@${hosts}/quittance?target_session_attrs=read-write`,
    primaryUrl: () => primary.url(),
    replicaUrl: () => replica.url(),
    failOver: async ({ hangs = false, detectionMs = 0, onLost = () => {} } = {}) => {
      await (hangs ? primary.hang() : primary.kill())
      onLost()
      await sleep(detectionMs)
      await replica.promote()
      ;[primary, replica] = [replica, primary]
    },
    rejoin: async () => {
      await replica.kill()
      await follow()
    },
    stop,
  }
}
