import Table from 'cli-table3'

export type Format = 'table' | 'json'

/** A table for people, JSON for programs that read a pipe. */
export function formatOf({ json }: { json?: boolean }): Format {
  return json === true || !process.stdout.isTTY ? 'json' : 'table'
}

export interface Column<Row> {
  readonly title: string
  readonly of: (row: Row) => string | null | undefined
}

export function printRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], format: Format): void {
  if (format === 'json') return printJson(rows)
  if (rows.length === 0) return print('Nothing was found.')
  const table = new Table({
    head: columns.map(({ title }) => title),
    style: { head: [], border: [], compact: true },
    chars: BORDERLESS,
  })
  table.push(...rows.map((row) => columns.map(({ of }) => safe(of(row) ?? ''))))
  print(table.toString())
}

/** An object for people: a member a line, what is inside it indented below, and no member without a value. */
export function printObject(object: object, format: Format): void {
  if (format === 'json') return printJson(object)
  for (const line of linesOf(object)) print(line)
}

function linesOf(object: object): string[] {
  const members = Object.entries(object).filter(([, value]) => hasValue(value))
  const texts = members.map(([name, value]) => [name, textOf(value)] as const)
  const width = Math.max(0, ...texts.map(([name, text]) => (text === undefined ? 0 : safe(name).length)))
  return members.flatMap(([name, value], index) => {
    const text = texts[index]?.[1]
    if (text !== undefined)
      return `${safe(name).padEnd(width)}  ${safe(text).replaceAll('\n', `\n${' '.repeat(width + 2)}`)}`.split(
        '\n',
      )
    const inside = Array.isArray(value)
      ? value.flatMap(itemLinesOf)
      : indented(linesOf(value as object), '  ')
    return [safe(name), ...inside]
  })
}

function itemLinesOf(item: unknown): string[] {
  const [first = '', ...rest] =
    typeof item === 'object' && item !== null ? linesOf(item) : [textOf(item) ?? '']
  return [`  - ${first}`, ...indented(rest, '    ')]
}

function indented(lines: readonly string[], space: string): string[] {
  return lines.map((line) => space + line)
}

function hasValue(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false
  if (typeof value !== 'object' || JSON.isRawJSON(value)) return true
  return Object.keys(value).length > 0
}

/** Returns a value that fits on a line; undefined for an object and a list of objects. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return JSON.stringify(value)
  if (!Array.isArray(value) || value.some((item) => typeof item === 'object' && !JSON.isRawJSON(item)))
    return undefined
  return value.map(textOf).join(', ')
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Writes a text that is not the result to standard error, so that a pipe does not get it. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Texts come from payers: control characters could rewrite the terminal, and bidi controls the rest of a line. */
export function safe(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, '�')
}

const BORDERLESS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' ',
}
