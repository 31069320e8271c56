import { defineModule } from '#platform/module'
import { errors } from './api/errors.ts'
import { bulkActionRoutes } from './api/routes.ts'
import { verifyBulkActions } from './audit/verify.ts'
import { BulkActions } from './bulk-actions.ts'
import type { BulkActionsDependencies } from './dependencies.ts'
import { END_BULK_ACTION_LEASES } from './storage/bulk-action.repository.ts'
import { BULK_ACTIONS_PERSONAL_DATA } from './storage/personal-data.ts'

export const bulkActionsModule = defineModule({
  name: 'bulk-actions',
  errors: errors.catalogue,
  verify: verifyBulkActions,
  personalData: BULK_ACTIONS_PERSONAL_DATA,
  endLeases: END_BULK_ACTION_LEASES,
  connect: (deps: BulkActionsDependencies) => {
    const bulkActions = new BulkActions(deps)
    return { bulkActions, routes: bulkActionRoutes(bulkActions), jobs: bulkActions.jobs }
  },
})
