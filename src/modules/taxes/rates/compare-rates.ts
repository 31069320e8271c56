import { errorOf, type RequestError } from '#kernel/errors'
import type { TableRate } from '../model/rate-table.ts'
import { holdsNever, overlapKey } from '../model/tax-rate.ts'
import { errors } from '../errors.ts'
import { refuseCrowd } from './decide-tax-rate.ts'
import { GeneralRates } from './general-rates.ts'
import { inPieces } from './pieces.ts'
import { findCrowdedLine } from './rates-together.ts'
import type { LineProblem, RateLine } from './read-rates-file.ts'
import { TakenDays } from './taken-days.ts'

const OVERLAPS = 'overlaps another rate of this country, region, category and name'

export interface ComparedLines {
  readonly created: readonly RateLine[]
  readonly overlaps: readonly LineProblem[]
}

export async function compareLines(
  lines: readonly RateLine[],
  known: readonly TableRate[],
): Promise<ComparedLines> {
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
export async function sumsOf(
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

export async function crowdOf(
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
    if (crowded === undefined) continue
    return errorOf(errors, refuseCrowd(crowded, `line ${lineOf.get(crowded.rate)} of the file`))
  }
  return undefined
}
