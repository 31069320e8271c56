import type { Money } from '#kernel/money'
import { decimalToString } from '#kernel/decimal'
import type { Caller } from '#platform/caller'
import { defineRoute, type Route } from '#platform/http/routes/route'
import {
  type Columns,
  column,
  spreadsheet,
  type SpreadsheetQuery,
  spreadsheetQuery,
  SpreadsheetText,
} from '#platform/http/spreadsheets/spreadsheet'
import { DATE_RANGE_QUERY, rangeText } from '#platform/http/validation/date-range'
import { strictObject } from '#platform/http/validation/schemas'
import type { InvoicesContext } from '../context.ts'
import { signed } from '../model/signed.ts'
import { percentageAtScale } from '../model/tax-parts.ts'
import { type BookkeepingRow, type RateOfRange, readBookkeeping } from '../reports/read-bookkeeping.ts'
import { REPORT_SCOPE, type ReportQuery } from '../reports/report-query.ts'
import { taxIdOf } from '../reports/read-rows.ts'

const RATES = 'rates'

const amountOf = (amount: (row: BookkeepingRow) => Money) => (row: BookkeepingRow) =>
  signed(row.invoice, amount(row)).toString()

const BOOKKEEPING_COLUMNS: Columns<BookkeepingRow> = {
  number: column('Number', '編號', '编号', ({ invoice }) => invoice.number),
  type: column('Type', '類型', '类型', ({ invoice }) => invoice.type),
  issue_date: column('Issued', '發出日期', '开具日期', ({ invoice }) => invoice.issueDate),
  due_date: column('Due date', '到期日', '到期日', ({ invoice }) =>
    invoice.type === 'invoice' ? invoice.dueDate : '',
  ),
  state: column('State', '狀態', '状态', ({ invoice }) => invoice.state),
  customer: column('Customer', '客戶', '客户', ({ invoice }) => invoice.buyer.name),
  buyer_tax_id: column("Buyer's tax id", '買方稅號', '买方税号', ({ invoice }) => taxIdOf(invoice) ?? ''),
  country: column(
    'Country',
    '國家／地區',
    '国家／地区',
    ({ invoice }) => invoice.buyer.address?.country ?? '',
  ),
  currency: column('Currency', '貨幣', '货币', ({ invoice }) => invoice.currency),
  net_total: column(
    'Net',
    '未稅金額',
    '不含税金额',
    amountOf(({ invoice }) => invoice.netTotal),
  ),
  tax_total: column(
    'Tax',
    '稅額',
    '税额',
    amountOf(({ invoice }) => invoice.taxTotal),
  ),
  total: column(
    'Total',
    '總額',
    '总额',
    amountOf(({ invoice }) => invoice.total),
  ),
  // Stands for two columns of each rate of the range.
  [RATES]: column('Rates', '稅率', '税率', () => ''),
  paid: column(
    'Paid',
    '已付',
    '已付',
    amountOf(({ paid }) => paid),
  ),
  paid_on: column('Paid on', '付款日期', '付款日期', ({ paidOn }) => paidOn ?? ''),
  amount_due: column(
    'Amount due',
    '應付金額',
    '应付金额',
    amountOf(({ invoice }) => invoice.amountDue),
  ),
  order_number: column('Order', '訂單', '订单', ({ invoice }) => invoice.orderNumber),
  reference: column('Reference', '付款參考編號', '付款参考编号', ({ invoice }) => invoice.paymentReference),
  corrected_number: column('Corrects', '原發票', '原发票', ({ invoice }) =>
    invoice.corrected.map(({ number }) => number).join(', '),
  ),
  tax_currency: column(
    "Seller's currency",
    '賣方貨幣',
    '卖方货币',
    ({ invoice }) => invoice.exchange?.currency ?? '',
  ),
  tax_total_in_tax_currency: column(
    "Tax in seller's currency",
    '賣方貨幣稅額',
    '卖方货币税额',
    ({ invoice }) => {
      const total = invoice.exchange?.converted?.total
      return total === undefined ? '' : signed(invoice, total).toString()
    },
  ),
  exchange_rate: column('Exchange rate', '匯率', '汇率', ({ invoice }) => {
    const rate = invoice.exchange?.converted?.rate
    return rate === undefined ? '' : decimalToString(rate.rate)
  }),
  exchange_rate_base: column(
    'Rate of one unit of',
    '匯率基準貨幣',
    '汇率基准货币',
    ({ invoice }) => invoice.exchange?.converted?.rate.base ?? '',
  ),
  exchange_rate_date: column(
    'Date of the rate',
    '匯率日期',
    '汇率日期',
    ({ invoice }) => invoice.exchange?.converted?.rate.date ?? '',
  ),
}

const Query = strictObject({
  ...DATE_RANGE_QUERY,
  ...REPORT_SCOPE,
  ...spreadsheetQuery(BOOKKEEPING_COLUMNS),
})

export function bookkeepingRoute(ctx: InvoicesContext): Route {
  return defineRoute({
    method: 'GET',
    path: '/svc/billing/api/v1/openapi/invoices/spreadsheet.csv',
    scope: 'billing:read',
    summary: 'Download the invoices and credit notes of a range of days as a spreadsheet',
    description:
      'For bookkeeping: those issued in a range of days, newest first. `rates` stands for two columns, net and tax, of each rate in the range. Amounts of credit notes are negative.',
    tag: 'Invoices',
    query: Query,
    contentType: 'text/csv',
    data: SpreadsheetText,
    handle: ({ caller, query }) => bookkeepingFile(ctx, caller, query),
  })
}

export async function bookkeepingFile(
  ctx: InvoicesContext,
  caller: Caller,
  query: ReportQuery & SpreadsheetQuery,
) {
  const { range, rates, pages } = await readBookkeeping(ctx, caller, query)
  const { known, chosen } = withRates(query, rates)
  return spreadsheet(`invoices-${rangeText(range)}`, known, chosen, pages)
}

/** Puts the columns of each rate in the place of `rates`. */
function withRates(query: SpreadsheetQuery, rates: readonly RateOfRange[]) {
  const ofRates: Columns<BookkeepingRow> = Object.fromEntries(
    rates.flatMap((rate, index) => [
      [`${RATES}.${index}.net`, rateColumn(rate, 'net')],
      [`${RATES}.${index}.tax`, rateColumn(rate, 'tax')],
    ]),
  )
  const expand = (name: string) => (name.trim() === RATES ? Object.keys(ofRates) : [name])
  const named = query.columns === undefined ? Object.keys(BOOKKEEPING_COLUMNS) : query.columns.split(',')
  return {
    known: { ...BOOKKEEPING_COLUMNS, ...ofRates },
    chosen: { ...query, columns: named.flatMap(expand).join(',') },
  }
}

function rateColumn({ name, percentage }: RateOfRange, amount: 'net' | 'tax') {
  const rate = `${name} ${decimalToString(percentage)}%`
  const value = ({ invoice }: BookkeepingRow) => {
    const group = invoice.taxes.find(
      (one) =>
        one.treatment === 'taxed' &&
        one.name === name &&
        percentageAtScale(one.percentage) === percentageAtScale(percentage),
    )
    if (group === undefined) return ''
    return signed(invoice, amount === 'net' ? group.base : group.amount).toString()
  }
  return amount === 'net'
    ? column(`Net at ${rate}`, `${rate} 未稅金額`, `${rate} 不含税金额`, value)
    : column(`Tax at ${rate}`, `${rate} 稅額`, `${rate} 税额`, value)
}
