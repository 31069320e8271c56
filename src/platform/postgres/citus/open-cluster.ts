import { OperatorError } from '#kernel/operator-error'
import type { FairQueue } from '#platform/admission/fair-queue'
import { AllShards } from '#platform/postgres/citus/all-shards'
import { DistributedDatabase } from '#platform/postgres/citus/distributed-database'
import { sessionOf, SHARED_ROLE } from '#platform/postgres/citus/shard-session'
import { createShardViews, shardOf, whileNoMigrationRuns } from '#platform/postgres/citus/shard-views'
import { type Placement, TenantNodes } from '#platform/postgres/citus/tenant-nodes'
import { WatchedNode } from '#platform/postgres/citus/watched-node'
import type { Database } from '#platform/postgres/database'
import { urlOnHost } from '#platform/postgres/hosts/host-list'
import { openHosts, writableUrl } from '#platform/postgres/hosts/hosts'
import { newestMigration } from '#platform/postgres/migrations/migration-files'
import { checked, type DatabaseCheck, type DatabaseOptions } from '#platform/postgres/database-options'
import { withOwnerConnection } from '#platform/postgres/owner-connection'
import { queueOfConnections } from '#platform/postgres/plain/connections'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'

/** Both numbers: docs/operating/citus.md. */
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

export function isCitus(url: string): Promise<boolean> {
  return withOwnerConnection(url, async (owner) => {
    const { rows } = await owner.query(`select from pg_extension where extname = 'citus'`)
    return rows.length > 0
  })
}

export async function openCluster(
  { replicas, onNewPrimary, ...options }: DatabaseOptions,
  check: DatabaseCheck,
): Promise<Database> {
  if (replicas !== undefined) {
    await replicas.close()
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
    const { url: nodeUrl, queue } = node
    return checked(
      new PlainDatabase({ ...options, ...sessionOf(shard), url: nodeUrl, hosts, queue, readers: 1 }),
      check,
    )
  }
  const closeNodes = () => Promise.all([...nodes.values()].map(({ connections }) => connections.close()))
  const openNode = ({ host, port }: Pick<Placement, 'host' | 'port'>): Promise<Database> => {
    const nodeUrl = urlOnHost(url, host, port)
    return checked(
      new PlainDatabase({ ...options, url: nodeUrl, maxConnections: CONNECTIONS_FOR_LOOKS, readers: 1 }),
      check,
    )
  }
  const coordinator = new PlainDatabase({
    ...options,
    hosts: openHosts(options.url, onNewPrimary),
    role: SHARED_ROLE,
    settings: COORDINATOR_SETTINGS,
  })
  const { shared } = coordinator
  const tenants = new TenantNodes(shared, openShard, closeNodes)
  return checked(new DistributedDatabase(coordinator, tenants, new AllShards(shared, openNode)), check)
}
