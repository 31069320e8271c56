import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import sql, { type Sql } from 'sql-template-tag'
import { memoizeAsync } from '#kernel/memoize'
import { NOT_HERE } from '#platform/postgres/citus/setup/distribute'
import { isUnreachable } from '#platform/postgres/database-errors'
import { codeOf, messageOf } from '#platform/thrown'

const MAX_REMEMBERED_TENANTS = 50_000
const MAX_ATTEMPTS = 3
const PAUSE_MS = 50
const INTERNAL_ERROR = 'XX000'
/** Longer than any transaction that may still be under way. */
export const CLOSED_AFTER_MS = 60_000

export interface Placement {
  readonly host: string
  readonly port: number
  readonly shard: string
}

export function placementOf(businessId: string): Sql {
  return sql`
    select n.nodename as host, n.nodeport as port, p.shardid::text as shard
      from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
     where p.shardid = get_shard_id_for_distribution_column('business_clocks', ${businessId}::text)`
}

/** A shard that was split has no number any more, and Citus reports that as a defect. */
function isOfSplitShard(error: unknown): boolean {
  return codeOf(error) === INTERNAL_ERROR && messageOf(error).includes('could not find valid entry for shard')
}

interface Coordinator {
  query<Row extends object>(statement: Sql): Promise<Row[]>
}

interface ShardDatabase {
  close(): Promise<void>
}

/**
 * Finds the shard of a tenant and runs its work on the shard's node. When the shard was moved, the work is refused on the old
 * node before it has done anything, and runs on the new one.
 */
export class TenantNodes<Db extends ShardDatabase> {
  readonly #coordinator: Coordinator
  readonly #open: (placement: Placement) => Promise<Db>
  readonly #closeNodes: () => Promise<unknown>
  readonly #databases = new Map<string, { opening: Promise<Db>; db?: Db }>()
  readonly #opened = new Set<Db>()
  readonly #tenants = new LRUCache<string, Promise<Db>>({ max: MAX_REMEMBERED_TENANTS })

  constructor(
    coordinator: Coordinator,
    open: (placement: Placement) => Promise<Db>,
    closeNodes: () => Promise<unknown>,
  ) {
    this.#coordinator = coordinator
    this.#open = open
    this.#closeNodes = closeNodes
  }

  async run<T>(businessId: string, work: (db: Db) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const db = await this.#databaseOf(businessId)
      try {
        return await work(db)
      } catch (error) {
        const isElsewhere = codeOf(error) === NOT_HERE || isOfSplitShard(error)
        if (isElsewhere) this.#forget(db)
        else if (isUnreachable(error)) this.#tenants.delete(businessId)
        if (!isElsewhere || attempt >= MAX_ATTEMPTS) throw error
        if (attempt > 1) await sleep(PAUSE_MS)
      }
    }
  }

  get databases(): Iterable<Db> {
    return this.#opened
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#databases.values()].map(({ opening }) => opening))
    await Promise.all([...this.#opened].map((db) => db.close()))
    await this.#closeNodes()
  }

  #databaseOf(businessId: string): Promise<Db> {
    return memoizeAsync(this.#tenants, businessId, () => this.#find(businessId))
  }

  /** While a split commits, a statement may find the number of the old shard and the places of the new ones. */
  async #placementOf(businessId: string): Promise<Placement> {
    for (let attempt = 1; ; attempt++) {
      const [placement] = await this.#coordinator.query<Placement>(placementOf(businessId))
      if (placement !== undefined) return placement
      if (attempt >= MAX_ATTEMPTS) throw new Error('no node of Citus has the shard of the tenant')
    }
  }

  async #find(businessId: string): Promise<Db> {
    const placement = await this.#placementOf(businessId)
    const key = `${placement.host}:${placement.port} ${placement.shard}`
    const known = this.#databases.get(key)
    if (known !== undefined) return known.opening
    const entry: { opening: Promise<Db>; db?: Db } = { opening: this.#open(placement) }
    this.#databases.set(key, entry)
    try {
      entry.db = await entry.opening
      this.#opened.add(entry.db)
      return entry.db
    } catch (error) {
      this.#databases.delete(key)
      throw error
    }
  }

  #forget(db: Db): void {
    this.#tenants.clear()
    for (const [key, known] of this.#databases) {
      if (known.db === db) this.#databases.delete(key)
    }
    setTimeout(() => {
      if (this.#opened.delete(db)) void db.close().catch(() => {})
    }, CLOSED_AFTER_MS).unref()
  }
}
