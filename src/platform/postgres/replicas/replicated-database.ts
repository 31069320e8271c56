import type { Sql } from 'sql-template-tag'
import type {
  ConnectionCounts,
  Database,
  RowsOfNodes,
  SharedDatabase,
  StatementOfAllTenants,
  Tx,
} from '#platform/postgres/database'
import { Activity } from '#platform/postgres/plain/activity'
import { readSomewhere, type ReplicaReads } from '#platform/postgres/replicas/replica-reads'
import type { TransactOptions } from '#platform/postgres/tenant-session'

export class ReplicatedDatabase implements Database {
  readonly #primary: Database
  readonly #reads: ReplicaReads
  readonly #activity = new Activity()
  readonly shared: SharedDatabase

  constructor(primary: Database, reads: ReplicaReads) {
    this.#primary = primary
    this.#reads = reads
    this.shared = primary.shared
  }

  transact<T>(businessId: string, work: (tx: Tx) => Promise<T>, options: TransactOptions = {}): Promise<T> {
    const onWrite = () => this.#reads.wrote(businessId)
    return this.#activity.measure(() =>
      readSomewhere(
        this.#reads,
        businessId,
        () => this.#primary.transact(businessId, work, { ...options, onWrite }),
        (replica) => replica.transact(businessId, work, options),
      ),
    )
  }

  read<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    return readSomewhere(
      this.#reads,
      businessId,
      () => this.#primary.read<Row>(businessId, statement),
      (replica) => replica.read<Row>(businessId, statement),
    )
  }

  async autocommit<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    const rows = await this.#primary.autocommit<Row>(businessId, statement)
    this.#reads.wrote(businessId)
    return rows
  }

  readAllTenants<Row extends object>(statement: StatementOfAllTenants): Promise<RowsOfNodes<Row>> {
    return this.#primary.readAllTenants<Row>(statement)
  }

  onAllNodes(text: string): Promise<void> {
    return this.#primary.onAllNodes(text)
  }

  get transactionsCommitted(): number {
    return this.#activity.committed
  }

  get readAllTenantsEveryMs(): number {
    return this.#primary.readAllTenantsEveryMs
  }

  get isDiskFull(): boolean {
    return this.#primary.isDiskFull
  }

  connections(): ConnectionCounts {
    return this.#primary.connections()
  }

  onTransaction(observe: (durationMs: number) => void): void {
    this.#activity.observe = observe
  }

  async close(): Promise<void> {
    await this.#reads.close()
    await this.#primary.close()
  }
}
