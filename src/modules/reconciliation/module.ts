import { defineModule } from '#platform/module'
import { reconciliationRoutes } from './api/routes.ts'
import { verifyReconciliations } from './audit/verify.ts'
import type { ReconciliationDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { reconciliationJob } from './run/reconciliation-job.ts'
import { onAccountCreated } from './run/start-runs.ts'
import { settledDays } from './storage/day.repository.ts'
import { END_RUN_LEASES } from './storage/run.repository.ts'

const USE_CASES = { onAccountCreated, settledDays }
export type Reconciliations = typeof USE_CASES

export const reconciliationModule = defineModule({
  name: 'reconciliation',
  errors: errors.catalogue,
  verify: verifyReconciliations,
  endLeases: END_RUN_LEASES,
  connect: (deps: ReconciliationDependencies) => ({
    reconciliations: USE_CASES,
    routes: reconciliationRoutes(deps),
    jobs: [reconciliationJob(deps)],
  }),
})
