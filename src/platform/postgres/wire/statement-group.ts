import pg from 'pg'
import type { Connection, StatementQuery } from '#platform/postgres/wire/statement-query'

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
 * Statements with a single Sync behind them (PostgreSQL 18, 54.2.4), which the driver takes for one query. With a Sync each,
 * the server writes each result separately and wakes this process up for it: a quarter of PostgreSQL's work for a small
 * transaction, and a third of ours.
 */
export class StatementGroup extends pg.Query {
  /** Name and text of the statement whose result comes next. The driver records it as prepared under them. */
  name: string | undefined
  text: string | undefined
  readonly #statements: Statement[] = []
  readonly #isIndependent: boolean
  #completed = 0
  #size = 0

  /** @param options.isIndependent The groups before it on the connection may fail without it. */
  constructor({ isIndependent = false } = {}) {
    super('')
    this.#isIndependent = isIndependent
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
      if (this.#isIndependent) statement.avoidUnconfirmed(wire)
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
    statement?.handleReadyForQuery()
  }

  handleReadyForQuery(): void {}

  handleError(error: unknown, connection: Connection): void {
    const [failed, ...behind] = this.#statements.slice(this.#completed)
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
