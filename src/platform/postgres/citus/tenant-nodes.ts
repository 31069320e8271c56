import { LRUCache } from 'lru-cache'
import pg from 'pg'
import sql from 'sql-template-tag'
import type { SharedStatements } from '#platform/postgres/database'
import { isUnreachable } from '#platform/postgres/database-errors'

const MAX_REMEMBERED_TENANTS = 50_000
const MAX_ATTEMPTS = 3
/** A statement that Citus would have to send to another node fails so, because the role of tenants may not log in there. */
const CONNECTION_FAILURE = '08006'

interface Node {
  readonly name: string
  readonly port: number
}

interface NodeDatabase {
  close(): Promise<void>
}

/**
 * Finds the node of a tenant and runs its work there. A shard that was moved is noticed when a statement of the tenant is
 * refused on the old node; its transaction was rolled back, and runs again on the new node.
 */
export class TenantNodes<Db extends NodeDatabase> {
  readonly #coordinator: Pick<SharedStatements, 'query'>
  readonly #open: (node: Node) => Db
  readonly #databases = new Map<string, Db>()
  readonly #tenants = new LRUCache<string, Promise<Db>>({ max: MAX_REMEMBERED_TENANTS })

  constructor(coordinator: Pick<SharedStatements, 'query'>, open: (node: Node) => Db) {
    this.#coordinator = coordinator
    this.#open = open
  }

  async run<T>(businessId: string, work: (db: Db) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const db = await this.#nodeOf(businessId)
      try {
        return await work(db)
      } catch (error) {
        if (isRefusedElsewhere(error)) {
          this.#tenants.clear()
          if (attempt < MAX_ATTEMPTS && (await this.#nodeOf(businessId)) !== db) continue
        } else if (isUnreachable(error)) this.#tenants.clear()
        throw error
      }
    }
  }

  get databases(): Iterable<Db> {
    return this.#databases.values()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#databases.values()].map((db) => db.close()))
  }

  #nodeOf(businessId: string): Promise<Db> {
    const known = this.#tenants.get(businessId)
    if (known !== undefined) return known
    const found = this.#find(businessId)
    found.catch(() => this.#tenants.delete(businessId))
    this.#tenants.set(businessId, found)
    return found
  }

  async #find(businessId: string): Promise<Db> {
    const [node] = await this.#coordinator.query<Node>(sql`
      select n.nodename as name, n.nodeport as port
        from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
       where p.shardid = get_shard_id_for_distribution_column('business_clocks', ${businessId}::text)`)
    if (node === undefined) throw new Error('no node of Citus has the shard of the tenant')
    const key = `${node.name}:${node.port}`
    let db = this.#databases.get(key)
    if (db === undefined) {
      db = this.#open(node)
      this.#databases.set(key, db)
    }
    return db
  }
}

function isRefusedElsewhere(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === CONNECTION_FAILURE
}
