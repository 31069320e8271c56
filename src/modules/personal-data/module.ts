import { defineModule } from '#platform/module'
import { errors } from './api/errors.ts'
import { personalDataRoutes } from './api/routes.ts'
import { verifyPersonalData } from './audit/verify.ts'
import type { PersonalDataDependencies } from './dependencies.ts'
import { PersonalDataModule } from './personal-data.ts'

export const personalDataModule = defineModule({
  name: 'personal-data',
  errors: errors.catalogue,
  verify: verifyPersonalData,
  connect: (deps: PersonalDataDependencies) => {
    const personalData = new PersonalDataModule(deps)
    return { routes: personalDataRoutes(personalData), jobs: personalData.jobs }
  },
})
