import type { TSchema } from 'typebox'
import { ExactNumber } from '#kernel/json'
import type { Rendered } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { WHOLE_LIST } from '#platform/http/validation/list'
import type { Route } from '#platform/http/routes/route'
import { StreamedFile } from '#platform/http/routes/streamed-file'

export interface ListShape {
  readonly member: string
  readonly columns: readonly string[]
}

type Schema = TSchema & {
  readonly type?: unknown
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

export function listShapeOf(route: Route): ListShape | undefined {
  const { properties = {} } = route.data as Schema
  if (route.query?.properties['cursor'] === undefined || properties['page'] === undefined) return undefined
  const list = Object.entries(properties).find(([, { type }]) => type === 'array')
  if (list === undefined) return undefined
  const [member, { items }] = list
  return items && { member, columns: columnsOf(items, '') }
}

function columnsOf(schema: Schema, path: string): string[] {
  if (schema.anyOf !== undefined) {
    const kinds = schema.anyOf.filter(({ type }) => type !== 'null')
    return [...new Set(kinds.flatMap((kind) => columnsOf(kind, path)))]
  }
  if (schema.type === 'array') return []
  const members = Object.entries(schema.properties ?? {})
  if (members.length === 0) return [path]
  return members.flatMap(([name, member]) => columnsOf(member, path === '' ? name : `${path}.${name}`))
}

export function acceptsCsv(accept: string | undefined): boolean {
  return accept !== undefined && /(?:^|,)\s*text\/csv\s*(?:;|,|$)/i.test(accept)
}

const PAGE_MEMBERS = ['offset', 'limit', 'cursor'] as const

type ReadPage = (query: Readonly<Record<string | symbol, unknown>>) => Promise<Rendered>

/**
 * The whole list as a file. The first page is read before anything is sent, so that a wrong filter can still return an error.
 * After that one page at a time is in memory.
 */
export async function csvFile(
  { member, columns: known }: ListShape,
  query: Readonly<Record<string, unknown>>,
  readPage: ReadPage,
): Promise<StreamedFile> {
  const { columns: chosen, ...filter } = query
  for (const name of PAGE_MEMBERS) {
    if (filter[name] !== undefined) {
      throw invalid(name, 'must not be sent with Accept: text/csv, which returns the whole list')
    }
  }
  const columns = typeof chosen === 'string' ? chosenColumns(chosen, known) : known
  const read = async (cursor: string | undefined) =>
    pageOf(await readPage({ ...filter, [WHOLE_LIST]: true, ...(cursor !== undefined && { cursor }) }), member)
  const first = await read(undefined)

  async function* lines(): AsyncIterable<string> {
    yield csvLine(columns)
    for (let page = first; ; page = await read(page.cursor)) {
      yield page.rows.map((row) => csvLine(columns.map((column) => valueAt(row, column)))).join('')
      if (page.cursor === undefined) return
    }
  }
  return new StreamedFile(`${member}.csv`, lines())
}

export function refuseColumns(query: Readonly<Record<string, unknown>>): void {
  if (query['columns'] !== undefined) throw invalid('columns', 'must be sent with Accept: text/csv')
}

function chosenColumns(text: string, known: readonly string[]): string[] {
  const columns = text.split(',').map((column) => column.trim())
  if (columns.every((column) => known.includes(column))) return columns
  throw invalid('columns', `must be names of columns, separated by commas: ${known.join(', ')}`)
}

function invalid(param: string, what: string) {
  return platformErrors.invalid_query_value({ param, message: `${param} ${what}.` })
}

interface Page {
  readonly rows: readonly unknown[]
  readonly cursor: string | undefined
}

function pageOf(data: Rendered, member: string): Page {
  const read = JSON.parse(JSON.stringify(data), (_name, value: unknown, { source }) =>
    typeof value === 'number' && source !== undefined ? new ExactNumber(source) : value,
  ) as Record<string, unknown> & { readonly page: { readonly next_cursor: string | null } }
  return { rows: read[member] as unknown[], cursor: read.page.next_cursor ?? undefined }
}

function valueAt(row: unknown, column: string): string {
  let value: unknown = row
  for (const name of column.split('.')) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
  }
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function csvLine(values: readonly string[]): string {
  return `${values.map((value) => quoted(withoutFormulas(value))).join(',')}\r\n`
}

export function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const NUMBER = /^-?\d+(?:\.\d+)?$/
const FORMULA = /^;?[=+\-@\t\r\n＝＋－＠]/
const AFTER_SEPARATOR = /([;\t\r\n]["\s]*)([=+\-@＝＋－＠]?)/g

/**
 * A spreadsheet runs a cell that begins like a formula. A leading apostrophe makes the cell text (OWASP, CSV injection). Where
 * semicolons separate cells, the part after a semicolon is a cell of its own, whatever quotes are around it.
 */
export function withoutFormulas(text: string): string {
  if (NUMBER.test(text)) return text
  return text
    .replace(FORMULA, "'$&")
    .replace(AFTER_SEPARATOR, (_, before: string, first: string) =>
      first === '' ? before : `${before}'${first}`,
    )
}
