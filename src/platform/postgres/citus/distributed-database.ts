import sql, { type Sql } from 'sql-template-tag'
import type { AllShards } from '#platform/postgres/citus/all-shards'
import type { TenantNodes } from '#platform/postgres/citus/tenant-nodes'
import type {
  ConnectionCounts,
  Database,
  RowsOfNodes,
  SharedDatabase,
  StatementOfAllTenants,
  Tx,
} from '#platform/postgres/database'
import { Activity } from '#platform/postgres/plain/activity'
import type { TransactOptions } from '#platform/postgres/tenant-session'

/** The interval of docs/operating/citus.md. */
const READ_ALL_TENANTS_EVERY_MS = 400

export class DistributedDatabase implements Database {
  readonly #coordinator: Database
  readonly #tenants: TenantNodes<Database>
  readonly #allShards: AllShards
  readonly #activity = new Activity()
  readonly readAllTenantsEveryMs = READ_ALL_TENANTS_EVERY_MS
  readonly shared: SharedDatabase

  constructor(coordinator: Database, tenants: TenantNodes<Database>, allShards: AllShards) {
    this.#coordinator = coordinator
    this.#tenants = tenants
    this.#allShards = allShards
    this.shared = coordinator.shared
  }

  transact<T>(businessId: string, work: (tx: Tx) => Promise<T>, options?: TransactOptions): Promise<T> {
    return this.#activity.measure(() =>
      this.#tenants.run(businessId, (db) => db.transact(businessId, work, options)),
    )
  }

  read<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    return this.#tenants.run(businessId, (db) => db.read<Row>(businessId, statement))
  }

  autocommit<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    return this.#tenants.run(businessId, (db) => db.autocommit<Row>(businessId, statement))
  }

  readAllTenants<Row extends object>(statement: StatementOfAllTenants): Promise<RowsOfNodes<Row>> {
    return this.#allShards.read<Row>(statement)
  }

  async onAllNodes(text: string): Promise<void> {
    const failed = await this.shared.query<{ result: string }>(
      sql`select result from run_command_on_all_nodes(${text}) where not success`,
    )
    const [first] = failed
    if (first !== undefined) throw new Error(`a node of Citus failed: ${first.result}`)
  }

  get transactionsCommitted(): number {
    return this.#activity.committed
  }

  /** Checks the coordinator only: if the disk of a node is full, the tenants of other nodes can still be served. */
  get isDiskFull(): boolean {
    return this.#coordinator.isDiskFull
  }

  connections(): ConnectionCounts {
    const counts = { ...this.#coordinator.connections() }
    for (const db of this.#tenants.databases) {
      const { busy, idle, waiting } = db.connections()
      counts.busy += busy
      counts.idle += idle
      counts.waiting += waiting
    }
    return counts
  }

  onTransaction(observe: (durationMs: number) => void): void {
    this.#activity.observe = observe
  }

  async close(): Promise<void> {
    await Promise.all([this.#tenants.close(), this.#allShards.close()])
    await this.#coordinator.close()
  }
}
