import { defineModule } from '#platform/module'
import { errors } from './api/errors.ts'
import { reconciliationRoutes } from './api/routes.ts'
import { verifyReconciliations } from './audit/verify.ts'
import type { ReconciliationDependencies } from './dependencies.ts'
import { Reconciliations } from './reconciliations.ts'

export const reconciliationModule = defineModule({
  name: 'reconciliation',
  errors: errors.catalogue,
  verify: verifyReconciliations,
  connect: (deps: ReconciliationDependencies) => {
    const reconciliations = new Reconciliations(deps)
    return {
      reconciliations,
      routes: reconciliationRoutes(reconciliations),
      jobs: reconciliations.jobs,
    }
  },
})
