import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { type Parameter, toParameter } from '#platform/postgres/wire/parameters'

/** What a statement has answered. */
export interface QueryResult<Row> {
  readonly rows: Row[]
  /** How many rows it returned or touched. */
  readonly count: number
  /** What was done: the first word of the command's tag, such as `INSERT`. */
  readonly command: string
}

export interface StatementOptions {
  /**
   * Prepared once a connection, under a name made from its text; the default. Not for a text with a caller's filter: there is
   * no end of those.
   */
  readonly isKept?: boolean
}

/** Statements are written in the code, so there are few hundred. By text, the name that one is prepared under. */
const names = new Map<string, string>()
const MAX_NAMES = 2_000

function nameOf(text: string): string | undefined {
  const found = names.get(text)
  if (found !== undefined || names.size >= MAX_NAMES) return found
  const name = createHash('sha1').update(text).digest('base64url')
  names.set(text, name)
  return name
}

/** The driver's connection, as far as a query speaks through it. */
export interface Connection {
  /** By name, the texts of statements that the server has prepared, and of those that it was told to prepare. */
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly submittedNamedStatements: Record<string, string>
  readonly stream: Pick<Writable, 'cork' | 'uncork'>
  parse(message: { readonly name: string | undefined; readonly text: string }): void
  bind(message: { readonly statement: string | undefined; readonly values: readonly Parameter[] }): void
  describe(message: { readonly type: 'P' }): void
  execute(message: object): void
  sync(): void
}

interface Field {
  readonly name: string
  readonly dataTypeID: Parameters<typeof pg.types.getTypeParser>[0]
}

interface Column extends Field {
  readonly parse: (text: string) => unknown
}

/**
 * What statements answer with, by name, as each connection has described it. It is asked once: should a prepared statement
 * answer with other columns later, PostgreSQL refuses to run it.
 */
const described = new WeakMap<Connection, Map<string, readonly Column[]>>()

function describedOf(connection: Connection): Map<string, readonly Column[]> {
  let columns = described.get(connection)
  if (columns === undefined) {
    columns = new Map()
    described.set(connection, columns)
  }
  return columns
}

/**
 * The driver's query with another way of asking, and another reading of rows. Its own has each answer described, looks up
 * every column's parser and builds an empty row for each answer anew, of which V8 makes a dictionary: 8 µs on average and 20
 * for an order with its transactions, twenty times a payment. Here all of it is done once.
 */
export class StatementQuery<Row extends object> extends pg.Query {
  readonly text: string
  name: string | undefined
  readonly parameters: readonly Parameter[]
  readonly #outcome = Promise.withResolvers<QueryResult<Row>>()
  readonly #rows: Row[] = []
  /** Of the connection that it was sent over. */
  #described: Map<string, readonly Column[]> | undefined
  /** Undefined until they are described. */
  #columns: readonly Column[] | undefined
  #parses = false
  #command = ''
  #count = 0
  #failure: unknown

  constructor({ text, values }: Sql, { isKept = true }: StatementOptions = {}) {
    super(text)
    this.text = text
    this.name = isKept ? nameOf(text) : undefined
    this.parameters = values.map(toParameter)
  }

  /** The answer, or what failed. */
  async answered(): Promise<QueryResult<Row>> {
    try {
      return await this.#outcome.promise
    } catch (error) {
      // Its own stack ends at the socket; this one shows who sent the statement.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    }
  }

  override submit = (connection: unknown): void => {
    // What the types say of it is of another version.
    const wire = connection as Connection
    // One that is to prepare the same text may fail alone. Until that is known this does without it.
    if (this.name !== undefined && wire.submittedNamedStatements[this.name] !== undefined)
      this.name = undefined
    this.put(wire)
    wire.sync()
  }

  /** Characters and bytes of what is sent. */
  get size(): number {
    return this.parameters.reduce((sum, parameter) => sum + (parameter?.length ?? 0), 0)
  }

  /** Writes all but the Sync. */
  put(connection: Connection): void {
    const { name, text } = this
    if (name === undefined || !isSubmitted(connection, name)) {
      connection.parse({ name, text })
      if (name !== undefined) connection.submittedNamedStatements[name] = text
      this.#parses = true
    }
    connection.bind({ statement: name, values: this.parameters })
    this.#described = describedOf(connection)
    if (name !== undefined) this.#columns = this.#described.get(name)
    if (this.#columns === undefined) connection.describe({ type: 'P' })
    connection.execute({})
  }

  /** What was written was not read: the server has not prepared it. */
  forget(connection: Connection): void {
    if (this.#parses && this.name !== undefined) delete connection.submittedNamedStatements[this.name]
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#columns = fields.map(columnOf)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const columns = this.#columns ?? []
    try {
      const row: Record<string, unknown> = {}
      for (let index = 0; index < fields.length; index++) {
        const column = columns[index]
        const text = fields[index] ?? null
        if (column !== undefined) row[column.name] = text === null ? null : column.parse(text)
      }
      this.#rows.push(row as Row)
    } catch (error) {
      // Thrown from here it would end the connection's reading.
      this.#failure ??= error
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    // Such as `INSERT 0 1`, `SELECT 12`, `BEGIN`.
    const parts = text.split(' ')
    this.#command = parts[0] ?? ''
    this.#count = Number(parts.at(-1)) || 0
    if (this.name !== undefined) this.#described?.set(this.name, this.#columns ?? [])
  }

  handleReadyForQuery(): void {
    const answer = { rows: this.#rows, count: this.#count, command: this.#command }
    if (this.#failure === undefined) this.#outcome.resolve(answer)
    else this.handleError(this.#failure)
  }

  handleError(error: unknown): void {
    this.#outcome.reject(error instanceof Error ? error : new Error(String(error)))
  }
}

function isSubmitted(connection: Connection, name: string): boolean {
  return (
    connection.parsedStatements[name] !== undefined || connection.submittedNamedStatements[name] !== undefined
  )
}

function columnOf({ name, dataTypeID }: Field): Column {
  return { name, dataTypeID, parse: pg.types.getTypeParser(dataTypeID, 'text') }
}
