import type { Job } from '#platform/jobs/jobs'
import type { Instant } from '#kernel/clock'
import type { ReportsDependencies } from '../dependencies.ts'
import { REPORT_PLANS } from '../job-names.ts'
import { hasDuePlanCount, nextPlanCountAt, savePlanTotals } from '../storage/plan-total.repository.ts'

/** Finishes the counts for which an overview did not wait. */
export function planCountJob(deps: ReportsDependencies): Job {
  return {
    name: REPORT_PLANS,
    clock: 'real',
    nextRunAt: nextPlanCountAt,
    run: ({ businessId, until }) => countPlansIfDue(deps, businessId, until),
  }
}

export function countPlansIfDue(
  { db, billing }: Pick<ReportsDependencies, 'db' | 'billing'>,
  businessId: string,
  until: Instant,
): Promise<number> {
  return db.transact(businessId, async (tx) => {
    if (!(await hasDuePlanCount(tx, until))) return 0
    await savePlanTotals(tx, await billing.activePlans(tx), until)
    return 1
  })
}
