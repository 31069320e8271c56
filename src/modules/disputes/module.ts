import { defineModule } from '#platform/module'
import { errors } from './api/errors.ts'
import { disputeRoutes } from './api/routes.ts'
import { verifyDisputes } from './audit/verify.ts'
import type { DisputesDependencies } from './dependencies.ts'
import { Disputes } from './disputes.ts'
import { DISPUTES_PERSONAL_DATA } from './storage/personal-data.ts'
import { END_SUBMISSION_LEASES } from './storage/submission.repository.ts'

export const disputesModule = defineModule({
  name: 'disputes',
  errors: errors.catalogue,
  verify: verifyDisputes,
  personalData: DISPUTES_PERSONAL_DATA,
  endLeases: END_SUBMISSION_LEASES,
  connect: (deps: DisputesDependencies) => {
    const disputes = new Disputes(deps)
    return {
      disputes,
      routes: disputeRoutes(disputes),
      jobs: disputes.jobs,
      search: { scope: 'payments:read', search: (tx, search) => disputes.search(tx, search) },
    }
  },
})
