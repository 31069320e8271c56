import type { Static } from 'typebox'
import { rfc3339OrNull } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import { Money } from '#kernel/money'
import type { DateRange } from '#platform/http/validation/date-range'
import { type ComparedTotals, netOf, type RangeTotals, type Totals } from '../totals/read-totals.ts'
import type { TotalsData } from './schemas.ts'

type ShownTotals = Static<typeof TotalsData>['totals']

export function renderTotals({
  timeZone,
  range,
  before,
  mainCurrency,
  currencies,
  countedAt,
}: RangeTotals): Static<typeof TotalsData> {
  return {
    totals: {
      ...renderRange(range),
      time_zone: timeZone,
      before: renderRange(before),
      main_currency: mainCurrency,
      counted_at: rfc3339OrNull(countedAt),
      currencies: currencies.map(renderCompared),
    },
  }
}

function renderRange({ from, to }: DateRange) {
  return { from: from.toString(), to: to.toString() }
}

function renderCompared({ currency, now, before }: ComparedTotals): ShownTotals['currencies'][number] {
  const amount = (minor: bigint) => Money.ofMinor(currency, minor)
  return {
    currency,
    ...renderMeasures(currency, now),
    before: renderMeasures(currency, before),
    change: {
      paid_total: amount(now.paid - before.paid),
      refunded_total: amount(now.refunded - before.refunded),
      net_total: amount(netOf(now) - netOf(before)),
      orders_paid: now.ordersPaid - before.ordersPaid,
      payments_approved: now.approved - before.approved,
      payments_declined: now.declined - before.declined,
    },
  }
}

function renderMeasures(currency: Currency, totals: Totals): ShownTotals['currencies'][number]['before'] {
  const amount = (minor: bigint) => Money.ofMinor(currency, minor)
  const knowsFees = totals.fee !== 0n || totals.settledPaid !== 0n
  return {
    paid_total: amount(totals.paid),
    refunded_total: amount(totals.refunded),
    net_total: amount(netOf(totals)),
    disputed_total: amount(totals.disputed),
    fee_total: knowsFees ? amount(totals.fee) : null,
    settled_paid_total: amount(totals.settledPaid),
    orders_paid: totals.ordersPaid,
    payments_approved: totals.approved,
    payments_declined: totals.declined,
    recurring_paid_total: amount(totals.recurringPaid),
  }
}
