import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { memoizeAsync } from '#kernel/memoize'
import type { Placement } from '#platform/postgres/citus/tenant-nodes'
import type { RowsOfNodes, StatementOfAllTenants } from '#platform/postgres/database'
import { SCHEMA } from '#platform/postgres/session'

/** Work that is due in a moved shard may wait that long. Finding the shards costs several times as much as reading them. */
const MAX_AGE_OF_SHARDS_MS = 1_000
const MAX_ANSWER_MS = 2_000

type Node = Pick<Placement, 'host' | 'port'>

interface ShardOnNode extends Node {
  readonly names: Readonly<Record<string, string>>
}

interface Queries {
  query<Row extends object>(statement: Sql): Promise<Row[]>
}

interface NodeDatabase {
  readonly shared: Queries
  close(): Promise<void>
}

/**
 * Reads a table of all tenants with one statement for each node, which PostgreSQL plans alone. Through the coordinator each
 * shard would get a statement of its own, planned each time, and while one node is away the read would return nothing.
 */
export class AllShards {
  readonly #coordinator: Queries
  readonly #open: (node: Node) => Promise<NodeDatabase>
  readonly #nodes = new Map<string, Promise<NodeDatabase>>()
  readonly #shards = new LRUCache<string, Promise<readonly ShardOnNode[][]>>({
    max: 100,
    ttl: MAX_AGE_OF_SHARDS_MS,
  })

  constructor(coordinator: Queries, open: (node: Node) => Promise<NodeDatabase>) {
    this.#coordinator = coordinator
    this.#open = open
  }

  async read<Row extends object>(statement: StatementOfAllTenants): Promise<RowsOfNodes<Row>> {
    const nodes = await this.#nodesOf(statement.tables)
    const answers = await Promise.allSettled(nodes.map((ofNode) => this.#ask<Row>(ofNode, statement)))
    const failures = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    if (failures.length > 0) {
      this.#shards.clear()
      if (failures.length === nodes.length) throw failures[0]
    }
    return { rows: answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])), failures }
  }

  #nodesOf(tables: readonly string[]): Promise<readonly ShardOnNode[][]> {
    return memoizeAsync(this.#shards, tables.join(), () => this.#readNodesOf(tables))
  }

  async #readNodesOf(tables: readonly string[]): Promise<readonly ShardOnNode[][]> {
    const rows = await this.#coordinator.query<Node & { names: string }>(shardsOf(tables))
    const shards = rows.map((row) => ({ ...row, names: JSON.parse(row.names) as ShardOnNode['names'] }))
    return [...Map.groupBy(shards, addressOf).values()]
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#nodes.values()].map(async (opening) => (await opening).close()))
  }

  async #ask<Row extends object>(
    shards: readonly ShardOnNode[],
    { text }: StatementOfAllTenants,
  ): Promise<Row[]> {
    const [node] = shards
    if (node === undefined) return []
    const ofShards = shards.map(({ names }) => sql`(${text((name) => raw(`${SCHEMA}.${names[name]}`))})`)
    const asked = this.#databaseOf(node).then((db) => db.shared.query<Row>(join(ofShards, ' union all ')))
    const late = sleep(MAX_ANSWER_MS, undefined, { ref: false }).then(() => {
      throw new Error(`node ${addressOf(node)} has not answered for ${MAX_ANSWER_MS} ms`)
    })
    late.catch(() => {})
    return Promise.race([asked, late])
  }

  #databaseOf(node: Node): Promise<NodeDatabase> {
    return memoizeAsync(this.#nodes, addressOf(node), () => this.#open(node))
  }
}

function addressOf({ host, port }: Node): string {
  return `${host}:${port}`
}

/** For the coordinator. The tables are colocated, so a shard of each of them is on the same node. */
function shardsOf(tables: readonly string[]): Sql {
  return sql`
    select n.nodename as host, n.nodeport as port,
           json_object_agg(c.relname, c.relname || '_' || s.shardid)::text as names
      from pg_dist_shard s
      join pg_class c on c.oid = s.logicalrelid
      join pg_dist_placement p on p.shardid = s.shardid
      join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
     where s.logicalrelid = any(${tables}::text[]::regclass[])
     group by n.nodename, n.nodeport, s.shardminvalue
     order by n.nodename, n.nodeport, s.shardminvalue`
}
