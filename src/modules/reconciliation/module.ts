import { defineModule } from '#platform/module'
import { reconciliationRoutes } from './api/routes.ts'
import { verifyReconciliations } from './audit/verify.ts'
import type { ReconciliationDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { reconciliationJob } from './run/reconciliation-job.ts'
import { onAccountCreated } from './run/start-runs.ts'

export const reconciliationModule = defineModule({
  name: 'reconciliation',
  errors: errors.catalogue,
  verify: verifyReconciliations,
  connect: (deps: ReconciliationDependencies) => ({
    reconciliations: { onAccountCreated },
    routes: reconciliationRoutes(deps),
    jobs: [reconciliationJob(deps)],
  }),
})
