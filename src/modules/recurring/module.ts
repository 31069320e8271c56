import { defineModule } from '#platform/module'
import { errors } from './api/errors.ts'
import { recurringRoutes } from './api/routes.ts'
import { verifyRecurring } from './audit/verify.ts'
import type { RecurringDependencies } from './dependencies.ts'
import { Recurring } from './recurring.ts'
import { RECURRING_PERSONAL_DATA } from './storage/personal-data.ts'

export const recurringModule = defineModule({
  name: 'recurring',
  errors: errors.catalogue,
  verify: verifyRecurring,
  personalData: RECURRING_PERSONAL_DATA,
  connect: (deps: RecurringDependencies) => {
    const recurring = new Recurring(deps)
    return {
      recurring,
      routes: recurringRoutes(recurring),
      jobs: recurring.jobs,
      search: { scope: 'recurring:read', search: (tx, search) => recurring.search(tx, search) },
    }
  },
})
