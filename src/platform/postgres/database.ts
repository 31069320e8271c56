import pg from 'pg'
import { LRUCache } from 'lru-cache'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { realNowMs } from '#kernel/clock'
import {
  allSucceeded,
  type ClockRow,
  enterShard,
  isReadOnly,
  isSameClock,
  MAX_WORK_MS,
  maxWorkMs,
  readClock,
  setTenant,
  sharedClockLock,
  type TransactOptions,
} from '#platform/postgres/tenant-session'
import { ClientTx, type Tx } from '#platform/postgres/client-tx'
import { ClockMoved, TookTooLong, withRetries } from '#platform/postgres/database-errors'
import { platformErrors } from '#platform/errors'
import { FairQueue, type QueueObserver } from '#platform/admission/fair-queue'
import { DiskSpace } from '#platform/postgres/hosts/disk-space'
import { isUnreplicated, UnreplicatedCommit, watchReplication } from '#platform/postgres/hosts/durability'
import { type Hosts, type OnNewPrimary, openHosts } from '#platform/postgres/hosts/hosts'
import { readSomewhere, type ReplicaReads } from '#platform/postgres/hosts/replica-reads'
import { Readers } from '#platform/postgres/readers'
import {
  CONNECTION_CONFIG,
  isReadOnlySession,
  MAX_RESPONSE_MS,
  MAX_STATEMENT_MS,
  type SessionOptions,
  setUpSession,
  type Shard,
  withDeadline,
} from '#platform/postgres/session'
import { wire } from '#platform/postgres/wire/current-wire'
import { tracedStatement } from '#platform/postgres/wire/statement-trace'
import { traced } from '#platform/observability/tracing'
import { TenantLimiter } from '#platform/postgres/tenant-limiter'
import type { AllShards, RowsOfNodes, StatementOfAllTenants } from '#platform/postgres/citus/all-shards'
import type { TenantNodes } from '#platform/postgres/citus/tenant-nodes'
import { currentRequest, inBackground } from '#platform/request-scope'
import { codeOf } from '#platform/thrown'

export type { TransactOptions, Tx }

export interface SharedStatements {
  query<Row extends object>(statement: Sql): Promise<Row[]>
}

/**
 * - `autocommit`: For callers that hold a connection in a transaction. The statement must not wait for locks that are held for
 *   long.
 */
interface SharedDatabase extends SharedStatements {
  autocommit<Row extends object>(statement: Sql): Promise<Row[]>
}

export interface ConnectionCounts {
  readonly busy: number
  readonly idle: number
  readonly waiting: number
}

/**
 * - `url`: May name several hosts. Connections go to the one that takes writes.
 * - `hosts`: On a node of Citus, instead of what `url` names.
 * - `replicas`: Serve the requests that may read older data.
 * - `tenants`: On Citus, where the work of tenants is done. This database is the coordinator then.
 * - `allShards`: On Citus, how tables of all tenants are read.
 * - `queue`: Who gets a connection, when several databases share one queue.
 */
export interface DatabaseOptions extends SessionOptions {
  readonly url: string
  readonly hosts?: Hosts
  readonly replicas?: ReplicaReads<Database> | undefined
  readonly queue?: FairQueue
  readonly tenants?: (coordinator: SharedStatements) => TenantNodes<Database>
  readonly allShards?: (coordinator: SharedStatements) => AllShards
  readonly onNewPrimary?: OnNewPrimary
  readonly applicationName?: string
  readonly maxConnections?: number
  readonly readers?: number
  readonly observer?: QueueObserver
}

const MAX_COMMIT_MS = MAX_STATEMENT_MS + 5_000
/** No transaction outlives this. The job runner relies on it to find work that a slow transaction has scheduled. */
export const MAX_TRANSACTION_MS = MAX_WORK_MS + MAX_COMMIT_MS
/**
 * A filter of fifty conditions that match nothing reads every row of the tenant. Two searches per tenant leave
 * processors to other tenants, and eight in all leave half of the pool's connections.
 */
const SEARCH_LIMITS = { perTenant: 2, total: 8, waitingPerTenant: 200 }
const QUERY_CANCELED = '57014'
const MAX_CACHED_OFFSETS = 5_000
const NO_TENANT = ''
const TRANSACTION_SPAN = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const

export class Database {
  readonly #hosts: Hosts
  readonly #replicas: ReplicaReads<Database> | undefined
  readonly #tenants: TenantNodes<Database> | undefined
  readonly #allShards: AllShards | undefined
  readonly #shard: Shard | undefined
  readonly #pool: pg.Pool
  readonly #connections: FairQueue
  readonly #readers: Readers
  readonly #searches = new TenantLimiter(SEARCH_LIMITS)
  /** Of this database, and not of the nodes of Citus: the tenants of other nodes can still be served. */
  readonly diskSpace = new DiskSpace()
  readonly #offsets = new LRUCache<string, bigint>({ max: MAX_CACHED_OFFSETS })
  #observe: (durationMs: number) => void = () => {}
  #transactionsCommitted = 0

  constructor(options: DatabaseOptions) {
    const config: pg.ClientConfig = {
      ...(options.applicationName !== undefined && { fallback_application_name: options.applicationName }),
      ...CONNECTION_CONFIG,
      ...wire.clientConfig,
    }
    this.#replicas = options.replicas
    this.#shard = options.shard
    this.#hosts = options.hosts ?? openHosts(options.url, options.onNewPrimary)
    const { maxConnections: slots = 16, observer } = options
    this.#connections = options.queue ?? queueOfConnections(slots, observer)
    this.#pool = new pg.Pool({
      ...config,
      Client: this.#hosts.Client,
      max: slots,
      idleTimeoutMillis: 30_000,
      // The pool awaits the promise and passes a PoolClient; the type package says otherwise.
      // oxlint-disable-next-line typescript/no-misused-promises
      onConnect: (client) => setUpSession(client as pg.PoolClient, options),
    })
    this.#pool.on('error', () => {})
    // When a connection breaks in use, its statements fail. Without a listener the event would end the process.
    this.#pool.on('connect', (client) => watchReplication(client.on('error', () => {})))
    this.#readers = new Readers(this.#hosts, config, options)
    this.#tenants = options.tenants?.(this.shared)
    this.#allShards = options.allShards?.(this.shared)
  }

  /**
   * Runs `work` in one transaction and commits it. `work` runs again after a deadlock, a serialization failure, a timeout or
   * a moved clock, so it must touch nothing but the database.
   */
  async transact<T>(
    businessId: string,
    work: (tx: Tx) => Promise<T>,
    options: TransactOptions = {},
  ): Promise<T> {
    const startedAt = performance.now()
    const done =
      this.#tenants === undefined
        ? await traced('transaction', TRANSACTION_SPAN, () =>
            this.#transactSomewhere(businessId, work, options),
          )
        : await this.#tenants.run(businessId, (db) => db.transact(businessId, work, options))
    this.#transactionsCommitted++
    this.#observe(performance.now() - startedAt)
    return done
  }

  #transactSomewhere<T>(
    businessId: string,
    work: (tx: Tx) => Promise<T>,
    options: TransactOptions,
  ): Promise<T> {
    const onPrimary = () => this.#transactHere(businessId, work, options)
    if (this.#replicas === undefined) return onPrimary()
    return readSomewhere(this.#replicas, businessId, onPrimary, (db) =>
      db.transact(businessId, work, options),
    )
  }

  async #transactHere<T>(
    businessId: string,
    work: (tx: Tx) => Promise<T>,
    options: TransactOptions,
  ): Promise<T> {
    if (options.isSearch !== true) return this.#transactWithRetries(businessId, work, options)
    try {
      return await this.#searches.run(businessId, () => this.#transactWithRetries(businessId, work, options))
    } catch (error) {
      throw codeOf(error) === QUERY_CANCELED ? platformErrors.search_too_slow({ cause: error }) : error
    }
  }

  #transactWithRetries<T>(
    businessId: string,
    work: (tx: Tx) => Promise<T>,
    options: TransactOptions,
  ): Promise<T> {
    return withRetries(() => this.#transactOnce(businessId, work, options))
  }

  async #transactOnce<T>(
    businessId: string,
    work: (tx: Tx) => Promise<T>,
    options: TransactOptions,
  ): Promise<T> {
    const request = currentRequest()
    if (request === undefined) {
      return inBackground(() => this.#transactOnce(businessId, work, options))
    }
    await this.#hosts.ready()
    const entered = this.#connections.enter(businessId, request)
    if (entered !== undefined) await entered
    try {
      const client = await this.#connect()
      const finished = this.#transactOn(client, businessId, work, options)
      return await withDeadline(client, maxWorkMs(options) + MAX_COMMIT_MS, finished)
    } finally {
      this.#connections.release(businessId, request)
    }
  }

  /**
   * The clock is read in the transaction. Clocks are moved rarely and in sandboxes only, so with a cached offset `work`
   * starts at once and its first statements leave with BEGIN, a round trip earlier. If the clock turns out to have moved,
   * the transaction is rolled back and retried.
   */
  async #transactOn<T>(
    client: pg.PoolClient,
    businessId: string,
    work: (tx: Tx) => Promise<T>,
    options: TransactOptions,
  ): Promise<T> {
    const startedAtMs = realNowMs()
    let tx: ClientTx | undefined
    let broken: Error | undefined
    const offset = this.#offsets.get(businessId)
    const begun = this.#begin(client, businessId, options, offset === undefined)
    begun.catch(() => {})
    try {
      const clock = offset === undefined ? await begun : { offset_ms: offset, frozen_at: null }
      tx = new ClientTx(client, businessId, clock, {
        isPrepared: options.isSearch !== true,
        watchesWrites: this.#replicas !== undefined,
      })
      // Check the clock before the outcome: an error, too, may be due to the wrong time.
      const [outcome] = await Promise.allSettled([work(tx)])
      if (!isSameClock(await begun, clock)) throw new ClockMoved()
      if (outcome.status === 'rejected') throw outcome.reason
      if (realNowMs() - startedAtMs > maxWorkMs(options)) throw new TookTooLong()
      await tx.commit()
      if (tx.mayHaveWritten) this.#replicas?.wrote(businessId)
      return outcome.value
    } catch (error) {
      tx?.end()
      if (isReadOnlySession(error) || isUnreplicated(client)) broken = error as Error
      await wire.query(client, sql`rollback`).catch((failure: Error) => {
        broken = failure
      })
      const failure = wire.isSkipped(error) ? (tx?.firstFailure ?? error) : error
      this.diskSpace.note(failure)
      throw failure
    } finally {
      client.release(broken)
    }
  }

  async #begin(
    client: pg.PoolClient,
    businessId: string,
    options: TransactOptions,
    isAwaited: boolean,
  ): Promise<ClockRow> {
    const begun = wire.queryInTransaction(
      client,
      options.isSnapshot === true ? sql`begin isolation level repeatable read, read only` : sql`begin`,
    )
    const entered = this.#shard === undefined ? undefined : enterShard(client, this.#shard, options)
    const lock = isReadOnly(options) ? empty : sql`, ${sharedClockLock(businessId)}`
    const clockRead = readClock(client, businessId, sql`, ${setTenant(businessId)}${lock}`)
    await allSucceeded([begun, entered ?? begun, clockRead])
    const first = await clockRead
    // A frozen clock may have been set running while the lock was awaited. Otherwise the caller assumed a running clock and
    // will be retried.
    const clock = isAwaited && first.frozen_at !== null ? await readClock(client, businessId) : first
    if (clock.frozen_at === null) this.#offsets.set(businessId, clock.offset_ms)
    else this.#offsets.delete(businessId)
    return clock
  }

  async read<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    if (this.#tenants !== undefined) {
      return this.#tenants.run(businessId, (db) => db.read<Row>(businessId, statement))
    }
    const onPrimary = () => tracedStatement(statement, () => this.#readers.query<Row>(businessId, statement))
    if (this.#replicas === undefined) return onPrimary()
    return readSomewhere(this.#replicas, businessId, onPrimary, (db) => db.read<Row>(businessId, statement))
  }

  /**
   * Runs one writing statement that commits by itself, whatever happens to the transaction that the caller has open. It
   * must not wait for locks that are held for long, because reads on the same connection wait behind it.
   */
  async autocommit<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    if (this.#tenants !== undefined) {
      return this.#tenants.run(businessId, (db) => db.autocommit<Row>(businessId, statement))
    }
    const rows = await this.#readers.queryNow<Row>(businessId, statement)
    this.#replicas?.wrote(businessId)
    return rows
  }

  readonly shared: SharedDatabase = {
    query: <Row extends object>(statement: Sql): Promise<Row[]> =>
      tracedStatement(statement, async () => {
        await this.#hosts.ready()
        const entered = this.#connections.enterFirst()
        if (entered !== undefined) await entered
        try {
          return await withRetries(() => this.#queryShared<Row>(statement))
        } finally {
          this.#connections.releaseFirst()
        }
      }),
    autocommit: <Row extends object>(statement: Sql): Promise<Row[]> =>
      this.#readers.queryNow<Row>(NO_TENANT, statement),
  }

  /** On Citus each node is asked for its shards, and the rows of those that answer are returned. */
  async readAllTenants<Row extends object>(statement: StatementOfAllTenants): Promise<RowsOfNodes<Row>> {
    if (this.#allShards !== undefined) return this.#allShards.read<Row>(statement)
    return { rows: await this.shared.query<Row>(statement.text(raw)), failures: [] }
  }

  async #queryShared<Row extends object>(statement: Sql): Promise<Row[]> {
    const client = await this.#connect()
    let isBroken = true
    try {
      const { rows } = await withDeadline(client, MAX_RESPONSE_MS, wire.query<Row>(client, statement))
      if (isUnreplicated(client)) throw new UnreplicatedCommit()
      isBroken = false
      return rows
    } finally {
      client.release(isBroken)
    }
  }

  get transactionsCommitted(): number {
    return this.#transactionsCommitted
  }

  get isDistributed(): boolean {
    return this.#tenants !== undefined
  }

  connections(): ConnectionCounts {
    const { totalCount, idleCount } = this.#pool
    const counts = { busy: totalCount - idleCount, idle: idleCount, waiting: this.#connections.waiting }
    for (const db of this.#tenants?.databases ?? []) {
      const { busy, idle, waiting } = db.connections()
      counts.busy += busy
      counts.idle += idle
      counts.waiting += waiting
    }
    return counts
  }

  onTransaction(observe: (durationMs: number) => void): void {
    this.#observe = observe
  }

  async #connect(): Promise<pg.PoolClient> {
    await this.#hosts.ready()
    try {
      return await this.#pool.connect()
    } catch (error) {
      if (!this.#hosts.retriesAfter(error)) throw error
      await this.#hosts.ready()
      return this.#pool.connect()
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#replicas?.close(), this.#tenants?.close(), this.#allShards?.close()])
    await Promise.all([this.#pool.end(), this.#readers.close(), this.#hosts.close()])
  }
}

export function queueOfConnections(slots: number, observer?: QueueObserver): FairQueue {
  return new FairQueue({
    slots,
    perTenant: Math.ceil((slots * 3) / 4),
    besideOthers: Math.ceil(slots / 4),
    observer,
  })
}
