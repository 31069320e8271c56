import { COUNTRIES } from '#kernel/countries'
import { CsvError, readRow } from '#kernel/csv'
import { compareDecimals } from '#kernel/decimal'
import { newId } from '#kernel/ids'
import { parseDate } from '#kernel/time-text'
import type { Instant } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { TaxesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { overlaps, type TaxRate } from '../model/tax-rate.ts'
import { findTaxRatesOfCountries, insertTaxRates, lockTaxRates } from '../storage/tax-rate.repository.ts'
import { readPercentage } from './read-rate.ts'
import { recordCreated } from './tax-rates.ts'

export interface ImportRequest {
  readonly csv: string
  readonly dry_run?: boolean
}

export interface ImportedRates {
  readonly created: number
  readonly unchanged: number
  readonly isDryRun: boolean
}

interface LineProblem {
  readonly line: number
  readonly reason: string
}

interface RateOfLine {
  readonly line: number
  readonly rate: TaxRate
}

const REQUIRED = ['name', 'country', 'percentage', 'valid_from'] as const
const OPTIONAL = ['region', 'category', 'valid_until'] as const
const MAX_TEXT = 255
const MAX_PROBLEMS = 100

type Column = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number]

export function importTaxRates(
  ctx: TaxesContext,
  caller: Caller,
  { csv, dry_run: isDryRun = false }: ImportRequest,
): Promise<ImportedRates> {
  return once(ctx.db, caller, async (tx) => {
    const { rates, problems } = readRates(csv, tx.now)
    await lockTaxRates(tx)
    const countries = [...new Set(rates.map(({ rate }) => rate.country))]
    const known = await findTaxRatesOfCountries(tx, countries)
    const byCountry = Map.groupBy(known, ({ country }) => country)
    const created: TaxRate[] = []
    for (const { line, rate } of rates) {
      const others = byCountry.get(rate.country) ?? []
      if (others.some((other) => saysTheSame(rate, other))) continue
      if (others.some((other) => overlaps(rate, other))) {
        problems.push({ line, reason: 'overlaps another rate of this country, region, category and name' })
      }
      created.push(rate)
      byCountry.set(rate.country, [...others, rate])
    }
    if (problems.length > 0) {
      const lines = problems.toSorted((a, b) => a.line - b.line).slice(0, MAX_PROBLEMS)
      throw errors.csv_invalid({ param: 'csv', data: { lines } })
    }
    if (!isDryRun && created.length > 0) {
      await insertTaxRates(tx, created)
      await recordCreated(ctx, tx, created)
    }
    return { created: created.length, unchanged: rates.length - created.length, isDryRun }
  })
}

/** Importing a rate again keeps a `valid_until` that was set after the first import. */
function saysTheSame(rate: TaxRate, stored: TaxRate): boolean {
  return (
    rate.name === stored.name &&
    rate.country === stored.country &&
    rate.region === stored.region &&
    rate.category === stored.category &&
    rate.validFrom === stored.validFrom &&
    compareDecimals(rate.percentage, stored.percentage) === 0 &&
    (rate.validUntil === null || rate.validUntil === stored.validUntil)
  )
}

function readRates(csv: string, at: Instant): { rates: RateOfLine[]; problems: LineProblem[] } {
  const rates: RateOfLine[] = []
  const problems: LineProblem[] = []
  let offset = csv.startsWith('\uFEFF') ? 1 : 0
  let line = 1
  let columns: readonly string[] | undefined
  for (;;) {
    const row = readRowOrProblem(csv, offset)
    if (row === null) break
    if (row === 'broken') {
      problems.push({ line, reason: 'is not CSV' })
      break
    }
    if (columns === undefined) {
      columns = row.cells.map((cell) => cell.trim())
      const reason = headerProblem(columns)
      if (reason !== undefined) return { rates, problems: [{ line, reason }] }
    } else if (row.cells.length > 1 || row.cells[0] !== '') {
      const read = readLine(columns, row.cells, at)
      if (typeof read === 'string') problems.push({ line, reason: read })
      else rates.push({ line, rate: read })
    }
    line += csv.slice(offset, row.next).split('\n').length - 1
    offset = row.next
  }
  if (columns === undefined && problems.length === 0) problems.push({ line: 1, reason: 'has no header' })
  return { rates, problems }
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
  return other === undefined ? undefined : `has a column that is unknown or repeated: ${other}`
}

function readLine(columns: readonly string[], cells: readonly string[], at: Instant): TaxRate | string {
  if (cells.length !== columns.length) return `has ${cells.length} cells, and the header ${columns.length}`
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
  return {
    id: newId('txr'),
    name: cell('name'),
    country: cell('country'),
    region: orNull('region'),
    category: orNull('category'),
    percentage,
    validFrom,
    validUntil,
    referenceId: null,
    metadata: null,
    createdAt: at,
    updatedAt: at,
  }
}
