import { defineModule } from '#platform/module'
import { bulkActionRoutes } from './api/routes.ts'
import { verifyBulkActions } from './audit/verify.ts'
import type { BulkActionsDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { bulkJob } from './run/bulk-job.ts'
import { bulkTargets } from './run/targets.ts'
import { END_BULK_ACTION_LEASES, stoppedBulkActions } from './storage/bulk-action.repository.ts'
import { BULK_ACTIONS_PERSONAL_DATA } from './storage/personal-data.ts'

export interface BulkActions {
  readonly stopped: typeof stoppedBulkActions
}

export const bulkActionsModule = defineModule({
  name: 'bulk-actions',
  errors: errors.catalogue,
  verify: verifyBulkActions,
  personalData: BULK_ACTIONS_PERSONAL_DATA,
  endLeases: END_BULK_ACTION_LEASES,
  connect: (deps: BulkActionsDependencies) => {
    const ctx = { ...deps, targets: bulkTargets(deps) }
    const bulkActions: BulkActions = { stopped: stoppedBulkActions }
    return { bulkActions, routes: bulkActionRoutes(ctx), jobs: [bulkJob(ctx)] }
  },
})
