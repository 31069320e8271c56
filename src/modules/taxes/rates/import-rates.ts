import { decimal } from '#kernel/decimal'
import type { RequestError } from '#kernel/errors'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { ImportRequest } from '../model/rate-requests.ts'
import type { TaxesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { holdsNever, type TaxRate } from '../model/tax-rate.ts'
import {
  insertTaxRates,
  lockTaxRates,
  pagesOfCountries,
  versionOfRates,
} from '../storage/tax-rate.repository.ts'
import { compareLines, crowdOf, sumsOf } from './compare-rates.ts'
import { inPieces } from './pieces.ts'
import { type LineProblem, type RateLine, type ReadLines, readLines } from './read-rates-file.ts'
import { recordCreated } from './tax-rates.ts'

export interface ImportedRates {
  readonly created: number
  readonly unchanged: number
  readonly isDryRun: boolean
}

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

/** The bound of reference/billing-tax#import. */
const MAX_PROBLEMS = 100
function problemsOf(problems: readonly LineProblem[]): RequestError | undefined {
  if (problems.length === 0) return undefined
  const lines = problems.toSorted((a, b) => a.line - b.line).slice(0, MAX_PROBLEMS)
  return errors.csv_invalid({ param: 'csv', data: { lines } })
}
