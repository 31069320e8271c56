import { defineModule } from '#platform/module'
import { reportRoutes } from './api/routes.ts'
import { verifyReports } from './audit/verify.ts'
import type { ReportsDependencies } from './dependencies.ts'
import { Reports } from './reports.ts'

export const reportsModule = defineModule({
  name: 'reports',
  verify: verifyReports,
  connect: (deps: ReportsDependencies) => {
    const reports = new Reports(deps)
    return { reports, routes: reportRoutes(reports), jobs: reports.jobs }
  },
})
