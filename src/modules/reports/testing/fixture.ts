import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { rendered } from '#platform/testing/requests'
import { createFixture as createPaymentsFixture, type Merchant } from '../../payments/testing/fixture.ts'
import type { ReportsDependencies } from '../dependencies.ts'
import { renderAttention, renderOverview } from '../api/render.ts'
import { readAttention } from '../attention/read-attention.ts'
import { verifyReports } from '../audit/verify.ts'
import { foldJob } from '../daily/fold-job.ts'
import { handleOrderChanges } from '../daily/handle-order-changes.ts'
import { readOverview } from '../overview/read-overview.ts'

const NONE = async () => []

interface OverviewResponse {
  today: { paid_total: number; refunded_total: number; orders_paid: number; payments_failed: number }
  days: { date: string; success_rate: number | null; payments_approved: number }[]
  declines: { decline_code: string; count: number; total: number }[]
}

export async function createFixture() {
  const payments = await createPaymentsFixture()
  const { db, admin } = payments
  const others: Pick<ReportsDependencies, 'disputes' | 'recurring' | 'webhooks' | 'bulkActions'> = {
    disputes: { dueUntil: NONE },
    recurring: { uncollectiblePlans: NONE, activePlans: NONE },
    webhooks: { failingReceivers: NONE },
    bulkActions: { stopped: NONE },
  }
  const deps: ReportsDependencies = {
    db,
    businesses: { profile: async () => ({ timeZone: 'Asia/Hong_Kong', currency: 'HKD' }) },
    payments: payments.payments,
    ...others,
  }
  payments.payments.onOrdersChanged(handleOrderChanges)

  const openMerchant = async (): Promise<Merchant> => {
    const merchant = await payments.newMerchant()
    await admin.query(
      `insert into businesses (business_id, code, environment, number, name, time_zone, currency, webhook_secret, created_at)
       select $1::text, $1::text, 'test', 1 + count(*), 'Shop', 'Asia/Hong_Kong', 'HKD', '', now() from businesses`,
      [merchant.businessId],
    )
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
    overview: async (caller: Caller, days = 3): Promise<OverviewResponse> => {
      const data = JSON.stringify(renderOverview(await readOverview(deps, caller, { days })))
      return (JSON.parse(data) as { overview: OverviewResponse }).overview
    },
    breaches: (businessId: string) => Array.fromAsync(verifyReports(db)(businessId)),
  }
}
