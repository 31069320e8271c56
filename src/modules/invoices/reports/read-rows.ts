import type { Money } from '#kernel/money'
import type { Caller } from '#platform/caller'
import type { PageKey, PageRequest } from '#platform/http/validation/list'
import { decimalToString } from '#kernel/decimal'
import type { InvoicesContext } from '../context.ts'
import type { InvoiceLine } from '../model/invoice.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { signed } from '../model/signed.ts'
import { type TaxPart, taxPartsOf } from '../model/tax-parts.ts'
import { listIssued } from '../storage/invoice.repository.ts'
import type { IssuedScope } from '../storage/issued-scope.ts'
import { type BuyerRowsQuery, readIssuedScope, type ReportQuery, type TaxRowsQuery } from './report-query.ts'

/** Amounts of credit notes are negative. */
export interface TaxRow extends TaxPart {
  readonly document: IssuedInvoice
}

export interface BuyerRow {
  readonly document: IssuedInvoice
  readonly line: InvoiceLine
  readonly taxId: string | null
  readonly net: Money
  readonly tax: Money
}

/** - `limit`: Of documents. */
export type RowsPage = Pick<PageRequest, 'after' | 'limit'>

export interface RowsOfDocument<Row> {
  readonly document: IssuedInvoice
  readonly rows: readonly Row[]
}

/** - `found`: Up to `limit + 1` documents, newest first. */
export interface PageOfRows<Row> {
  readonly scope: IssuedScope
  readonly found: readonly RowsOfDocument<Row>[]
}

export function taxRows(
  ctx: InvoicesContext,
  caller: Caller,
  query: TaxRowsQuery,
  page: RowsPage,
): Promise<PageOfRows<TaxRow>> {
  return rowsOf(ctx, caller, query, page, (document) =>
    taxPartsOf(document)
      .filter((part) => isAsked(part, query))
      .map((part) => ({
        ...part,
        document,
        net: signed(document, part.net),
        tax: signed(document, part.tax),
        ...(part.converted !== undefined && {
          converted: { net: signed(document, part.converted.net), tax: signed(document, part.converted.tax) },
        }),
      })),
  )
}

export function buyerRows(
  ctx: InvoicesContext,
  caller: Caller,
  query: BuyerRowsQuery,
  page: RowsPage,
): Promise<PageOfRows<BuyerRow>> {
  return rowsOf(ctx, caller, query, page, (document) => {
    const { buyer } = document
    const taxId = taxIdOf(document)
    const isBuyer =
      isSame(query.buyer_tax_id, taxId) &&
      isSame(query.buyer_country, buyer.address?.country ?? null) &&
      isSame(query.buyer_name, buyer.name)
    if (!isBuyer) return []
    return document.lines
      .filter(({ treatment }) => isSame(query.treatment, treatment))
      .map((line) => ({
        document,
        line,
        taxId,
        net: signed(document, line.net),
        tax: signed(document, line.tax),
      }))
  })
}

/** A VAT id stands before other ids. */
export function taxIdOf({ buyer: { taxIds } }: Pick<IssuedInvoice, 'buyer'>): string | null {
  return (taxIds.find(({ type }) => type === 'vat') ?? taxIds[0])?.value ?? null
}

function isAsked({ group, origin }: TaxPart, query: TaxRowsQuery): boolean {
  return (
    isSame(query.country, origin.country) &&
    isSame(query.region, origin.region) &&
    isSame(query.treatment, group.treatment) &&
    isSame(query.name, group.name) &&
    isSame(query.percentage, decimalToString(group.percentage)) &&
    isSame(query.category, origin.category)
  )
}

function isSame(asked: string | undefined, value: string | null): boolean {
  return asked === undefined || asked === (value ?? '')
}

async function rowsOf<Row>(
  ctx: InvoicesContext,
  caller: Caller,
  query: ReportQuery,
  { after, limit }: RowsPage,
  rowsOfDocument: (document: IssuedInvoice) => Row[],
): Promise<PageOfRows<Row>> {
  const scope = await readIssuedScope(ctx, caller, query)
  const found = await ctx.db.transact(
    caller.businessId,
    (tx) => listIssued(tx, scope, { list: '', offset: 0, limit, after }),
    { isSnapshot: true },
  )
  return { scope, found: found.map((document) => ({ document, rows: rowsOfDocument(document) })) }
}

const PAGE = 200

/** All rows, page by page. */
export async function* rowPages<Row>(
  read: (page: RowsPage) => Promise<PageOfRows<Row>>,
): AsyncGenerator<readonly Row[]> {
  for (let after: PageKey | undefined; ;) {
    const { found }: PageOfRows<Row> = await read({ after, limit: PAGE })
    const documents = found.slice(0, PAGE)
    yield documents.flatMap(({ rows }) => rows)
    const last = documents.at(-1)?.document
    if (last === undefined || found.length <= PAGE) return
    after = { at: last.createdAt, id: last.id }
  }
}
