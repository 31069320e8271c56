import type { Static } from 'typebox'
import { decimal } from '#kernel/decimal'
import { Money } from '#kernel/money'
import { csvLine } from '#platform/http/routes/csv'
import { StreamedFile } from '#platform/http/routes/streamed-file'
import { encodeCursor, type PageRequest, renderPage } from '#platform/http/validation/list'
import type { AgesOfCurrency, OpenItem, OpenRow } from '../reports/read-open.ts'
import type { BuyerRow, RowsOfDocument, TaxRow } from '../reports/read-rows.ts'
import type { BuyerSum, DocumentKey, TaxSum } from '../storage/tax-report.repository.ts'
import { numberOf } from './render.ts'
import type {
  BuyerRowSchema,
  BuyerSumSchema,
  OpenAgesData,
  OpenItemSchema,
  OpenRowSchema,
  TaxRowSchema,
  TaxSumSchema,
} from './report.schemas.ts'

export function renderTaxSum({ net, tax, percentage, ...sum }: TaxSum): Static<typeof TaxSumSchema> {
  return {
    legal_entity_id: sum.legal_entity_id,
    currency: sum.currency,
    country: sum.country,
    region: sum.region,
    treatment: sum.treatment,
    name: sum.name,
    percentage: numberOf(decimal(percentage)),
    category: sum.category,
    net: Money.ofMinor(sum.currency, net),
    tax: Money.ofMinor(sum.currency, tax),
    documents: sum.documents,
    ...(sum.tax_currency !== null && {
      tax_currency: sum.tax_currency,
      net_in_tax_currency: Money.ofMinor(sum.tax_currency, sum.converted_net ?? 0n),
      tax_in_tax_currency: Money.ofMinor(sum.tax_currency, sum.converted_tax ?? 0n),
    }),
  }
}

export function renderBuyerSum({ net, tax, ...sum }: BuyerSum): Static<typeof BuyerSumSchema> {
  return {
    legal_entity_id: sum.legal_entity_id,
    currency: sum.currency,
    buyer_tax_id: sum.buyer_tax_id,
    buyer_country: sum.buyer_country,
    buyer_name: sum.buyer_name,
    treatment: sum.treatment,
    net: Money.ofMinor(sum.currency, net),
    tax: Money.ofMinor(sum.currency, tax),
  }
}

export function renderTaxRow({
  document,
  line,
  group,
  origin,
  net,
  tax,
  converted,
}: TaxRow): Static<typeof TaxRowSchema> {
  return {
    ...renderDocumentLine({ document, line }),
    buyer_name: document.buyer.name,
    legal_entity_id: document.seller.legalEntityId,
    currency: document.currency,
    country: origin.country,
    region: origin.region,
    treatment: group.treatment,
    name: group.name,
    percentage: numberOf(group.percentage),
    category: origin.category,
    net,
    tax,
    ...(converted !== undefined && {
      tax_currency: converted.tax.currency,
      net_in_tax_currency: converted.net,
      tax_in_tax_currency: converted.tax,
    }),
  }
}

export function renderBuyerRow({ document, line, taxId, net, tax }: BuyerRow): Static<typeof BuyerRowSchema> {
  return {
    ...renderDocumentLine({ document, line }),
    legal_entity_id: document.seller.legalEntityId,
    currency: document.currency,
    buyer_tax_id: taxId,
    buyer_country: document.buyer.address?.country ?? null,
    buyer_name: document.buyer.name,
    treatment: line.treatment,
    net,
    tax,
  }
}

function renderDocumentLine({ document, line }: Pick<TaxRow, 'document' | 'line'>) {
  return {
    document_id: document.id,
    type: document.type,
    number: document.number,
    issue_date: document.issueDate,
    customer_uuid: document.buyer.customerUuid,
    line_id: line.id,
    label: line.label,
  }
}

export function renderOpenItem(item: OpenItem): Static<typeof OpenItemSchema> {
  const { invoice, daysOverdue, paid, writtenOff, due } = item
  return {
    legal_entity_id: invoice.legalEntityId,
    currency: invoice.currency,
    invoice_id: invoice.id,
    number: invoice.number,
    customer_uuid: invoice.customerUuid,
    buyer_name: invoice.buyerName,
    issue_date: invoice.issueDate,
    due_date: invoice.dueDate,
    days_overdue: daysOverdue,
    total: invoice.total,
    prepaid: invoice.prepaid,
    paid,
    credited: invoice.credited,
    written_off: writtenOff,
    due,
    plan_id: invoice.planId,
  }
}

export function renderOpenRow({ item: { invoice }, ...row }: OpenRow): Static<typeof OpenRowSchema> {
  return {
    legal_entity_id: invoice.legalEntityId,
    currency: invoice.currency,
    invoice_id: invoice.id,
    number: invoice.number,
    line: row.line,
    object_id: row.objectId,
    date: row.date,
    amount: row.amount,
  }
}

export function renderAges(at: string, sums: readonly AgesOfCurrency[]): Static<typeof OpenAgesData> {
  return {
    at,
    ages: sums.map(({ legalEntityId, currency, invoices, due, ages }) => ({
      legal_entity_id: legalEntityId,
      currency,
      invoices,
      due,
      not_due: ages.not_due,
      '1_30': ages['1_30'],
      '31_60': ages['31_60'],
      '61_90': ages['61_90'],
      over_90: ages.over_90,
    })),
  }
}

/** A page ends with a whole document. */
export function renderRows<Row, Rendered extends object>(
  request: PageRequest,
  found: readonly RowsOfDocument<Row>[],
  render: (row: Row) => Rendered,
) {
  const keyOf = ({ document }: RowsOfDocument<Row>) => ({ at: document.createdAt, id: document.id })
  const { rows, page } = renderPage(request, found, keyOf, (document) => ({
    rows: document.rows.map(render),
  }))
  return { rows: rows.flatMap((document) => document.rows), page }
}

/** Items of which nothing was due are not in a page, so that it may be shorter than its limit. */
export function pageAfter({ list, limit }: PageRequest, next: DocumentKey | undefined) {
  return {
    offset: 0,
    limit,
    has_more: next !== undefined,
    next_cursor: next === undefined ? null : encodeCursor(list, next),
  }
}

/** The columns are the members of the rows. */
export async function reportFile<Row>(
  name: string,
  columns: readonly string[],
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  render: (row: Row) => object,
): Promise<StreamedFile> {
  const iterator = pagesOf(pages)
  // A failure of the first page is still an error of the request.
  const first = await iterator.next()
  async function* lines(): AsyncGenerator<string> {
    yield csvLine(columns)
    for (let page = first; page.done !== true; page = await iterator.next()) {
      yield page.value.map((row) => csvLine(valuesOf(render(row), columns))).join('')
    }
  }
  return new StreamedFile(`${name}.csv`, lines(), 'text/csv; charset=utf-8')
}

async function* pagesOf<Row>(pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>) {
  yield* pages
}

function valuesOf(rendered: object, columns: readonly string[]): string[] {
  const values = rendered as Readonly<Record<string, unknown>>
  return columns.map((column) => {
    const value = values[column]
    if (value === null || value === undefined) return ''
    if (value instanceof Money) return value.toString()
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}
