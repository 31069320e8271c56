import { defineModule } from '#platform/module'
import { errors } from './api/errors.ts'
import { businessRoutes } from './api/routes.ts'
import { Businesses } from './businesses.ts'
import type { BusinessesDependencies } from './dependencies.ts'
import { rewrapWebhookSecrets } from './webhook-secrets/rewrap.ts'

export const businessesModule = defineModule({
  name: 'businesses',
  errors: errors.catalogue,
  rewraps: [rewrapWebhookSecrets],
  connect: (deps: BusinessesDependencies) => {
    const businesses = new Businesses(deps)
    return { businesses, routes: businessRoutes(businesses), jobs: businesses.jobs }
  },
})
