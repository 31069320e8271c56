import { defineModule } from '#platform/module'
import { personalDataRoutes } from './api/routes.ts'
import { verifyPersonalData } from './audit/verify.ts'
import type { PersonalDataDependencies } from './dependencies.ts'
import { erasureJob } from './erasing/erasure-job.ts'
import { errors } from './errors.ts'
import { retentionJob } from './retention/retention-job.ts'

export const personalDataModule = defineModule({
  name: 'personal-data',
  errors: errors.catalogue,
  verify: verifyPersonalData,
  connect: (deps: PersonalDataDependencies) => ({
    routes: personalDataRoutes(deps),
    jobs: [erasureJob(deps), retentionJob(deps)],
  }),
})
