import { realClock } from '#kernel/clock'
import type { Job } from '#platform/jobs/jobs'
import { defineModule } from '#platform/module'
import type { Tx } from '#platform/postgres/database'
import { renderDisputeData } from './api/render.ts'
import { disputeRoutes } from './api/routes.ts'
import { verifyDisputes } from './audit/verify.ts'
import type { DisputedMoneyHandler, DisputeLostHandler, DisputesContext } from './context.ts'
import type { DisputesDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { submissionJob } from './evidence/submission-job.ts'
import { refreshJob } from './refresh/refresh-job.ts'
import { scanJob } from './refresh/scan-job.ts'
import { findByReferences, findDueUntil, findOfOrders, listLost } from './storage/dispute.repository.ts'
import { DISPUTES_PERSONAL_DATA } from './storage/personal-data.ts'
import { END_REFRESH_LEASES, scheduleRefresh } from './storage/refresh.repository.ts'
import { END_SCAN_LEASES, startScans } from './storage/scan.repository.ts'
import { searchDisputes } from './storage/search.repository.ts'
import { END_SUBMISSION_LEASES } from './storage/submission.repository.ts'

export const DISPUTES = {
  onNotice: scheduleRefresh,
  onAccountCreated: (tx: Tx, accountId: string): Promise<void> =>
    startScans(tx, accountId, realClock.now().add({ hours: 24 })),
  findByReferences,
  ofOrders: findOfOrders,
  dueUntil: findDueUntil,
  listLost,
}
export type Disputes = ReturnType<typeof disputesOf>

/** - `onLost`, `onMoneyMoved`: The order of the payment is not locked. */
function disputesOf(ctx: DisputesContext) {
  return {
    ...DISPUTES,
    onLost: (handler: DisputeLostHandler) => void ctx.lostHandlers.push(handler),
    onMoneyMoved: (handler: DisputedMoneyHandler) => void ctx.moneyHandlers.push(handler),
  }
}

export { DISPUTE_EVENTS } from './api/events.ts'

export const disputesModule = defineModule({
  name: 'disputes',
  errors: errors.catalogue,
  verify: verifyDisputes,
  personalData: DISPUTES_PERSONAL_DATA,
  endLeases: [END_SUBMISSION_LEASES, END_REFRESH_LEASES, END_SCAN_LEASES],
  connect: (deps: DisputesDependencies) => {
    const ctx = contextOf(deps)
    return {
      disputes: disputesOf(ctx),
      routes: disputeRoutes(ctx),
      jobs: disputeJobs(ctx),
      search: { scope: 'payments:read', search: searchDisputes },
    }
  },
})

export function contextOf(deps: DisputesDependencies): DisputesContext {
  return { ...deps, lostHandlers: [], moneyHandlers: [], present: { dispute: renderDisputeData } }
}

export function disputeJobs(ctx: DisputesContext): Job[] {
  return [submissionJob(ctx), refreshJob(ctx), scanJob(ctx)]
}
