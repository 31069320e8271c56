import type { Job } from '#platform/jobs/jobs'
import type { ReportsDependencies } from '../dependencies.ts'
import { REPORT_PLANS } from '../job-names.ts'
import { hasDuePlanCount, nextPlanCountAt, savePlanTotals } from '../storage/plan-total.repository.ts'

export function planCountJob({ db, recurring }: ReportsDependencies): Job {
  return {
    name: REPORT_PLANS,
    clock: 'real',
    nextRunAt: nextPlanCountAt,
    run: ({ businessId, until }) =>
      db.transact(businessId, async (tx) => {
        if (!(await hasDuePlanCount(tx, until))) return 0
        await savePlanTotals(tx, await recurring.activePlans(tx), until)
        return 1
      }),
  }
}
