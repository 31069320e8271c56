import { isDate, type RangeSearch, readRangeSearch } from '#components/range/range.ts'

export const INVOICE_REPORTS = ['taxes', 'buyers', 'open'] as const
export type InvoiceReport = (typeof INVOICE_REPORTS)[number]

export interface InvoiceReportSearch extends RangeSearch {
  readonly report?: InvoiceReport | undefined
  /** The local day at whose end items are open. Default: today. */
  readonly at?: string | undefined
}

export function readInvoiceReportSearch(search: Record<string, unknown>): InvoiceReportSearch {
  const { at } = search
  return {
    ...readRangeSearch(search),
    report: INVOICE_REPORTS.find((one) => one === search['report']),
    at: isDate(at) ? at : undefined,
  }
}

const ROW_MEMBERS = [
  'legal_entity_id',
  'country',
  'region',
  'treatment',
  'name',
  'percentage',
  'category',
  'buyer_tax_id',
  'buyer_country',
  'buyer_name',
] as const

/** A row of a report, of which the page shows the lines. An empty text stands for none. */
export type InvoiceRowSearch = InvoiceReportSearch & Partial<Record<(typeof ROW_MEMBERS)[number], string>>

export function readInvoiceRowSearch(search: Record<string, unknown>): InvoiceRowSearch {
  const members = ROW_MEMBERS.flatMap((name) => {
    const value = search[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
  })
  return { ...readInvoiceReportSearch(search), ...(Object.fromEntries(members) as InvoiceRowSearch) }
}
