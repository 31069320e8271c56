import { defineModule } from '#platform/module'
import { partyRoutes } from './api/party.routes.ts'
import { rateRoutes, renderTaxRateData } from './api/rate.routes.ts'
import type { TaxesContext } from './context.ts'
import type { TaxesDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { TAXES_PERSONAL_DATA } from './storage/personal-data.ts'

export { TAX_EVENTS } from './api/events.ts'

export const taxesModule = defineModule({
  name: 'taxes',
  errors: errors.catalogue,
  personalData: TAXES_PERSONAL_DATA,
  connect: (deps: TaxesDependencies) => {
    const ctx = contextOf(deps)
    return { routes: [...partyRoutes(ctx), ...rateRoutes(ctx)] }
  },
})

export function contextOf(deps: TaxesDependencies): TaxesContext {
  return { ...deps, present: { taxRate: renderTaxRateData } }
}
