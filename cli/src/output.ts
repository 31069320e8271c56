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

/** The scalar members of an object, one a line. Lists and objects are shown as JSON. */
export function printObject(object: object, format: Format): void {
  if (format === 'json') return printJson(object)
  const width = Math.max(...Object.keys(object).map((name) => name.length))
  for (const [name, value] of Object.entries(object)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
    print(`${name.padEnd(width)}  ${safe(text).replaceAll('\n', `\n${' '.repeat(width + 2)}`)}`)
  }
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** What is not the result, so that a pipe does not get it. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Texts come from payers: control characters could rewrite the terminal. */
export function safe(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must go.
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '�')
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
