import type { Instant } from '#kernel/clock'
import { sumMoney } from '#kernel/money'
import type { TimeZone } from '#kernel/time-zone'
import type { FilterFields } from '#platform/filter/filter-sql'
import { defineRoute, type Route } from '#platform/http/routes/route'
import {
  type Columns,
  column,
  spreadsheet,
  spreadsheetQuery,
  SpreadsheetText,
} from '#platform/http/spreadsheets/spreadsheet'
import { rangeText } from '#platform/http/validation/date-range'
import { strictObject } from '#platform/http/validation/schemas'
import type { PaymentsContext } from '../context.ts'
import { countedMoney } from '../model/counted-money.ts'
import { amountDue, correspondenceState } from '../model/order.ts'
import { declineCodeOf, refundedTotal } from '../model/transaction.ts'
import {
  orderRows,
  type OrderRow,
  rangeQuery,
  transactionRows,
  type TransactionRow,
} from '../spreadsheets/read-rows.ts'
import { ORDER_FIELDS } from '../storage/order-filter.ts'
import { TRANSACTION_FIELDS } from '../storage/transaction-list.repository.ts'

const BASE = '/svc/payment/api/v1/openapi'

function localTime(at: Instant | null, zone: TimeZone): string {
  if (at === null) return ''
  const local = at.toZonedDateTimeISO(zone)
  return `${local.toPlainDate().toString()} ${local.toPlainTime().toString({ smallestUnit: 'second' })}`
}

/** What the row adds to the totals of the days of the file; refunds and returns are negative. */
function countedAmount({ transaction, range }: TransactionRow): string {
  const from = range.from.toString()
  const to = range.to.toString()
  return sumMoney(
    transaction.currency,
    countedMoney(transaction)
      .filter(({ date }) => from <= date && date <= to)
      .map(({ measure, amount }) => (measure === 'refunded' ? amount.negated() : amount)),
  ).toString()
}

export const TRANSACTION_COLUMNS: Columns<TransactionRow> = {
  created_at: column('Created', '建立時間', '创建时间', (row) =>
    localTime(row.transaction.createdAt, row.zone),
  ),
  succeeded_at: column('Succeeded', '成功時間', '成功时间', (row) =>
    localTime(row.transaction.succeededAt, row.zone),
  ),
  value_date: column('Value date', '起息日', '起息日', ({ transaction }) => transaction.valueDate ?? ''),
  returned_on: column('Returned', '退回日', '退回日', ({ transaction }) => transaction.returnedOn ?? ''),
  type: column('Type', '類型', '类型', ({ transaction }) => transaction.type),
  state: column('Outcome', '結果', '结果', ({ transaction }) => transaction.state),
  amount: column('Amount', '金額', '金额', ({ transaction }) => transaction.amount.toString()),
  counted_amount: column('Counts in these days', '計入此期間', '计入此期间', countedAmount),
  currency: column('Currency', '貨幣', '货币', ({ transaction }) => transaction.currency),
  customer: column('Customer', '客戶', '客户', ({ customer }) => customer),
  order_reference: column('Order reference', '訂單參考編號', '订单参考编号', (row) => row.orderReference),
  order_number: column('Order', '訂單', '订单', ({ transaction }) => transaction.orderId),
  invoice_number: column('Invoice', '發票', '发票', ({ invoiceNumber }) => invoiceNumber ?? ''),
  payment_method: column('Method', '付款方式', '付款方式', ({ transaction }) => transaction.paymentMethod),
  card: column('Card', '卡', '卡', ({ transaction: { instrument } }) =>
    [instrument.brand, instrument.last4].filter((part) => part !== null).join(' '),
  ),
  acquirer: column('Acquirer', '收單機構', '收单机构', ({ transaction }) => transaction.acquirerName),
  acquirer_reference: column(
    "Acquirer's reference",
    '收單機構參考編號',
    '收单机构参考编号',
    ({ transaction }) => transaction.answer.gatewayTransactionId,
  ),
  decline_code: column('Decline reason', '拒絕原因', '拒绝原因', ({ transaction }) =>
    transaction.state === 'failed' ? (declineCodeOf(transaction.answer) ?? '') : '',
  ),
  note: column('Note', '備註', '备注', ({ transaction }) => transaction.note ?? ''),
  uuid: column('Transaction', '交易編號', '交易编号', ({ transaction }) => transaction.id),
}

export const ORDER_COLUMNS: Columns<OrderRow> = {
  created_at: column('Created', '建立時間', '创建时间', ({ order, zone }) =>
    localTime(order.createdAt, zone),
  ),
  reference_number: column('Reference', '參考編號', '参考编号', ({ order }) => order.referenceNumber),
  customer: column('Customer', '客戶', '客户', ({ customer }) => customer),
  state: column('State', '狀態', '状态', ({ order }) => order.state),
  correspondence_state: column('Payment', '付款', '付款', (row) => paymentOf(row)),
  initial_total: column('Amount', '金額', '金额', ({ order }) => order.initialTotal.toString()),
  paid_total: column('Paid', '已付', '已付', ({ order }) => order.paidTotal.toString()),
  refunded_total: column('Refunded', '已退款', '已退款', ({ order, transactions }) =>
    refundedTotal(order.currency, transactions).toString(),
  ),
  credited_total: column('Credited', '已沖減', '已冲减', ({ order }) => order.creditedTotal.toString()),
  amount_due: column('Amount due', '應付金額', '应付金额', ({ order }) =>
    amountDue(order, order.state === 'open').toString(),
  ),
  currency: column('Currency', '貨幣', '货币', ({ order }) => order.currency),
  due_date: column('Due', '到期日', '到期日', ({ order }) => order.dueDate ?? ''),
  paid_on: column('Paid on', '付款日期', '付款日期', ({ transactions }) => lastPaymentDate(transactions)),
  invoice_number: column('Invoice', '發票', '发票', ({ order }) => order.invoice?.number ?? ''),
  source: column('Source', '來源', '来源', ({ order }) => order.source),
  plan_id: column('Plan', '訂閱', '订阅', ({ order }) => order.planId ?? ''),
  number: column('Number', '編號', '编号', ({ order }) => order.id),
}

/** An order that was paid and then refunded counts as paid, so that nobody takes it for a debt. */
function paymentOf({ order, transactions }: OrderRow): string {
  const paidTotal = order.paidTotal.plus(refundedTotal(order.currency, transactions))
  return correspondenceState(order.state === 'open' ? order : { ...order, paidTotal })
}

/** The value date of the newest payment. */
function lastPaymentDate(transactions: OrderRow['transactions']): string {
  const dates = transactions
    .filter(({ type, state }) => (type === 'Sales' || type === 'Capture') && state === 'succeeded')
    .map(({ valueDate }) => valueDate ?? '')
  return dates.toSorted().at(-1) ?? ''
}

function queryOf(fields: FilterFields, columns: Columns<never>) {
  return strictObject({ ...rangeQuery(fields), ...spreadsheetQuery(columns) })
}

const DESCRIPTION =
  'For people: those of a range of days, newest first, with local times and names. The CSV of the list has every member.'

export function spreadsheetRoutes(ctx: PaymentsContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/orders/spreadsheet.csv`,
      scope: 'payments:read',
      summary: 'Download the orders of a range of days as a spreadsheet',
      description: DESCRIPTION,
      tag: 'Orders',
      query: queryOf(ORDER_FIELDS, ORDER_COLUMNS),
      contentType: 'text/csv',
      data: SpreadsheetText,
      handle: async ({ caller, query }) => {
        const { range, pages } = await orderRows(ctx, caller, query)
        return spreadsheet(`orders-${rangeText(range)}`, ORDER_COLUMNS, query, pages)
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/transactions/spreadsheet.csv`,
      scope: 'payments:read',
      summary: 'Download the transactions of a range of days as a spreadsheet',
      description: DESCRIPTION,
      tag: 'Transactions',
      query: queryOf(TRANSACTION_FIELDS, TRANSACTION_COLUMNS),
      contentType: 'text/csv',
      data: SpreadsheetText,
      handle: async ({ caller, query }) => {
        const { range, pages } = await transactionRows(ctx, caller, query)
        return spreadsheet(`transactions-${rangeText(range)}`, TRANSACTION_COLUMNS, query, pages)
      },
    }),
  ]
}
