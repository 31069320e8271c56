import { setImmediate } from 'node:timers/promises'
import { COUNTRIES } from '#kernel/countries'
import { CsvError, readRow } from '#kernel/csv'
import { decimalToString } from '#kernel/decimal'
import { parseDate } from '#kernel/time-text'
import type { TableRate } from '../model/rate-table.ts'
import { PIECE } from './pieces.ts'
import { readPercentage } from './read-rate.ts'

export interface LineProblem {
  readonly line: number
  readonly reason: string
}

/** - `adds`: Lines pay the rate besides other general ones. */
export interface RateLine {
  readonly line: number
  readonly rate: TableRate
  readonly adds: boolean
}

const REQUIRED = ['name', 'country', 'percentage', 'valid_from'] as const
const OPTIONAL = ['region', 'category', 'valid_until', 'adds'] as const
const MAX_TEXT = 255

type Column = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number]

export interface ReadLines {
  readonly lines: readonly RateLine[]
  readonly problems: readonly LineProblem[]
}

export async function readLines(csv: string): Promise<ReadLines> {
  const lines: RateLine[] = []
  const problems: LineProblem[] = []
  let offset = csv.startsWith('\uFEFF') ? 1 : 0
  let line = 1
  let columns: readonly string[] | undefined
  for (let rows = 1; ; rows++) {
    const row = readRowOrProblem(csv, offset)
    if (row === null) break
    if (row === 'broken') {
      problems.push({ line, reason: 'is not CSV' })
      break
    }
    if (columns === undefined) {
      columns = row.cells.map((cell) => cell.trim())
      const reason = headerProblem(columns)
      if (reason !== undefined) return { lines, problems: [{ line, reason }] }
    } else if (row.cells.length > 1 || row.cells[0] !== '') {
      const read = readLine(columns, row.cells)
      if (typeof read === 'string') problems.push({ line, reason: read })
      else lines.push({ line, ...read })
    }
    line += csv.slice(offset, row.next).split('\n').length - 1
    offset = row.next
    if (rows % PIECE === 0) await setImmediate()
  }
  if (columns === undefined && problems.length === 0) problems.push({ line: 1, reason: 'has no header' })
  return { lines, problems }
}

function readRowOrProblem(csv: string, offset: number) {
  try {
    return readRow(csv, offset)
  } catch (error) {
    if (error instanceof CsvError) return 'broken' as const
    throw error
  }
}

function headerProblem(columns: readonly string[]): string | undefined {
  const missing = REQUIRED.find((name) => !columns.includes(name))
  if (missing !== undefined) return `has no column ${missing}`
  const known: ReadonlySet<string> = new Set([...REQUIRED, ...OPTIONAL])
  const other = columns.find((name, index) => !known.has(name) || columns.indexOf(name) < index)
  return other === undefined ? undefined : `has an unknown or repeated column: ${other}`
}

function readLine(columns: readonly string[], cells: readonly string[]): Omit<RateLine, 'line'> | string {
  if (cells.length !== columns.length)
    return `has ${cells.length} cells, but the header has ${columns.length}`
  const cell = (column: Column) => cells[columns.indexOf(column)]?.trim() ?? ''
  const orNull = (column: Column) => (cell(column) === '' ? null : cell(column))
  const empty = REQUIRED.find((column) => cell(column) === '')
  if (empty !== undefined) return `${empty} is empty`
  const long = (['name', 'region', 'category'] as const).find((column) => [...cell(column)].length > MAX_TEXT)
  if (long !== undefined) return `${long} has more than ${MAX_TEXT} characters`
  if (!COUNTRIES.includes(cell('country'))) return 'country is not an ISO 3166-1 alpha-2 code'
  const percentage = readPercentage(cell('percentage'))
  if (typeof percentage === 'string') return `percentage ${percentage}`
  const validFrom = cell('valid_from')
  const validUntil = orNull('valid_until')
  if (parseDate(validFrom) === undefined) return 'valid_from must be a date as YYYY-MM-DD'
  if (validUntil !== null && parseDate(validUntil) === undefined) {
    return 'valid_until must be a date as YYYY-MM-DD'
  }
  if (validUntil !== null && validUntil < validFrom) return 'valid_until must not be before valid_from'
  const adds = cell('adds')
  if (!['', 'false', 'true'].includes(adds)) return 'adds must be true or false'
  const rate: TableRate = {
    name: cell('name'),
    country: cell('country'),
    region: orNull('region'),
    category: orNull('category'),
    percentage: decimalToString(percentage),
    validFrom,
    validUntil,
  }
  return { rate, adds: adds === 'true' }
}
