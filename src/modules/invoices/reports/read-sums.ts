import type { Caller } from '#platform/caller'
import type { DateRange } from '#platform/http/validation/date-range'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import type { IssuedScope } from '../storage/issued-scope.ts'
import {
  type BuyerSum,
  type DocumentKey,
  type DocumentSpan,
  endOfPage,
  sumBuyers,
  sumTaxes,
  type TaxSum,
} from '../storage/tax-report.repository.ts'
import { findUnsummedDays, lockTaxDays, readTaxDays, sumTaxDay } from '../storage/tax-day.repository.ts'
import { readIssuedScope, type ReportQuery } from './report-query.ts'

export interface Report<Row> {
  readonly scope: IssuedScope
  readonly rows: readonly Row[]
}

/** Sums the taxes of documents. Of the same range it is the sum of what its documents' `taxes` say, to the cent. */
export async function readTaxes(
  ctx: InvoicesContext,
  caller: Caller,
  query: ReportQuery,
): Promise<Report<TaxSum>> {
  const scope = await readIssuedScope(ctx, caller, query)
  const { over, recent } = splitRange(scope.range, scope.today)
  const sums = new Map<string, TaxSum>()
  if (over !== undefined) addAll(sums, await sumsOfDays(ctx, caller, { ...scope, range: over }), TAXES)
  if (recent !== undefined) await addPages(ctx, caller, { ...scope, range: recent }, TAXES, sums)
  return { scope, rows: sorted(sums) }
}

/** These days may get documents still, from transactions that began before midnight. */
const RECENT_DAYS = 2

function splitRange({ from, to }: DateRange, today: Temporal.PlainDate) {
  const firstRecent = today.subtract({ days: RECENT_DAYS - 1 })
  const isBefore = (a: Temporal.PlainDate, b: Temporal.PlainDate) => Temporal.PlainDate.compare(a, b) < 0
  const lastOver = firstRecent.subtract({ days: 1 })
  return {
    over: isBefore(from, firstRecent) ? { from, to: isBefore(to, lastOver) ? to : lastOver } : undefined,
    recent: isBefore(to, firstRecent)
      ? undefined
      : { from: isBefore(from, firstRecent) ? firstRecent : from, to },
  }
}

/** Sums each day once, a transaction for each. */
async function sumsOfDays(
  ctx: InvoicesContext,
  { businessId }: Caller,
  scope: IssuedScope,
): Promise<TaxSum[]> {
  const { from, to } = scope.range
  const days = await ctx.db.transact(businessId, (tx) => findUnsummedDays(tx, from.toString(), to.toString()))
  for (const day of days) {
    await ctx.db.transact(businessId, async (tx) => {
      await lockTaxDays(tx)
      await sumTaxDay(tx, day)
    })
  }
  return ctx.db.transact(businessId, (tx) => readTaxDays(tx, scope))
}

export async function readBuyers(
  ctx: InvoicesContext,
  caller: Caller,
  query: ReportQuery,
): Promise<Report<BuyerSum>> {
  const scope = await readIssuedScope(ctx, caller, query)
  const sums = new Map<string, BuyerSum>()
  await addPages(ctx, caller, scope, BUYERS, sums)
  return { scope, rows: sorted(sums) }
}

function plus(a: bigint | null, b: bigint | null): bigint | null {
  return a === null || b === null ? (a ?? b) : a + b
}

function taxKey(sum: TaxSum): readonly (string | null)[] {
  const { legal_entity_id: entity, currency, country, region, treatment, name, percentage, category } = sum
  const rate = percentage.padStart(12, '0')
  return [entity, currency, country, region, treatment, name, rate, category, sum.tax_currency]
}

function buyerKey(sum: BuyerSum): readonly (string | null)[] {
  const {
    legal_entity_id: entity,
    currency,
    buyer_name: name,
    buyer_tax_id: id,
    buyer_country: country,
  } = sum
  return [entity, currency, name, id, country, sum.treatment]
}

interface Summing<Sum> {
  readonly sumOf: (tx: Tx, scope: IssuedScope, span: DocumentSpan) => Promise<Sum[]>
  readonly keyOf: (sum: Sum) => readonly (string | null)[]
  readonly add: (a: Sum, b: Sum) => Sum
}

const TAXES: Summing<TaxSum> = {
  sumOf: sumTaxes,
  keyOf: taxKey,
  add: (a, b) => ({
    ...a,
    net: a.net + b.net,
    tax: a.tax + b.tax,
    documents: a.documents + b.documents,
    converted_net: plus(a.converted_net, b.converted_net),
    converted_tax: plus(a.converted_tax, b.converted_tax),
  }),
}

const BUYERS: Summing<BuyerSum> = {
  sumOf: sumBuyers,
  keyOf: buyerKey,
  add: (a, b) => ({ ...a, net: a.net + b.net, tax: a.tax + b.tax }),
}

/** In memory are the sums, and never the documents. */
async function addPages<Sum>(
  ctx: InvoicesContext,
  { businessId }: Caller,
  scope: IssuedScope,
  summing: Summing<Sum>,
  sums: Map<string, Sum>,
): Promise<void> {
  for (let after: DocumentKey | undefined; ;) {
    const start: DocumentKey | undefined = after
    const page = await ctx.db.transact(
      businessId,
      async (tx) => {
        const until = await endOfPage(tx, scope, start)
        return { until, found: await summing.sumOf(tx, scope, { after: start, until }) }
      },
      { isSnapshot: true },
    )
    addAll(sums, page.found, summing)
    if (page.until === undefined) return
    after = page.until
  }
}

function addAll<Sum>(sums: Map<string, Sum>, found: readonly Sum[], { keyOf, add }: Summing<Sum>): void {
  for (const sum of found) {
    const key = JSON.stringify(keyOf(sum))
    const known = sums.get(key)
    sums.set(key, known === undefined ? sum : add(known, sum))
  }
}

function sorted<Sum>(sums: ReadonlyMap<string, Sum>): Sum[] {
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}
