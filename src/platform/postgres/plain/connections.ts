import pg from 'pg'
import { FairQueue, type QueueObserver } from '#platform/admission/fair-queue'
import type { ConnectionCounts } from '#platform/postgres/database'
import { watchReplication } from '#platform/postgres/plain/durability'
import type { Hosts } from '#platform/postgres/plain/host'
import { type SessionOptions, setUpSession } from '#platform/postgres/session'
import { currentRequest, inBackground } from '#platform/request-scope'

interface ConnectionsOptions {
  readonly config: pg.ClientConfig
  readonly session: SessionOptions
  readonly slots: number
  readonly queue: FairQueue
}

export class Connections {
  readonly #hosts: Hosts
  readonly #pool: pg.Pool
  readonly #queue: FairQueue

  constructor(hosts: Hosts, { config, session, slots, queue }: ConnectionsOptions) {
    this.#hosts = hosts
    this.#queue = queue
    this.#pool = new pg.Pool({
      ...config,
      Client: hosts.Client,
      max: slots,
      idleTimeoutMillis: 30_000,
      // The pool awaits the promise and passes a PoolClient; the type package says otherwise.
      // oxlint-disable-next-line typescript/no-misused-promises
      onConnect: (client) => setUpSession(client as pg.PoolClient, session),
    })
    this.#pool.on('error', () => {})
    // When a connection breaks in use, its statements fail. Without a listener the event would end the process.
    this.#pool.on('connect', (client) => watchReplication(client.on('error', () => {})))
  }

  async use<T>(
    businessId: string,
    work: (client: pg.PoolClient) => Promise<T>,
    waitingSinceMs?: number,
  ): Promise<T> {
    const request = currentRequest()
    if (request === undefined) return inBackground(() => this.use(businessId, work, waitingSinceMs))
    await this.#hosts.ready()
    const entered = this.#queue.enter(businessId, request, waitingSinceMs)
    if (entered !== undefined) await entered
    try {
      return await work(await this.#connect())
    } finally {
      this.#queue.release(businessId, request)
    }
  }

  async useFirst<T>(work: (connect: () => Promise<pg.PoolClient>) => Promise<T>): Promise<T> {
    await this.#hosts.ready()
    const entered = this.#queue.enterFirst()
    if (entered !== undefined) await entered
    try {
      return await work(() => this.#connect())
    } finally {
      this.#queue.releaseFirst()
    }
  }

  counts(): ConnectionCounts {
    const { totalCount, idleCount } = this.#pool
    return { busy: totalCount - idleCount, idle: idleCount, waiting: this.#queue.waiting }
  }

  close(): Promise<void> {
    return this.#pool.end()
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
}

export function queueOfConnections(slots: number, observer?: QueueObserver): FairQueue {
  return new FairQueue({
    slots,
    perTenant: Math.ceil((slots * 3) / 4),
    besideOthers: Math.ceil(slots / 4),
    observer,
  })
}
