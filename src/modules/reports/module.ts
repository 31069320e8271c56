import { defineModule } from '#platform/module'
import { reportRoutes } from './api/routes.ts'
import { verifyReports } from './audit/verify.ts'
import { foldJob } from './daily/fold-job.ts'
import { handleOrderChanges } from './daily/handle-order-changes.ts'
import { planCountJob } from './daily/plan-count-job.ts'
import type { ReportsDependencies } from './dependencies.ts'

export const reportsModule = defineModule({
  name: 'reports',
  verify: verifyReports,
  connect: (deps: ReportsDependencies) => ({
    reports: { handleOrderChanges: handleOrderChanges(deps) },
    routes: reportRoutes(deps),
    jobs: [foldJob(deps), planCountJob(deps)],
  }),
})
