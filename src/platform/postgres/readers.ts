import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { runStatement } from '#platform/postgres/wire/prepared-statement'
import { endedWithin, MAX_RESPONSE_MS, setUpSession, writeTogether } from '#platform/postgres/session'

/** Connections for single statements, each of which goes where the fewest are under way. */
export class Readers {
  readonly #readers: readonly Reader[]

  constructor(config: pg.ClientConfig, connections: number) {
    this.#readers = Array.from({ length: connections }, () => new Reader(config))
  }

  query<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    return leastBusy(this.#readers).query<Row>(businessId, statement)
  }

  async close(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.close()))
  }
}

/**
 * A connection that many reads share. The tenant is set in the session, pipelined before the read,
 * and only when it differs from the one that was sent last: statements of a session run in order.
 */
class Reader {
  readonly #config: pg.ClientConfig
  #client: pg.Client | undefined
  #connection: Promise<pg.Client> | undefined
  #businessId: string | undefined
  #tenantSet: Promise<unknown> | undefined
  outstanding = 0

  constructor(config: pg.ClientConfig) {
    this.#config = config
  }

  async query<Row extends object>(businessId: string, statement: Sql): Promise<Row[]> {
    this.outstanding++
    try {
      const client = await this.#connect()
      writeTogether(client)
      const tenantSet = this.#setTenant(client, businessId)
      const sent = Promise.all([runStatement<Row>(client, statement), tenantSet])
      const [{ rows }] = await endedWithin(client, MAX_RESPONSE_MS, sent)
      return rows
    } finally {
      this.outstanding--
    }
  }

  /** Every read waits for it: one that came behind a tenant that could not be set would be another's. */
  #setTenant(client: pg.Client, businessId: string): Promise<unknown> | undefined {
    if (this.#businessId === businessId) return this.#tenantSet
    this.#businessId = businessId
    const set = sql`select set_config('quittance.business_id', ${businessId}, false)`
    this.#tenantSet = runStatement(client, set).catch((error: unknown) => {
      this.#forget(client)
      throw error
    })
    return this.#tenantSet
  }

  #connect(): Promise<pg.Client> {
    if (this.#connection !== undefined) return this.#connection
    const client = new pg.Client(this.#config)
    client.on('error', () => this.#forget(client))
    client.on('end', () => this.#forget(client))
    const connection = client
      .connect()
      .then(() => setUpSession(client))
      .then(() => client)
    connection.catch(() => this.#forget(client))
    this.#connection = connection
    this.#businessId = undefined
    this.#client = client
    return connection
  }

  /** The next read opens a new connection. */
  #forget(client: pg.Client): void {
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
    if (best === undefined || reader.outstanding < best.outstanding) best = reader
  }
  if (best === undefined) throw new Error('a database needs at least one reader')
  return best
}
