import { defineModule } from '#platform/module'
import { partyRoutes } from './api/party.routes.ts'
import type { TaxesDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { TAXES_PERSONAL_DATA } from './storage/personal-data.ts'

export const taxesModule = defineModule({
  name: 'taxes',
  errors: errors.catalogue,
  personalData: TAXES_PERSONAL_DATA,
  connect: (deps: TaxesDependencies) => ({ routes: partyRoutes(deps) }),
})
