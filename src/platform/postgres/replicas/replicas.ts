import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { openHosts } from '#platform/postgres/hosts/hosts'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { readHostList } from '#platform/postgres/hosts/host-list'
import { refuseLentReplica } from '#platform/postgres/hosts/lent-connections'
import type { Replica, ReplicaReads } from '#platform/postgres/replicas/replica-reads'
import { UnfitDatabase } from '#platform/postgres/migrations/unfit-database'
import { currentRequestId } from '#platform/request-scope'
import { messageOf } from '#platform/thrown'

const EVERY_MS = 500
const CONNECTIONS = { maxConnections: 8, readers: 2 }
const MAX_REMEMBERED_WRITERS = 10_000

export interface ReplicaOptions {
  readonly primaryUrl: string
  readonly replicaUrl: string
  readonly maxLagMs: number
  readonly log: (message: string) => void
}

interface Sample {
  readonly atMs: number
  readonly position: bigint
  readonly timeline: string
}

/**
 * A replica is as old as the newest sample of the primary that it has replayed. That is right for a replica that is cut off from
 * its primary. It is also right for an idle primary, where the time of the last transaction would be wrong. After a failover the
 * samples of the old primary are invalid. Throws `UnfitDatabase` for a pool that lends connections; a replica that is away is
 * checked when it answers.
 */
export async function openReplicas(options: ReplicaOptions): Promise<ReplicaReads> {
  const { hosts } = readHostList(options.replicaUrl, 'DATABASE_REPLICA_URL')
  const replicas = hosts.map(({ name, url }) => new WatchedReplica(name, url, options))
  await Promise.all(replicas.map((replica) => replica.start()))
  const { primaryUrl } = options
  const primary = new PlainDatabase({
    url: primaryUrl,
    hosts: openHosts(primaryUrl),
    maxConnections: 1,
    readers: 1,
  })
  const writes = new RecentWrites()
  const samples: Sample[] = []
  const stopping = new AbortController()
  let turn = 0

  const poll = async (): Promise<void> => {
    try {
      const sample = await samplePrimary(primary)
      const last = samples.at(-1)
      if (last !== undefined && (last.timeline !== sample.timeline || last.position > sample.position)) {
        samples.length = 0
        for (const replica of replicas) replica.forget()
      }
      samples.push(sample)
    } catch {}
    const oldest = performance.now() - options.maxLagMs - EVERY_MS
    while (samples[0] !== undefined && samples[0].atMs < oldest) samples.shift()
    await Promise.all(replicas.map((replica) => replica.update(samples)))
  }
  const polling = (async () => {
    while (!stopping.signal.aborted) {
      await poll()
      await pause(stopping.signal)
    }
  })()

  const isFresh = (replica: Replica): boolean => replica.ageMs() <= options.maxLagMs
  return {
    choose: (businessId) => {
      turn++
      for (let index = 0; index < replicas.length; index++) {
        const replica = replicas[(turn + index) % replicas.length]
        if (replica !== undefined && isFresh(replica) && replica.asOfMs >= writes.lastOf(businessId))
          return replica
      }
      return undefined
    },
    isFresh,
    wrote: (businessId) => {
      if (currentRequestId() !== null) writes.add(businessId)
    },
    close: async () => {
      stopping.abort()
      await polling
      await Promise.all([primary.close(), ...replicas.map((replica) => replica.db.close())])
    },
  }
}

async function samplePrimary(primary: Database): Promise<Sample> {
  const atMs = performance.now()
  const [row] = await primary.shared.query<{ position: bigint; timeline: string }>(sql`
    select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint as position,
           left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as timeline`)
  if (row === undefined) throw new Error('a select without a table returns a row')
  return { atMs, ...row }
}

class WatchedReplica implements Replica {
  readonly db: Database
  asOfMs = -Infinity
  readonly #name: string
  readonly #url: string
  readonly #options: ReplicaOptions
  #pool: 'unchecked' | 'none' | 'refused' = 'unchecked'
  #wasFresh = false

  constructor(name: string, url: string, options: ReplicaOptions) {
    this.#name = name
    this.#url = url
    this.#options = options
    this.db = new PlainDatabase({ url, ...CONNECTIONS, isReplica: true })
  }

  ageMs(): number {
    return performance.now() - this.asOfMs
  }

  forget(): void {
    this.asOfMs = -Infinity
  }

  async start(): Promise<void> {
    try {
      await this.#refusePool()
    } catch (error) {
      if (error instanceof UnfitDatabase) throw error
      this.#options.log(`replica ${this.#name} ${cannotBeAsked(error)}: the primary serves lists`)
    }
  }

  async #refusePool(): Promise<void> {
    if (this.#pool === 'none') return
    await refuseLentReplica(this.#url)
    this.#pool = 'none'
  }

  async update(samples: readonly Sample[]): Promise<void> {
    if (this.#pool === 'refused') return
    let problem = `is more than ${this.#options.maxLagMs / 1000} s behind`
    try {
      await this.#refusePool()
      const [row] = await this.db.shared.query<{ position: bigint | null }>(sql`
        select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end as position`)
      const position = row?.position ?? null
      if (position === null) {
        this.forget()
        problem = 'is no replica'
      } else {
        const replayed = samples.findLast((sample) => sample.position <= position)
        if (replayed !== undefined) this.asOfMs = Math.max(this.asOfMs, replayed.atMs)
      }
    } catch (error) {
      if (error instanceof UnfitDatabase) {
        this.#pool = 'refused'
        this.#options.log(`replica ${this.#name} is not used. ${error.message}`)
        return
      }
      problem = cannotBeAsked(error)
    }
    const isFresh = this.ageMs() <= this.#options.maxLagMs
    if (isFresh !== this.#wasFresh) {
      this.#options.log(
        isFresh
          ? `replica ${this.#name} serves lists`
          : `replica ${this.#name} ${problem}: the primary serves lists`,
      )
    }
    this.#wasFresh = isFresh
  }
}

function cannotBeAsked(error: unknown): string {
  return `cannot be asked (${messageOf(error)})`
}

class RecentWrites {
  #forgottenAtMs = -Infinity
  readonly #writes = new LRUCache<string, number>({
    max: MAX_REMEMBERED_WRITERS,
    dispose: (atMs, _businessId, reason) => {
      if (reason === 'evict') this.#forgottenAtMs = Math.max(this.#forgottenAtMs, atMs)
    },
  })

  add(businessId: string): void {
    this.#writes.set(businessId, performance.now())
  }

  lastOf(businessId: string): number {
    return this.#writes.get(businessId) ?? this.#forgottenAtMs
  }
}

async function pause(stopping: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, EVERY_MS)
  stopping.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
}
