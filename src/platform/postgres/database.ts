import pg from 'pg'
import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, realNowMs } from '#kernel/clock'
import { type ClockRow, timeOn } from '#platform/postgres/business-clock'
import { sharedClockLock } from '#platform/postgres/clock-lock'
import { platformErrors } from '#platform/errors'
import {
  isOfAborted,
  runStatement,
  runTogether,
  sendWaiting,
} from '#platform/postgres/wire/prepared-statement'
import { Readers } from '#platform/postgres/readers'
import {
  endedWithin,
  MAX_RESPONSE_MS,
  CONNECT_TIMEOUT_MS,
  MAX_STATEMENT_MS,
  setUpSession,
} from '#platform/postgres/session'
import type { QueryResult, StatementOptions } from '#platform/postgres/wire/statement-query'
import { TenantLimiter } from '#platform/postgres/tenant-limiter'
import { codeOf } from '#platform/thrown'

/**
 * PostgreSQL as the modules see it: a transaction inside one business, and a read inside one
 * business. The tenant is set in the session before any statement runs, and row-level security
 * (migration 0001) hides every other tenant's rows from the role that the service runs as.
 */

/** A transaction inside one business. Made by `Database.transact`; never kept after it ends. */
export interface Tx {
  readonly businessId: string
  /** The business's clock when the transaction began; while a clock is advancing, the moment it stands at. */
  readonly now: Instant
  /** How far the business's clock is ahead of the real one; `undefined` while it is being advanced. */
  readonly clockOffsetMs: number | undefined
  query<Row extends object>(statement: Sql): Promise<Row[]>
  /** Runs a statement and answers how many rows it touched. */
  execute(statement: Sql): Promise<number>
  /**
   * Leaves a statement that was sent, and whose result nobody needs, to the end of the transaction: the commit goes out
   * right behind it instead of a round trip later. If it fails, so does the transaction, with its error. Only for what has
   * been sent in full: what would send more after an answer must be awaited.
   */
  defer(sent: Promise<unknown>): void
}

/** Statements that concern no tenant: keys, the list of what is due, the businesses themselves. */
export interface SharedStatements {
  query<Row extends object>(statement: Sql): Promise<Row[]>
}

export interface TransactOptions {
  /** For reads that belong together: all of them see the same moment, and nothing can be written. */
  readonly isSnapshot?: boolean
  /**
   * For lists with a caller's filter. A tenant's run few at a time, and not as `read`s, which would wait behind them; no
   * statement is kept prepared, as the filters make ever new ones. Throws 429 where too many wait, 503 `search_too_slow`.
   */
  readonly isSearch?: boolean
  /** For checks of the whole database, which write nothing: they take as long as they take. */
  readonly isUnbounded?: boolean
}

export interface DatabaseOptions {
  readonly url: string
  /** What `pg_stat_activity` shows of its connections. */
  readonly applicationName?: string
  /** Connections for transactions. */
  readonly maxConnections?: number
  /** Pipelined connections for single statements. */
  readonly readers?: number
}

/** A transaction that is not ready for COMMIT by then is undone and run again. */
const MAX_WORK_MS = 15_000
/** COMMIT follows the work, and may have to wait for a statement that was left to the end. */
const MAX_COMMIT_MS = MAX_STATEMENT_MS + 5_000
/**
 * No transaction may outlive this: the runner of due work counts on it to find work that a slow
 * transaction scheduled behind its back.
 */
export const MAX_TRANSACTION_MS = MAX_WORK_MS + MAX_COMMIT_MS
/**
 * Lists with a filter, fifty conditions of which that match nothing read every row of the tenant: two leave the processors
 * to others, eight half of the pool's connections.
 */
const SEARCHES = { ofTenant: 2, atOnce: 8, waiting: 200 }
const DEADLOCK_DETECTED = '40P01'
const SERIALIZATION_FAILURE = '40001'
const TRANSACTION_TIMEOUT = '25P04'
const QUERY_CANCELED = '57014'
const MAX_TRIES = 5
/** Clocks that are remembered: of the businesses that are busy now. */
const MAX_CLOCKS = 5_000

export class Database {
  readonly #pool: pg.Pool
  readonly #readers: Readers
  readonly #searches = new TenantLimiter(SEARCHES)
  /** How far ahead clocks that ran were when they were read last, by business. */
  readonly #offsets = new Map<string, bigint>()

  constructor(options: DatabaseOptions) {
    const config: pg.ClientConfig = {
      connectionString: options.url,
      ...(options.applicationName !== undefined && { fallback_application_name: options.applicationName }),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      pipeline: true,
    }
    this.#pool = new pg.Pool({
      ...config,
      max: options.maxConnections ?? 16,
      idleTimeoutMillis: 30_000,
      // The pool waits for it, which its types do not say, and gives it a whole client.
      // oxlint-disable-next-line typescript/no-misused-promises
      onConnect: (client) => setUpSession(client as pg.PoolClient),
    })
    // A connection that breaks while idle is replaced by the pool; the next caller sees any lasting trouble.
    this.#pool.on('error', () => {})
    // One that breaks while a transaction has it fails the transaction's statements; the event must not end the process.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
    this.#readers = new Readers(config, options.readers ?? 3)
  }

  /**
   * Runs `work` in one transaction of one business and commits it. A deadlock, a serialization failure, a
   * clock that was moved or taking too long runs it again, so `work` must touch nothing but the database.
   */
  async transact<T>(
    businessId: string,
    work: (tx: Tx) => Promise<T>,
    options: TransactOptions = {},
  ): Promise<T> {
    if (options.isSearch !== true) return this.#transactUntilDone(businessId, work, options)
    try {
      return await this.#searches.run(businessId, () => this.#transactUntilDone(businessId, work, options))
    } catch (error) {
      // The database could be reached: sent again, the same search would take as long.
      throw codeOf(error) === QUERY_CANCELED ? platformErrors.search_too_slow({ cause: error }) : error
    }
  }

  async #transactUntilDone<T>(
    businessId: string,
    work: (tx: Tx) => Promise<T>,
    options: TransactOptions,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#transactOnce(businessId, work, options)
      } catch (error) {
        if (attempt >= MAX_TRIES || !isRetryable(error)) throw error
      }
    }
  }

  /**
   * The clock is read in the transaction, which does not wait for it where it was seen to run: clocks are
   * moved in sandboxes only, and so seldom, that the first statements go out with BEGIN, a round trip
   * earlier. What was done by another clock than the one that was read is undone.
   */
  async #transactOnce<T>(
    businessId: string,
    work: (tx: Tx) => Promise<T>,
    options: TransactOptions,
  ): Promise<T> {
    const client = await this.#pool.connect()
    const ended = this.#transactOver(client, businessId, work, options)
    return endedWithin(client, longestWorkMs(options) + MAX_COMMIT_MS, ended)
  }

  async #transactOver<T>(
    client: pg.PoolClient,
    businessId: string,
    work: (tx: Tx) => Promise<T>,
    options: TransactOptions,
  ): Promise<T> {
    const begunAtMs = realNowMs()
    let tx: ClientTx | undefined
    let broken: Error | undefined
    const offset = this.#offsets.get(businessId)
    const opened = this.#open(client, businessId, options, offset === undefined)
    // Whoever does not wait for it fails by its own statements.
    opened.catch(() => {})
    try {
      const clock = offset === undefined ? await opened : { offset_ms: offset, frozen_at: null }
      tx = new ClientTx(client, businessId, clock, { isKept: options.isSearch !== true })
      // An error may come of the wrong clock, too.
      const [worked] = await Promise.allSettled([work(tx)])
      if (!isSameClock(await opened, clock)) throw new ClockWasMoved()
      if (worked.status === 'rejected') throw worked.reason
      if (realNowMs() - begunAtMs > longestWorkMs(options)) throw new TookTooLong()
      await tx.commit()
      return worked.value
    } catch (error) {
      tx?.end()
      // In the transaction, and not behind it, comes what was to leave with this tick.
      sendWaiting(client)
      // Any statement still pipelined is answered before this one.
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
      throw isOfAborted(error) ? (tx?.failure ?? error) : error
    } finally {
      client.release(broken)
    }
  }

  /** @param isAwaited nothing of the transaction's work is sent before this is answered */
  async #open(
    client: pg.PoolClient,
    businessId: string,
    options: TransactOptions,
    isAwaited: boolean,
  ): Promise<ClockRow> {
    const begun = runTogether(
      client,
      options.isSnapshot === true ? sql`begin isolation level repeatable read, read only` : sql`begin`,
    )
    const lock = isReadOnly(options) ? empty : sql`, ${sharedClockLock(businessId)}`
    const opened = readClock(client, businessId, sql`, ${ofTenant(businessId)}${lock}`)
    const [, seen] = await Promise.all([begun, opened])
    // It may have been set running while the lock was waited for. Who went ahead by a running one is done again anyway.
    const clock = isAwaited && seen.frozen_at !== null ? await readClock(client, businessId) : seen
    if (this.#offsets.size >= MAX_CLOCKS) this.#offsets.clear()
    if (clock.frozen_at === null) this.#offsets.set(businessId, clock.offset_ms)
    else this.#offsets.delete(businessId)
    return clock
  }

  /** One read of one business, on a shared pipelined connection: one round trip and no BEGIN. */
  async read<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    return this.#readers.query<Row>(businessId, statement)
  }

  /**
   * A statement that writes and is committed by itself, whatever becomes of the transaction that its caller may be in. For
   * what takes no lock that anybody holds for long: the reads behind it wait.
   */
  async commitAlone<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    return this.#readers.query<Row>(businessId, statement)
  }

  /** Statements outside any business. Row-level security hides every tenant's rows from them. */
  readonly shared: SharedStatements = {
    query: async <Row extends object>(statement: Sql): Promise<Row[]> => {
      const client = await this.#pool.connect()
      let isBroken = true
      try {
        const { rows } = await endedWithin(client, MAX_RESPONSE_MS, runStatement<Row>(client, statement))
        isBroken = false
        return rows
      } finally {
        client.release(isBroken)
      }
    },
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#readers.close()])
  }
}

class ClientTx implements Tx {
  readonly businessId: string
  readonly now: Instant
  readonly clockOffsetMs: number | undefined
  /** Of the statement that failed first: all later ones fail because of it. */
  failure: unknown
  readonly #client: pg.PoolClient
  readonly #options: StatementOptions
  readonly #left: Promise<unknown>[] = []
  #ended = false

  constructor(client: pg.PoolClient, businessId: string, clock: ClockRow, options: StatementOptions) {
    this.#client = client
    this.#options = options
    this.businessId = businessId
    this.now = timeOn(clock)
    this.clockOffsetMs = clock.frozen_at === null ? Number(clock.offset_ms) : undefined
  }

  async query<Row extends object>(statement: Sql): Promise<Row[]> {
    const { rows } = await this.#send<Row>(statement)
    return rows
  }

  async execute(statement: Sql): Promise<number> {
    const { count } = await this.#send(statement)
    return count
  }

  defer(sent: Promise<unknown>): void {
    this.#left.push(sent)
    // Until the end nobody waits for it; the end does, and throws.
    sent.catch(() => {})
  }

  /** From here on the connection may be another transaction's. */
  end(): void {
    this.#ended = true
  }

  /** Sends COMMIT behind what was sent, and waits for both. Throws the first failure. */
  async commit(): Promise<void> {
    this.end()
    // The answers come in the order in which the statements were sent.
    const [committed] = await Promise.all([runTogether(this.#client, sql`commit`), ...this.#left])
    // After a failed statement COMMIT answers ROLLBACK without an error.
    if (committed.command !== 'COMMIT') throw new Error('the transaction was rolled back at commit')
  }

  #send<Row extends object>(statement: Sql): Promise<QueryResult<Row>> {
    if (this.#ended) throw new Error('a statement was sent after the end of its transaction')
    const answer = runTogether<Row>(this.#client, statement, this.#options)
    answer.catch((error: unknown) => {
      this.failure ??= error
    })
    return answer
  }
}

/** @param beside what is called in the same statement, behind commas */
async function readClock(client: pg.PoolClient, businessId: string, beside: Sql = empty): Promise<ClockRow> {
  const { rows } = await runTogether<ClockRow>(
    client,
    sql`select c.offset_ms, c.frozen_at
          from business_clocks c${beside}
         where c.business_id = ${businessId}`,
  )
  const [clock] = rows
  if (clock === undefined) throw new Error(`no business ${businessId}`)
  return clock
}

function ofTenant(businessId: string): Sql {
  return sql`set_config('quittance.business_id', ${businessId}, true)`
}

function longestWorkMs({ isUnbounded = false }: TransactOptions): number {
  return isUnbounded ? Infinity : MAX_WORK_MS
}

/** Nobody has to wait for what makes nothing due. */
function isReadOnly({ isSnapshot, isSearch, isUnbounded }: TransactOptions): boolean {
  return isSnapshot === true || isSearch === true || isUnbounded === true
}

/** The transaction was begun by a clock that somebody has moved since it was seen. */
class ClockWasMoved extends Error {}

class TookTooLong extends Error {
  /** As of PostgreSQL's own transaction_timeout, which version 15 does not have. */
  readonly code = TRANSACTION_TIMEOUT

  constructor() {
    super('the transaction took too long')
  }
}

function isSameClock(a: ClockRow, b: ClockRow): boolean {
  return a.offset_ms === b.offset_ms && a.frozen_at?.epochMilliseconds === b.frozen_at?.epochMilliseconds
}

function isRetryable(error: unknown): boolean {
  if (error instanceof ClockWasMoved || error instanceof TookTooLong) return true
  return (
    error instanceof pg.DatabaseError &&
    (error.code === DEADLOCK_DETECTED || error.code === SERIALIZATION_FAILURE)
  )
}
