import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { toParameter } from '#platform/parameters'

/** What a statement has answered. */
export interface Answer<Row> {
  readonly rows: Row[]
  /** How many rows it returned or touched. */
  readonly count: number
}

interface Field {
  readonly name: string
  readonly dataTypeID: Parameters<typeof pg.types.getTypeParser>[0]
}

interface Column extends Field {
  readonly parse: (text: string) => unknown
}

/** What is known of a text: the name it is prepared under, and the columns that it answered last. */
interface Known {
  readonly name: string
  columns: readonly Column[]
}

/** Statements are written in the code, so there are few hundred; one with a caller's filter is not kept. */
const known = new Map<string, Known>()
const MOST_KNOWN = 2_000

function knownOf(text: string): Known | undefined {
  const found = known.get(text)
  if (found !== undefined || known.size >= MOST_KNOWN) return found
  const name = createHash('sha1').update(text).digest('base64url')
  const added: Known = { name, columns: [] }
  known.set(text, added)
  return added
}

/** The statement as the driver's own query takes it: prepared once a connection, under a name made from its text. */
export function configOf(statement: Sql): pg.QueryConfig {
  const { text } = statement
  const name = knownOf(text)?.name
  return { text, values: statement.values.map(toParameter), ...(name !== undefined && { name }) }
}

/** Sends a statement, prepared as by `configOf`. It is sent by the time this returns. */
export function runStatement<Row extends object>(
  client: pg.ClientBase,
  statement: Sql,
): Promise<Answer<Row>> {
  return send(client, statement, knownOf(statement.text))
}

/**
 * As `runStatement`, of a statement that a caller's filter has shaped: neither we nor the connection keep it, since there
 * is no end of such texts.
 */
export function runUnprepared<Row extends object>(
  client: pg.ClientBase,
  statement: Sql,
): Promise<Answer<Row>> {
  return send(client, statement, undefined)
}

async function send<Row extends object>(
  client: pg.ClientBase,
  { text, values }: Sql,
  kept: Known | undefined,
): Promise<Answer<Row>> {
  const { answered } = client.query(new StatementQuery<Row>(text, values.map(toParameter), kept))
  try {
    return await answered
  } catch (error) {
    // Its own stack ends at the socket; this one shows who sent the statement.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

/**
 * The driver's query with another reading of rows. Its own looks up every column's parser and builds an empty row for
 * each answer anew, of which V8 makes a dictionary: 8 µs on average and 20 for an order with its transactions, twenty
 * times a payment. Here both are done when the columns differ from the last time, which is once.
 */
class StatementQuery<Row extends object> extends pg.Query {
  readonly name: string | undefined
  readonly #known: Known | undefined
  readonly #outcome = Promise.withResolvers<Answer<Row>>()
  readonly #rows: Row[] = []
  #columns: readonly Column[] = []
  #count = 0
  #failure: unknown

  constructor(text: string, values: unknown[], kept: Known | undefined) {
    super(text, values)
    this.#known = kept
    this.name = kept?.name
  }

  get answered(): Promise<Answer<Row>> {
    return this.#outcome.promise
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    const last = this.#known?.columns ?? []
    this.#columns = areThese(last, fields) ? last : fields.map(columnOf)
    if (this.#known !== undefined) this.#known.columns = this.#columns
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    try {
      const row: Record<string, unknown> = {}
      for (let index = 0; index < fields.length; index++) {
        const column = this.#columns[index]
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
    this.#count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
  }

  handleReadyForQuery(): void {
    if (this.#failure === undefined) this.#outcome.resolve({ rows: this.#rows, count: this.#count })
    else this.handleError(this.#failure)
  }

  handleError(error: unknown): void {
    this.#outcome.reject(error instanceof Error ? error : new Error(String(error)))
  }
}

function areThese(columns: readonly Column[], fields: readonly Field[]): boolean {
  if (columns.length !== fields.length) return false
  return fields.every(({ name, dataTypeID }, index) => {
    const column = columns[index]
    return column?.name === name && column.dataTypeID === dataTypeID
  })
}

function columnOf({ name, dataTypeID }: Field): Column {
  return { name, dataTypeID, parse: pg.types.getTypeParser(dataTypeID, 'text') }
}
