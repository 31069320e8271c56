import type { TObject } from 'typebox'
import { instantOf } from '#kernel/clock'
import { parseInstant } from '#kernel/time-text'
import type { Caller } from '#platform/caller'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { rangeText } from '#platform/http/validation/date-range'
import { type PageRequest, readPage, readPageAfter, WHOLE_LIST } from '#platform/http/validation/list'
import type { InvoicesContext } from '../context.ts'
import { openPages, readAges, readOpen, readOpenScope, rowsOfOpen } from '../reports/read-open.ts'
import { buyerRows, type PageOfRows, rowPages, type RowsPage, taxRows } from '../reports/read-rows.ts'
import { readBuyers, readTaxes } from '../reports/read-sums.ts'
import { readIssuedScope, type ReportQuery } from '../reports/report-query.ts'
import { STILL_OPEN } from '../storage/open-invoice.repository.ts'
import {
  pageAfter,
  renderAges,
  renderBuyerRow,
  renderBuyerSum,
  renderOpenItem,
  renderOpenRow,
  renderRows,
  renderTaxRow,
  renderTaxSum,
  reportFile,
} from './report.render.ts'
import {
  BuyerRowSchema,
  BuyerRowsData,
  BuyerRowsQuerySchema,
  BuyersData,
  BuyersQuery,
  BuyerSumSchema,
  MAX_DOCUMENTS,
  MAX_OPEN,
  OpenAgesData,
  OpenAgesQuery,
  OpenData,
  OpenItemSchema,
  OpenItemsQuery,
  OpenRowSchema,
  OpenRowsData,
  TaxesData,
  TaxesQuery,
  TaxRowSchema,
  TaxRowsData,
  TaxRowsQuerySchema,
  TaxSumSchema,
} from './report.schemas.ts'

const BASE = '/svc/report/api/v1/openapi/invoices'
const TAG = 'Reports'
const SCOPE = 'reports:read'

export function invoiceReportRoutes(ctx: InvoicesContext): Route[] {
  return [...taxRoutes(ctx), ...buyerRoutes(ctx), ...openRoutes(ctx)]
}

function taxRoutes(ctx: InvoicesContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/taxes`,
      scope: SCOPE,
      summary: 'Get the taxes of the documents of a range of days',
      description:
        "What a tax return asks for. By date of issue; the sums are those of the documents' `taxes`, to the cent.",
      tag: TAG,
      query: TaxesQuery,
      data: TaxesData,
      handle: async ({ caller, query }) => {
        const { scope, rows } = await readTaxes(ctx, caller, query)
        const { range } = scope
        if (query.format === 'csv') {
          return reportFile(`taxes-${rangeText(range)}`, columnsOf(TaxSumSchema), [rows], renderTaxSum)
        }
        return { from: range.from.toString(), to: range.to.toString(), taxes: rows.map(renderTaxSum) }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/taxes/rows`,
      scope: SCOPE,
      summary: 'Get the lines of documents that the taxes are made of',
      description: 'A row for each line and tax, newest documents first. They sum to the report.',
      tag: TAG,
      query: TaxRowsQuerySchema,
      data: TaxRowsData,
      handle: async ({ caller, query }) => {
        const read = (page: RowsPage) => taxRows(ctx, caller, query, page)
        const file = { name: 'tax-rows', schema: TaxRowSchema, read, render: renderTaxRow }
        if (isCsv(query)) return rowsFile(ctx, caller, query, file)
        const request = pageOf('tax_rows', query, MAX_DOCUMENTS)
        return renderRows(request, (await read(request)).found, renderTaxRow)
      },
    }),
  ]
}

function buyerRoutes(ctx: InvoicesContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/buyers`,
      scope: SCOPE,
      summary: 'Get what each buyer was invoiced in a range of days',
      description: 'By treatment. The rows of `reverse_charge` are an EC sales list.',
      tag: TAG,
      query: BuyersQuery,
      data: BuyersData,
      handle: async ({ caller, query }) => {
        const { scope, rows } = await readBuyers(ctx, caller, query)
        const { range } = scope
        if (query.format === 'csv') {
          return reportFile(`buyers-${rangeText(range)}`, columnsOf(BuyerSumSchema), [rows], renderBuyerSum)
        }
        return { from: range.from.toString(), to: range.to.toString(), buyers: rows.map(renderBuyerSum) }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/buyers/rows`,
      scope: SCOPE,
      summary: 'Get the lines of documents that the sums of buyers are made of',
      description: 'A row for each line, newest documents first. They sum to the report.',
      tag: TAG,
      query: BuyerRowsQuerySchema,
      data: BuyerRowsData,
      handle: async ({ caller, query }) => {
        const read = (page: RowsPage) => buyerRows(ctx, caller, query, page)
        const file = { name: 'buyer-rows', schema: BuyerRowSchema, read, render: renderBuyerRow }
        if (isCsv(query)) return rowsFile(ctx, caller, query, file)
        const request = pageOf('buyer_rows', query, MAX_DOCUMENTS)
        return renderRows(request, (await read(request)).found, renderBuyerRow)
      },
    }),
  ]
}

function openRoutes(ctx: InvoicesContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/open`,
      scope: SCOPE,
      summary: 'Get the invoices of which something was due at the end of a day',
      description:
        'Payments count on their date and credit notes on their date of issue. Open invoices come first.',
      tag: TAG,
      query: OpenItemsQuery,
      data: OpenData,
      handle: async ({ caller, query }) => {
        const scope = await readOpenScope(ctx, caller, query)
        if (isCsv(query)) {
          const pages = openPages(ctx, caller, scope)
          return reportFile(`open-items-${scope.day}`, columnsOf(OpenItemSchema), pages, renderOpenItem)
        }
        const request = pageOfOpen('open_items', query)
        const { items, next } = await readOpen(ctx, caller, scope, request)
        return { open: items.map(renderOpenItem), page: pageAfter(request, next) }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/open/rows`,
      scope: SCOPE,
      summary: 'Get the documents and payments that open items are made of',
      description: 'What each adds to what is due; they sum to it.',
      tag: TAG,
      query: OpenItemsQuery,
      data: OpenRowsData,
      handle: async ({ caller, query }) => {
        const scope = await readOpenScope(ctx, caller, query)
        if (isCsv(query)) {
          const pages = openPages(ctx, caller, scope)
          async function* rows() {
            for await (const items of pages) yield await rowsOfOpen(ctx, caller, scope, items)
          }
          return reportFile(`open-item-rows-${scope.day}`, columnsOf(OpenRowSchema), rows(), renderOpenRow)
        }
        const request = pageOfOpen('open_item_rows', query)
        const { items, next } = await readOpen(ctx, caller, scope, request)
        const rows = await rowsOfOpen(ctx, caller, scope, items)
        return { rows: rows.map(renderOpenRow), page: pageAfter(request, next) }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/open/ages`,
      scope: SCOPE,
      summary: 'Get the open items of a day summed by age',
      tag: TAG,
      query: OpenAgesQuery,
      data: OpenAgesData,
      handle: ({ caller, query }) => readAges(ctx, caller, query),
      render: ({ day, sums }) => renderAges(day, sums),
    }),
  ]
}

/** The CSV of lists (reference/conventions#csv) asks for pages, whatever the format. */
function isCsv(query: { readonly format?: string | undefined; readonly [WHOLE_LIST]?: true }): boolean {
  return query.format === 'csv' && query[WHOLE_LIST] !== true
}

interface PageQuery {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

function pageOf(list: string, { limit, cursor }: PageQuery, max: number): PageRequest {
  return { ...readPage(list, { cursor }), limit: Math.min(limit ?? max, max) }
}

/** A page may end at an invoice that is open still. */
function pageOfOpen(list: string, { limit, cursor }: PageQuery): PageRequest {
  const readOpenUntil = (text: string) => (text === STILL_OPEN ? instantOf(text) : parseInstant(text))
  return { ...readPageAfter(list, { cursor }, readOpenUntil), limit: Math.min(limit ?? MAX_OPEN, MAX_OPEN) }
}

function columnsOf({ properties }: TObject): string[] {
  return Object.keys(properties)
}

interface RowsFile<Row> {
  readonly name: string
  readonly schema: TObject
  readonly read: (page: RowsPage) => Promise<PageOfRows<Row>>
  readonly render: (row: Row) => object
}

async function rowsFile<Row>(
  ctx: InvoicesContext,
  caller: Caller,
  query: ReportQuery,
  { name, schema, read, render }: RowsFile<Row>,
) {
  const { range } = await readIssuedScope(ctx, caller, query)
  return reportFile(`${name}-${rangeText(range)}`, columnsOf(schema), rowPages(read), render)
}
