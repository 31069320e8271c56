import pg from 'pg'
import type { Connection, StatementQuery } from '#platform/postgres/wire/statement-query'

/** Characters and bytes of parameters. */
const LARGE = 16_384

/** What is common to statements, whatever they answer with. */
type Statement = Pick<
  StatementQuery<object>,
  | 'name'
  | 'text'
  | 'size'
  | 'put'
  | 'forget'
  | 'handleRowDescription'
  | 'handleDataRow'
  | 'handleCommandComplete'
  | 'handleReadyForQuery'
  | 'handleError'
>

export class NotTried extends Error {
  constructor() {
    super('not tried, as a statement before it has failed')
  }
}

/**
 * Statements with a single Sync behind them (PostgreSQL 18, 54.2.4). To the driver it is one query. With a Sync behind each,
 * each answer is a write of the server's that wakes this process up: a quarter of what PostgreSQL did for a small
 * transaction, and a third of what was done here.
 */
export class StatementGroup extends pg.Query {
  /** What is being answered: under these the driver notes that the server has prepared it. */
  name: string | undefined
  text: string | undefined
  readonly #statements: Statement[] = []
  #answered = 0
  #size = 0

  constructor() {
    super('')
  }

  add(statement: Statement): void {
    this.#statements.push(statement)
    this.#size += statement.size
    this.#look()
  }

  /**
   * Large enough not to wait for more: none of its answers comes before all is done, and of much to do the first answers
   * are worked on here while PostgreSQL does the rest.
   */
  get isLarge(): boolean {
    return this.#size > LARGE
  }

  override submit = (connection: unknown): void => {
    // The types know another connection than the driver has.
    const wire = connection as Connection
    wire.stream.cork()
    for (const statement of this.#statements) statement.put(wire)
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
    this.#answered++
    this.#look()
    statement?.handleCommandComplete(message)
    statement?.handleReadyForQuery()
  }

  /** All have been answered. */
  handleReadyForQuery(): void {}

  handleError(error: unknown, connection: Connection): void {
    const [failed, ...behind] = this.#statements.slice(this.#answered)
    failed?.handleError(error)
    // Of a connection that is lost the driver tells by another error.
    const isRefused = error instanceof pg.DatabaseError
    for (const statement of behind) {
      if (isRefused) statement.forget(connection)
      statement.handleError(isRefused ? new NotTried() : error)
    }
  }

  get #current(): Statement | undefined {
    return this.#statements[this.#answered]
  }

  #look(): void {
    this.name = this.#current?.name
    this.text = this.#current?.text
  }
}
