import type pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { FairQueue, type QueueObserver } from '#platform/admission/fair-queue'
import { isUnreplicated, UnreplicatedCommit, watchReplication } from '#platform/postgres/plain/durability'
import type { Hosts } from '#platform/postgres/plain/host'
import {
  isReadOnlySession,
  MAX_RESPONSE_MS,
  type SessionOptions,
  setUpSession,
  withDeadline,
} from '#platform/postgres/session'
import { currentRequest } from '#platform/request-scope'
import { wire } from '#platform/postgres/wire/current-wire'

/** What one connection is sent ahead of its replies. More would only wait there, where no tenant can be preferred. */
const STATEMENTS_PER_READER = 16

interface ReadersOptions extends SessionOptions {
  readonly readers?: number
  readonly observer?: QueueObserver
}

export class Readers {
  readonly #hosts: Hosts
  readonly #readers: readonly Reader[]
  readonly #statements: FairQueue

  constructor(hosts: Hosts, config: pg.ClientConfig, { readers = 2, observer, ...session }: ReadersOptions) {
    const slots = readers * STATEMENTS_PER_READER
    this.#hosts = hosts
    this.#statements = new FairQueue({
      slots,
      perTenant: Math.ceil(slots / 2),
      besideOthers: Math.ceil(slots / 8),
      putsUnderWay: false,
      observer,
    })
    this.#readers = Array.from({ length: readers }, () => new Reader(hosts, config, session))
  }

  async query<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    const request = currentRequest()
    await this.#hosts.ready()
    const entered = this.#statements.enter(businessId, request)
    if (entered !== undefined) await entered
    try {
      return await this.queryNow<Row>(businessId, statement)
    } finally {
      this.#statements.release(businessId, request)
    }
  }

  queryNow<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    return leastBusy(this.#readers).query<Row>(businessId, statement)
  }

  async close(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.close()))
  }
}

/** Sets the tenant in the session before a statement of another tenant; statements of a session run in order. */
class Reader {
  readonly #hosts: Hosts
  readonly #config: pg.ClientConfig
  readonly #session: SessionOptions
  #client: pg.Client | undefined
  #connection: Promise<pg.Client> | undefined
  #businessId: string | undefined
  #tenantSet: Promise<unknown> | undefined
  underWay = 0

  constructor(hosts: Hosts, config: pg.ClientConfig, session: SessionOptions) {
    this.#session = session
    this.#hosts = hosts
    this.#config = config
  }

  async query<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    this.underWay++
    try {
      await this.#hosts.ready()
      const client = await this.#connect().catch((error: unknown) => this.#connectAgain(error))
      const tenantSet = this.#setTenant(client, businessId)
      const { entering } = this.#session
      const result =
        entering === undefined
          ? wire.query<Row>(client, statement)
          : wire.queryAfter<Row>(client, entering.statement, statement)
      const sent = Promise.all([result, tenantSet])
      const [{ rows }] = await withDeadline(client, MAX_RESPONSE_MS, sent).catch((error: unknown) => {
        if (isReadOnlySession(error)) this.#drop(client)
        throw error
      })
      if (isUnreplicated(client)) {
        this.#drop(client)
        throw new UnreplicatedCommit()
      }
      return rows
    } finally {
      this.underWay--
    }
  }

  async #connectAgain(error: unknown): Promise<pg.Client> {
    if (!this.#hosts.retriesAfter(error)) throw error
    await this.#hosts.ready()
    return this.#connect()
  }

  /** Every statement awaits this result. If the tenant cannot be set, the statement has run as the previous tenant. */
  #setTenant(client: pg.Client, businessId: string): Promise<unknown> | undefined {
    if (this.#businessId === businessId) return this.#tenantSet
    this.#businessId = businessId
    const set = sql`select set_config('quittance.business_id', ${businessId}, false)`
    this.#tenantSet = wire.query(client, set).catch((error: unknown) => {
      this.#drop(client)
      throw error
    })
    return this.#tenantSet
  }

  #connect(): Promise<pg.Client> {
    if (this.#connection !== undefined) return this.#connection
    const client = new this.#hosts.Client(this.#config)
    watchReplication(client)
    client.on('error', () => this.#drop(client))
    client.on('end', () => this.#drop(client))
    const connection = client
      .connect()
      .then(() => setUpSession(client, this.#session))
      .then(() => client)
    connection.catch(() => this.#drop(client))
    this.#connection = connection
    this.#businessId = undefined
    this.#client = client
    return connection
  }

  #drop(client: pg.Client): void {
    if (this.#client !== client) return
    this.#client = undefined
    this.#connection = undefined
    this.#businessId = undefined
    client.end().catch(() => {})
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    this.#connection = undefined
    await client?.end()
  }
}

function leastBusy(readers: readonly Reader[]): Reader {
  let best: Reader | undefined
  for (const reader of readers) {
    if (best === undefined || reader.underWay < best.underWay) best = reader
  }
  if (best === undefined) throw new Error('a database needs at least one reader')
  return best
}
