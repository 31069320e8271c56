import pg from 'pg'
import type { Connection, StatementQuery } from '#platform/postgres/wire/statement-query'

/** Without a bound a billing run was 8 % slower (docs/decisions/statements-share-a-sync). */
const LARGE = 16_384

type Statement = Pick<
  StatementQuery<object>,
  | 'name'
  | 'text'
  | 'size'
  | 'avoidUnconfirmed'
  | 'write'
  | 'forget'
  | 'handleRowDescription'
  | 'handleDataRow'
  | 'handleCommandComplete'
  | 'handleReadyForQuery'
  | 'handleError'
>

export class SkippedStatement extends Error {
  constructor() {
    super('skipped, because an earlier statement of the transaction failed')
  }
}

/**
 * Statements with a single Sync behind them (PostgreSQL 18, 54.2.4), which the driver treats as one query. With a Sync for each
 * statement, the server writes each result separately and wakes this process up for it. That is a quarter of PostgreSQL's work for
 * a small transaction, and a third of ours.
 */
export class StatementGroup extends pg.Query {
  /** Name and text of the statement whose result comes next. The driver records it as prepared under them. */
  name: string | undefined
  text: string | undefined
  readonly #statements: Statement[] = []
  readonly #isTransaction: boolean
  #completed = 0
  #size = 0

  /**
   * @param options.isTransaction The group is a transaction of its own, without BEGIN and COMMIT: it commits at its Sync, after
   *   PostgreSQL has sent the results. So no result may be used before ReadyForQuery (PostgreSQL 18, 54.2.3).
   */
  constructor({ isTransaction = false } = {}) {
    super('')
    this.#isTransaction = isTransaction
  }

  add(statement: Statement): void {
    this.#statements.push(statement)
    this.#size += statement.size
    this.#showCurrent()
  }

  /**
   * A large group is sent before the tick ends: results only arrive once the whole group has run, and with much to do the
   * first results can be processed here while PostgreSQL runs the rest.
   */
  get isLarge(): boolean {
    return this.#size > LARGE
  }

  override submit = (connection: unknown): void => {
    const wire = connection as Connection
    wire.stream.cork()
    for (const statement of this.#statements) {
      if (this.#isTransaction) statement.avoidUnconfirmed(wire)
      statement.write(wire)
    }
    this.#showCurrent()
    wire.sync()
    wire.stream.uncork()
  }

  handleRowDescription(message: Parameters<Statement['handleRowDescription']>[0]): void {
    this.#current?.handleRowDescription(message)
  }

  handleDataRow(message: Parameters<Statement['handleDataRow']>[0]): void {
    this.#current?.handleDataRow(message)
  }

  handleCommandComplete(message: Parameters<Statement['handleCommandComplete']>[0]): void {
    const statement = this.#current
    this.#completed++
    this.#showCurrent()
    statement?.handleCommandComplete(message)
    if (!this.#isTransaction) statement?.handleReadyForQuery()
  }

  handleReadyForQuery(): void {
    if (this.#isTransaction) for (const statement of this.#statements) statement.handleReadyForQuery()
  }

  handleError(error: unknown, connection: Connection): void {
    const [failed, ...behind] = this.#statements.slice(this.#completed)
    if (this.#isTransaction) {
      for (const undone of this.#statements.slice(0, this.#completed)) undone.handleError(error)
    }
    failed?.handleError(error)
    const isRefused = error instanceof pg.DatabaseError
    for (const statement of behind) {
      if (isRefused) statement.forget(connection)
      statement.handleError(isRefused ? new SkippedStatement() : error)
    }
  }

  get #current(): Statement | undefined {
    return this.#statements[this.#completed]
  }

  #showCurrent(): void {
    this.name = this.#current?.name
    this.text = this.#current?.text
  }
}
