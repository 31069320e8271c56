import { defineModule } from '#platform/module'
import { businessRoutes } from './api/routes.ts'
import { businessesOf } from './businesses.ts'
import type { BusinessesDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import type { DayReader } from './profiles/edit-business.ts'
import { noncePurge } from './jobs.ts'
import { rewrapWebhookSecrets } from './webhook-secrets/rewrap.ts'

export const businessesModule = defineModule({
  name: 'businesses',
  errors: errors.catalogue,
  rewraps: [rewrapWebhookSecrets],
  connect: (deps: BusinessesDependencies) => {
    const dayReaders: DayReader[] = []
    return {
      businesses: businessesOf(deps, dayReaders),
      routes: businessRoutes(deps.db, dayReaders),
      jobs: [noncePurge(deps.db)],
    }
  },
})
