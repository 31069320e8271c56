import { setImmediate } from 'node:timers/promises'
import { COUNTRIES } from '#kernel/countries'
import { CsvError, readRow } from '#kernel/csv'
import { decimal, decimalToString } from '#kernel/decimal'
import type { RequestError } from '#kernel/errors'
import { newId } from '#kernel/ids'
import { parseDate } from '#kernel/time-text'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { ImportRequest } from '../model/rate-requests.ts'
import type { TableRate } from '../model/rate-table.ts'
import type { TaxesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { holdsNever, overlapKey, type TaxRate } from '../model/tax-rate.ts'
import {
  insertTaxRates,
  lockTaxRates,
  pagesOfCountries,
  versionOfRates,
} from '../storage/tax-rate.repository.ts'
import { GeneralRates } from './general-rates.ts'
import { findCrowdedLine } from './rates-together.ts'
import { readPercentage } from './read-rate.ts'
import { TakenDays } from './taken-days.ts'
import { recordCreated, tooManyTogether } from './tax-rates.ts'

export interface ImportedRates {
  readonly created: number
  readonly unchanged: number
  readonly isDryRun: boolean
}

interface LineProblem {
  readonly line: number
  readonly reason: string
}

/** - `adds`: Lines pay the rate besides other general ones. */
interface RateLine {
  readonly line: number
  readonly rate: TableRate
  readonly adds: boolean
}

const REQUIRED = ['name', 'country', 'percentage', 'valid_from'] as const
const OPTIONAL = ['region', 'category', 'valid_until', 'adds'] as const
const MAX_TEXT = 255
/** The bound of reference/billing-tax#import. */
const MAX_PROBLEMS = 100
const OVERLAPS = 'overlaps another rate of this country, region, category and name'

type Column = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number]

/**
 * Works in pieces and gives the event loop a turn after each, so that a long file holds up nobody. It compares the file with the
 * rates outside of a transaction, because a transaction must not wait for turns. If the rates have changed meanwhile, it compares
 * again.
 */
export async function importTaxRates(
  ctx: TaxesContext,
  caller: Caller,
  { csv, dry_run: isDryRun = false }: ImportRequest,
): Promise<ImportedRates> {
  const file = await readLines(csv)
  for (;;) {
    const compared = await compareFile(ctx, caller, file)
    try {
      return await once(ctx.db, caller, (tx) => storeRates(ctx, tx, file, compared, isDryRun))
    } catch (error) {
      if (!(error instanceof RatesChanged)) throw error
    }
  }
}

class RatesChanged extends Error {}

interface ComparedFile {
  readonly created: readonly RateLine[]
  readonly refusal: RequestError | undefined
  readonly countries: readonly string[]
  readonly version: string
}

async function compareFile(
  ctx: TaxesContext,
  { businessId }: Caller,
  { lines, problems }: ReadLines,
): Promise<ComparedFile> {
  const countries = [...new Set(lines.map(({ rate }) => rate.country))]
  const { version, known } = await ctx.db.transact(
    businessId,
    async (tx) => ({
      version: await versionOfRates(tx, countries),
      known: await Array.fromAsync(pagesOfCountries(tx, countries)),
    }),
    { isSnapshot: true },
  )
  const rates = known.flat()
  const held = rates.filter((rate) => !holdsNever(rate))
  const { created, overlaps } = await compareLines(lines, rates)
  const sums = overlaps.length === 0 ? await sumsOf(created, held) : []
  const refusal = problemsOf([...problems, ...overlaps, ...sums]) ?? (await crowdOf(created, held))
  return { created, refusal, countries, version }
}

async function storeRates(
  ctx: TaxesContext,
  tx: Tx,
  { lines }: ReadLines,
  { created, refusal, countries, version }: ComparedFile,
  isDryRun: boolean,
): Promise<ImportedRates> {
  await lockTaxRates(tx)
  if ((await versionOfRates(tx, countries)) !== version) throw new RatesChanged()
  if (refusal !== undefined) throw refusal
  for await (const piece of inPieces(isDryRun ? [] : created)) {
    const rates = piece.map(({ rate }): TaxRate => ({
      ...rate,
      percentage: decimal(rate.percentage),
      id: newId('txr'),
      referenceId: null,
      metadata: null,
      createdAt: tx.now,
      updatedAt: tx.now,
    }))
    await insertTaxRates(tx, rates)
    await recordCreated(ctx, tx, rates)
  }
  return { created: created.length, unchanged: lines.length - created.length, isDryRun }
}

/** Lines of a file that are parsed, compared or stored between two turns of the event loop, in some milliseconds. */
const PIECE = 500

async function* inPieces<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let at = 0; at < items.length; at += PIECE) {
    yield items.slice(at, at + PIECE)
    await setImmediate()
  }
}

interface ComparedLines {
  readonly created: readonly RateLine[]
  readonly overlaps: readonly LineProblem[]
}

async function compareLines(lines: readonly RateLine[], known: readonly TableRate[]): Promise<ComparedLines> {
  const days = new Map<string, TakenDays>()
  const daysOf = (rate: TableRate) => {
    const key = overlapKey(rate)
    const taken = days.get(key) ?? new TakenDays()
    days.set(key, taken)
    return taken
  }
  const takenBack = new Set<string>()
  for await (const piece of inPieces(known)) {
    for (const rate of piece) {
      if (holdsNever(rate)) takenBack.add(wholeKey(rate))
      else daysOf(rate).take(rate)
    }
  }
  const created: RateLine[] = []
  const overlaps: LineProblem[] = []
  for await (const piece of inPieces(lines)) {
    for (const line of piece) {
      const taken = daysOf(line.rate)
      const other = taken.firstOverlapping(line.rate)
      if (other === undefined && takenBack.has(wholeKey(line.rate))) continue
      if (other === undefined) taken.take(line.rate)
      else if (saysTheSame(line.rate, other)) continue
      else overlaps.push({ line: line.line, reason: OVERLAPS })
      created.push(line)
    }
  }
  return { created, overlaps }
}

/** A rate that was imported and taken back does not come back with the same file. */
function wholeKey(rate: TableRate): string {
  return `${overlapKey(rate)} ${rate.validFrom} ${rate.percentage}`
}

/** Importing a rate again keeps a `valid_until` that was set after the first import. */
function saysTheSame(rate: TableRate, stored: TableRate): boolean {
  return (
    rate.validFrom === stored.validFrom &&
    rate.percentage === stored.percentage &&
    (rate.validUntil === null || rate.validUntil === stored.validUntil)
  )
}

/** A new general rate beside another of its country and category, of another name, stored or in the file. */
async function sumsOf(
  created: readonly RateLine[],
  known: readonly TableRate[],
): Promise<readonly LineProblem[]> {
  const general = new Map<string, GeneralRates>()
  const ratesOf = ({ country, category }: TableRate) => {
    const key = JSON.stringify([country, category])
    const rates = general.get(key) ?? new GeneralRates()
    general.set(key, rates)
    return rates
  }
  for await (const piece of inPieces(known)) {
    for (const rate of piece) if (rate.region === null) ratesOf(rate).add(rate)
  }
  const sums: LineProblem[] = []
  for await (const piece of inPieces(created)) {
    for (const { line, rate, adds } of piece) {
      if (rate.region !== null) continue
      const other = adds ? undefined : ratesOf(rate).beside(rate)
      if (other !== undefined) {
        sums.push({
          line,
          reason: `adds up with ${other.name} ${other.percentage}%, which is valid at the same time`,
        })
      }
      ratesOf(rate).add(rate)
    }
  }
  return sums
}

function problemsOf(problems: readonly LineProblem[]): RequestError | undefined {
  if (problems.length === 0) return undefined
  const lines = problems.toSorted((a, b) => a.line - b.line).slice(0, MAX_PROBLEMS)
  return errors.csv_invalid({ param: 'csv', data: { lines } })
}

async function crowdOf(
  created: readonly RateLine[],
  known: readonly TableRate[],
): Promise<RequestError | undefined> {
  const countries = new Map<string, TableRate[]>()
  const lineOf = new Map<TableRate, number>()
  const add = (rate: TableRate) => {
    const ofCountry = countries.get(rate.country)
    if (ofCountry === undefined) countries.set(rate.country, [rate])
    else ofCountry.push(rate)
  }
  for await (const piece of inPieces(known)) piece.forEach(add)
  for await (const piece of inPieces(created)) {
    for (const { line, rate } of piece) {
      lineOf.set(rate, line)
      add(rate)
    }
  }
  for (const rates of countries.values()) {
    const crowded = await findCrowdedLine(rates, lineOf)
    if (crowded !== undefined) return tooManyTogether(crowded, `line ${lineOf.get(crowded.rate)} of the file`)
  }
  return undefined
}

interface ReadLines {
  readonly lines: readonly RateLine[]
  readonly problems: readonly LineProblem[]
}

async function readLines(csv: string): Promise<ReadLines> {
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
