import sql from 'sql-template-tag'
import { nextInquiryAt } from '#kernel/inquiry-times'
import type { Job, JobRun } from '#platform/jobs/jobs'
import { newLease } from '#platform/jobs/leases'
import { whileRenewing } from '#platform/jobs/renewals'
import { earliestTime } from '#platform/postgres/earliest-time'
import { type DisputesContext, leaseMsOf } from '../context.ts'
import { REFRESHES } from '../job-names.ts'
import {
  claimRefreshes,
  finishRefresh,
  postponeRefresh,
  type Refresh,
  renewalOfRefreshes,
} from '../storage/refresh.repository.ts'
import { refreshDispute } from './refresh-dispute.ts'

/** Each is a call to the acquirer, and all are made at once. */
const BATCH = 8
/** About two days, because the interval grows to an hour. The daily scan finds disputes that were abandoned here. */
const MAX_ATTEMPTS = 50

export function refreshJob(ctx: DisputesContext): Job {
  return {
    name: REFRESHES,
    clock: 'real',
    callsAcquirer: true,
    nextRunAt: (tx) => earliestTime(tx, sql`dispute_refreshes`, sql`due_at`),
    run: async (run) => {
      const { businessId, until } = run
      const leaseMs = leaseMsOf(ctx)
      const claimed = await ctx.db.transact(businessId, (tx) =>
        claimRefreshes(tx, { until, limit: BATCH, lease: newLease(leaseMs) }),
      )
      if (claimed.length === 0) return 0
      const results = await whileRenewing(renewalOfRefreshes(ctx.db, businessId, claimed, leaseMs), () =>
        Promise.allSettled(claimed.map((refresh) => perform(ctx, run, refresh))),
      )
      const failed = results.find((result) => result.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      return claimed.length
    },
  }
}

async function perform(ctx: DisputesContext, { businessId, until }: JobRun, refresh: Refresh): Promise<void> {
  const { accountId, reference, attempts } = refresh
  const postpone = () =>
    ctx.db.transact(businessId, (tx) => postponeRefresh(tx, refresh, nextInquiryAt(attempts, until)))
  try {
    const result = await refreshDispute(ctx, businessId, accountId, reference)
    const isDone = result === 'ok' || result === 'absent' || attempts >= MAX_ATTEMPTS
    await (isDone ? ctx.db.transact(businessId, (tx) => finishRefresh(tx, refresh)) : postpone())
  } catch (error) {
    await postpone()
    throw error
  }
}
