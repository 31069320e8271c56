import type pg from 'pg'
import { raw, type Sql } from 'sql-template-tag'
import type { FairQueue, QueueObserver } from '#platform/admission/fair-queue'
import { platformErrors } from '#platform/errors'
import { traced } from '#platform/observability/tracing'
import {
  type ConnectionCounts,
  type Database,
  MAX_COMMIT_MS,
  type RowsOfNodes,
  type SharedDatabase,
  type StatementOfAllTenants,
  type Tx,
} from '#platform/postgres/database'
import { withRetries } from '#platform/postgres/database-errors'
import { Activity } from '#platform/postgres/plain/activity'
import { Connections, queueOfConnections } from '#platform/postgres/plain/connections'
import { DiskSpace } from '#platform/postgres/plain/disk-space'
import { isUnreplicated, UnreplicatedCommit } from '#platform/postgres/plain/durability'
import { type Hosts, singleHost } from '#platform/postgres/plain/host'
import { Readers } from '#platform/postgres/plain/readers'
import { TenantLimiter } from '#platform/postgres/tenant-limiter'
import { Transactions } from '#platform/postgres/plain/transactions'
import {
  CONNECTION_CONFIG,
  MAX_RESPONSE_MS,
  type SessionOptions,
  withDeadline,
} from '#platform/postgres/session'
import { maxWorkMs, type TransactOptions } from '#platform/postgres/tenant-session'
import { wire } from '#platform/postgres/wire/current-wire'
import { tracedStatement } from '#platform/postgres/wire/statement-trace'
import { codeOf } from '#platform/thrown'

export interface PlainOptions extends SessionOptions {
  readonly url: string
  readonly hosts?: Hosts
  readonly queue?: FairQueue
  readonly applicationName?: string
  readonly maxConnections?: number
  readonly readers?: number
  readonly observer?: QueueObserver
}

/**
 * A filter of fifty conditions that match nothing reads every row of the tenant. Two searches per tenant leave
 * processors to other tenants, and eight in all leave half of the pool's connections.
 */
const SEARCH_LIMITS = { perTenant: 2, total: 8, waitingPerTenant: 200 }
const QUERY_CANCELED = '57014'
const NO_TENANT = ''
const TRANSACTION_SPAN = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const

export class PlainDatabase implements Database {
  readonly #hosts: Hosts
  readonly #connections: Connections
  readonly #readers: Readers
  readonly #searches = new TenantLimiter(SEARCH_LIMITS)
  readonly #diskSpace = new DiskSpace()
  readonly #transactions: Transactions
  readonly #activity = new Activity()
  readonly readAllTenantsEveryMs = 0

  constructor(options: PlainOptions) {
    const { url, applicationName, maxConnections: slots = 16, observer } = options
    const config = {
      ...(applicationName !== undefined && { fallback_application_name: applicationName }),
      ...CONNECTION_CONFIG,
      ...wire.clientConfig,
    }
    const queue = options.queue ?? queueOfConnections(slots, observer)
    this.#hosts = options.hosts ?? singleHost(url)
    this.#connections = new Connections(this.#hosts, { config, session: options, slots, queue })
    this.#readers = new Readers(this.#hosts, config, options)
    this.#transactions = new Transactions(options.entering, this.#diskSpace)
  }

  transact<T>(businessId: string, work: (tx: Tx) => Promise<T>, options: TransactOptions = {}): Promise<T> {
    const transact = () =>
      options.isSearch === true
        ? this.#search(businessId, work, options)
        : this.#transact(businessId, work, options)
    return this.#activity.measure(() => traced('transaction', TRANSACTION_SPAN, transact))
  }

  async #search<T>(businessId: string, work: (tx: Tx) => Promise<T>, options: TransactOptions): Promise<T> {
    try {
      return await this.#searches.run(businessId, () => this.#transact(businessId, work, options))
    } catch (error) {
      throw codeOf(error) === QUERY_CANCELED ? platformErrors.search_too_slow({ cause: error }) : error
    }
  }

  #transact<T>(businessId: string, work: (tx: Tx) => Promise<T>, options: TransactOptions): Promise<T> {
    const run = (client: pg.PoolClient): Promise<T> => {
      const finished = this.#transactions.run(client, businessId, work, options)
      return withDeadline(client, maxWorkMs(options) + MAX_COMMIT_MS, finished)
    }
    return withRetries(() => this.#connections.use(businessId, run, options.waitingSinceMs))
  }

  read<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    return tracedStatement(statement, () => this.#readers.query<Row>(businessId, statement))
  }

  autocommit<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    return this.#readers.queryNow<Row>(businessId, statement)
  }

  readonly shared: SharedDatabase = {
    query: <Row extends object>(statement: Sql): Promise<Row[]> =>
      tracedStatement(statement, () =>
        this.#connections.useFirst((connect) =>
          withRetries(async () => {
            const client = await connect()
            let isBroken = true
            try {
              const { rows } = await withDeadline(client, MAX_RESPONSE_MS, wire.query<Row>(client, statement))
              if (isUnreplicated(client)) throw new UnreplicatedCommit()
              isBroken = false
              return rows
            } finally {
              client.release(isBroken)
            }
          }),
        ),
      ),
    autocommit: <Row extends object>(statement: Sql): Promise<Row[]> =>
      this.#readers.queryNow<Row>(NO_TENANT, statement),
  }

  async readAllTenants<Row extends object>(statement: StatementOfAllTenants): Promise<RowsOfNodes<Row>> {
    return { rows: await this.shared.query<Row>(statement.text(raw)), failures: [] }
  }

  async onAllNodes(text: string): Promise<void> {
    await this.shared.query(raw(text))
  }

  get transactionsCommitted(): number {
    return this.#activity.committed
  }

  get isDiskFull(): boolean {
    return this.#diskSpace.isFull
  }

  connections(): ConnectionCounts {
    return this.#connections.counts()
  }

  onTransaction(observe: (durationMs: number) => void): void {
    this.#activity.observe = observe
  }

  async close(): Promise<void> {
    await Promise.all([this.#connections.close(), this.#readers.close(), this.#hosts.close()])
  }
}
