import { Money } from '#kernel/money'
import { type Columns, column } from '#platform/http/spreadsheets/spreadsheet'
import { type DayOfTotals, netOf } from '../totals/read-totals.ts'

const amountOf = (minor: (day: DayOfTotals) => bigint) => (day: DayOfTotals) =>
  Money.ofMinor(day.currency, minor(day)).toString()

export const DAY_COLUMNS: Columns<DayOfTotals> = {
  date: column('Date', '日期', '日期', ({ day }) => day),
  currency: column('Currency', '貨幣', '货币', ({ currency }) => currency),
  paid_total: column(
    'Paid',
    '收款',
    '收款',
    amountOf(({ paid }) => paid),
  ),
  refunded_total: column(
    'Refunded',
    '退款',
    '退款',
    amountOf(({ refunded }) => refunded),
  ),
  net_total: column('Net', '淨額', '净额', amountOf(netOf)),
  fee_total: column(
    'Known fees',
    '已知手續費',
    '已知手续费',
    amountOf(({ fee }) => fee),
  ),
  settled_paid_total: column(
    'Paid with known fees',
    '已知手續費的收款',
    '已知手续费的收款',
    amountOf(({ settledPaid }) => settledPaid),
  ),
  orders_paid: column('Orders paid', '付清的訂單', '付清的订单', ({ ordersPaid }) => String(ordersPaid)),
  payments_approved: column('Approved payments', '成功的付款', '成功的付款', ({ approved }) =>
    String(approved),
  ),
  payments_declined: column('Failed payments', '失敗的付款', '失败的付款', ({ declined }) =>
    String(declined),
  ),
  recurring_paid_total: column(
    'Paid by plans',
    '訂閱收款',
    '订阅收款',
    amountOf(({ recurringPaid }) => recurringPaid),
  ),
  disputed_total: column(
    'Disputed',
    '爭議款項',
    '争议款项',
    amountOf(({ disputed }) => disputed),
  ),
}
