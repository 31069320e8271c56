import type pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import { recordingSpan } from '#platform/observability/tracing'
import type { Tx } from '#platform/postgres/database'
import { type ClockRow, timeOn } from '#platform/postgres/tenant-session'
import { isUnreplicated, UnreplicatedCommit } from '#platform/postgres/plain/durability'
import { wire } from '#platform/postgres/wire/current-wire'
import { recordStatement } from '#platform/postgres/wire/statement-trace'
import type { QueryResult, StatementOptions } from '#platform/postgres/wire/wire'

interface TxOptions extends StatementOptions {
  readonly watchesWrites: boolean
}

/** `for update` counts as a write, too. */
const WRITES = /\b(?:insert|update|delete|merge)\b/i

export class ClientTx implements Tx {
  readonly businessId: string
  readonly now: Instant
  readonly clockOffsetMs: number | undefined
  firstFailure: unknown
  mayHaveWritten = false
  readonly #client: pg.PoolClient
  readonly #options: TxOptions
  readonly #deferred: Promise<unknown>[] = []
  readonly #span = recordingSpan()
  #ended = false

  constructor(client: pg.PoolClient, businessId: string, clock: ClockRow, options: TxOptions) {
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
    this.#deferred.push(sent)
    sent.catch(() => {})
  }

  end(): void {
    this.#ended = true
  }

  async commit(): Promise<void> {
    this.end()
    // Results arrive in the order of sending, so the first statement that failed decides the error.
    const [committed] = await Promise.all([
      wire.queryInTransaction(this.#client, sql`commit`),
      ...this.#deferred,
    ])
    // COMMIT of a failed transaction succeeds as ROLLBACK.
    if (committed.command !== 'COMMIT') throw new Error('the transaction was rolled back at commit')
    if (isUnreplicated(this.#client)) throw new UnreplicatedCommit()
  }

  #send<Row extends object>(statement: Sql): Promise<QueryResult<Row>> {
    if (this.#ended) throw new Error('a statement was sent after the end of its transaction')
    if (this.#options.watchesWrites) this.mayHaveWritten ||= WRITES.test(statement.text)
    const result = wire.queryInTransaction<Row>(this.#client, statement, this.#options)
    result.catch((error: unknown) => {
      this.firstFailure ??= error
    })
    if (this.#span !== undefined) recordStatement(this.#span, statement, result)
    return result
  }
}
