import type { Caller } from '#platform/caller'
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
  const sums = await sumOfPages(ctx, caller, scope, sumTaxes, taxKey, (a, b) => ({
    ...a,
    net: a.net + b.net,
    tax: a.tax + b.tax,
    documents: a.documents + b.documents,
    converted_net: plus(a.converted_net, b.converted_net),
    converted_tax: plus(a.converted_tax, b.converted_tax),
  }))
  return { scope, rows: sums }
}

export async function readBuyers(
  ctx: InvoicesContext,
  caller: Caller,
  query: ReportQuery,
): Promise<Report<BuyerSum>> {
  const scope = await readIssuedScope(ctx, caller, query)
  const sums = await sumOfPages(ctx, caller, scope, sumBuyers, buyerKey, (a, b) => ({
    ...a,
    net: a.net + b.net,
    tax: a.tax + b.tax,
  }))
  return { scope, rows: sums }
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

/** In memory are the sums, and never the documents. */
async function sumOfPages<Sum>(
  ctx: InvoicesContext,
  { businessId }: Caller,
  scope: IssuedScope,
  sumOf: (tx: Tx, scope: IssuedScope, span: DocumentSpan) => Promise<Sum[]>,
  keyOf: (sum: Sum) => readonly (string | null)[],
  add: (a: Sum, b: Sum) => Sum,
): Promise<Sum[]> {
  const sums = new Map<string, Sum>()
  for (let after: DocumentKey | undefined; ;) {
    const start: DocumentKey | undefined = after
    const page = await ctx.db.transact(
      businessId,
      async (tx) => {
        const until = await endOfPage(tx, scope, start)
        return { until, found: await sumOf(tx, scope, { after: start, until }) }
      },
      { isSnapshot: true },
    )
    for (const sum of page.found) {
      const key = JSON.stringify(keyOf(sum))
      const known = sums.get(key)
      sums.set(key, known === undefined ? sum : add(known, sum))
    }
    if (page.until === undefined) break
    after = page.until
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}
