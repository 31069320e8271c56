import { OperatorError } from '#kernel/operator-error'
import type { FairQueue } from '#platform/admission/fair-queue'
import { AllShards } from '#platform/postgres/citus/all-shards'
import { createShardViews, shardOf, whileNoMigrationRuns } from '#platform/postgres/citus/shard-views'
import { type Placement, TenantNodes } from '#platform/postgres/citus/tenant-nodes'
import { WatchedNode } from '#platform/postgres/citus/watched-node'
import {
  Database,
  type DatabaseOptions,
  queueOfConnections,
  type SharedStatements,
} from '#platform/postgres/database'
import { urlOnHost } from '#platform/postgres/hosts/host-list'
import { writableUrl } from '#platform/postgres/hosts/hosts'
import { newestMigration } from '#platform/postgres/migrations/migration-files'
import { withOwnerConnection } from '#platform/postgres/owner-connection'
import { SHARED_ROLE } from '#platform/postgres/session'

const CONNECTIONS_PER_NODE = 16
const CONNECTIONS_FOR_LOOKS = 2

/**
 * A metric about all tenants reads a few rows of each shard. With the default, Citus opens further connections to a node that has
 * not answered after 10 ms and closes them after the statement: the busier the nodes, the more new processes.
 */
const COORDINATOR_SETTINGS = { 'citus.max_adaptive_executor_pool_size': '1' }

interface Node {
  readonly url: string
  readonly queue: FairQueue
  readonly connections: WatchedNode
}

type Check = (shared: SharedStatements) => Promise<void>

/**
 * Opens a migrated database: one PostgreSQL, or the coordinator and the nodes of Citus.
 * @param check runs on each of them before it is used
 */
export async function openDatabase(
  options: DatabaseOptions,
  check: Check = async () => {},
): Promise<Database> {
  if (!(await isCitus(options.url))) return checked(new Database(options), check)
  if (options.replicas !== undefined) {
    await options.replicas.close()
    throw new OperatorError('DATABASE_REPLICA_URL cannot be used with Citus: leave it out.')
  }
  const url = await writableUrl(options.url)
  const version = await newestMigration()
  const nodes = new Map<string, Node>()
  const nodeOf = ({ host, port }: Placement): Node => {
    const name = `${host}:${port}`
    const known = nodes.get(name)
    if (known !== undefined) return known
    const nodeUrl = urlOnHost(url, host, port)
    const queue = queueOfConnections(options.maxConnections ?? CONNECTIONS_PER_NODE, options.observer)
    const node = { url: nodeUrl, queue, connections: new WatchedNode(nodeUrl, name) }
    nodes.set(name, node)
    return node
  }
  const openShard = async (placement: Placement): Promise<Database> => {
    const node = nodeOf(placement)
    const { hosts } = node.connections
    await hosts.ready()
    const shard = shardOf(placement.shard, version)
    await whileNoMigrationRuns(url, () => createShardViews(node.url, shard))
    return checked(
      new Database({ ...options, url: node.url, hosts, shard, queue: node.queue, readers: 1 }),
      check,
    )
  }
  const closeNodes = () => Promise.all([...nodes.values()].map(({ connections }) => connections.close()))
  const openNode = ({ host, port }: Pick<Placement, 'host' | 'port'>): Promise<Database> =>
    checked(
      new Database({
        ...options,
        url: urlOnHost(url, host, port),
        maxConnections: CONNECTIONS_FOR_LOOKS,
        readers: 1,
      }),
      check,
    )
  const coordinator = new Database({
    ...options,
    role: SHARED_ROLE,
    settings: COORDINATOR_SETTINGS,
    tenants: (shared) => new TenantNodes(shared, openShard, closeNodes),
    allShards: (shared) => new AllShards(shared, openNode),
  })
  return checked(coordinator, check)
}

async function checked(db: Database, check: Check): Promise<Database> {
  try {
    await check(db.shared)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

function isCitus(url: string): Promise<boolean> {
  return withOwnerConnection(url, async (owner) => {
    const { rows } = await owner.query(`select from pg_extension where extname = 'citus'`)
    return rows.length > 0
  })
}
