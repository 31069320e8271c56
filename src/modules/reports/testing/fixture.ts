import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { spreadsheet } from '#platform/http/spreadsheets/spreadsheet'
import { rendered } from '#platform/testing/requests'
import { createFixture as createPaymentsFixture, type Merchant } from '../../payments/testing/fixture.ts'
import { settledDays } from '../../reconciliation/testing/settled-days.ts'
import type { ReportsDependencies } from '../dependencies.ts'
import { DAY_COLUMNS } from '../api/day-columns.ts'
import { renderTotals } from '../api/render-totals.ts'
import { renderAttention, renderOverview } from '../api/render.ts'
import { readAttention } from '../attention/read-attention.ts'
import { verifyReports } from '../audit/verify.ts'
import { foldJob } from '../daily/fold-job.ts'
import { handleOrderChanges } from '../daily/handle-order-changes.ts'
import { type OverviewQuery, readOverview } from '../overview/read-overview.ts'
import { readDaysOfTotals, readTotals, type TotalsQuery } from '../totals/read-totals.ts'

const NONE = async () => []

interface OverviewResponse {
  readonly currency: string
  today: { paid_total: number; refunded_total: number; orders_paid: number; payments_failed: number }
  days: {
    date: string
    paid_total: number
    refunded_total: number
    success_rate: number | null
    payments_approved: number
    counted_at: string | null
  }[]
  counted_at: string | null
  declines: { decline_code: string; count: number; total: number }[]
}

interface TotalsOfRange {
  paid_total: number
  refunded_total: number
  net_total: number
  fee_total: number | null
  settled_paid_total: number
  orders_paid: number
}

interface TotalsResponse {
  readonly main_currency: string
  counted_at: string | null
  from: string
  to: string
  time_zone: string
  before: { from: string; to: string }
  currencies: (TotalsOfRange & {
    currency: string
    before: TotalsOfRange
    change: Partial<TotalsOfRange>
  })[]
}

export async function createFixture({ timeZone = 'Asia/Hong_Kong', currency = 'HKD' } = {}) {
  const payments = await createPaymentsFixture({ timeZone })
  const { db, admin } = payments
  const others: Pick<
    ReportsDependencies,
    | 'disputes'
    | 'reconciliations'
    | 'billing'
    | 'webhooks'
    | 'bulkActions'
    | 'invoices'
    | 'bankTransfers'
    | 'messages'
  > = {
    disputes: { dueUntil: NONE },
    reconciliations: { settledDays },
    billing: { uncollectiblePlans: NONE, missingCredit: NONE, activePlans: NONE },
    webhooks: { failingReceivers: NONE },
    bulkActions: { stopped: NONE },
    invoices: { overdueInvoices: NONE, creditedOrders: NONE, documentsWithoutRate: NONE },
    messages: { undelivered: NONE },
    bankTransfers: { ambiguousReturns: NONE, unmatchedTransfers: NONE, returnedTransfers: NONE },
  }
  const deps: ReportsDependencies = {
    db,
    businesses: { profile: async () => ({ timeZone, currency }) },
    payments: payments.payments,
    ...others,
  }
  payments.payments.onOrdersChanged(handleOrderChanges(deps))

  const openMerchant = async (): Promise<Merchant> => {
    const merchant = await payments.newMerchant()
    await admin.query('update businesses set currency = $2 where business_id = $1', [
      merchant.businessId,
      currency,
    ])
    return merchant
  }
  const fold = async (businessId: string): Promise<void> => {
    const job = foldJob(deps)
    const until = realClock.now()
    const run = () => job.run({ businessId, until, timeOf: () => until })
    while ((await run()) > 0);
  }
  return {
    ...payments,
    attention: rendered((caller: Caller) => readAttention(deps, caller), renderAttention),
    openMerchant,
    fold,
    overview: async (caller: Caller, query: OverviewQuery = { days: 3 }): Promise<OverviewResponse> => {
      const data = JSON.stringify(renderOverview(await readOverview(deps, caller, query)))
      return (JSON.parse(data) as { overview: OverviewResponse }).overview
    },
    totals: async (caller: Caller, query: TotalsQuery = {}): Promise<TotalsResponse> => {
      const data = JSON.stringify(renderTotals(await readTotals(deps, caller, query)))
      return (JSON.parse(data) as { totals: TotalsResponse }).totals
    },
    spreadsheet: async (caller: Caller, query: TotalsQuery = {}): Promise<string> => {
      const { pages } = await readDaysOfTotals(deps, caller, query)
      const { content } = await spreadsheet('totals', DAY_COLUMNS, {}, pages)
      return (await Array.fromAsync(content)).join('')
    },
    breaches: (businessId: string) => Array.fromAsync(verifyReports(db)(businessId)),
  }
}
