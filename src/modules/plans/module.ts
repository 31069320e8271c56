import { defineModule } from '#platform/module'
import { PLANS_PERSONAL_DATA } from './storage/personal-data.ts'
import { searchPlans } from './storage/search.repository.ts'

/** Its use cases are called by the module of billing, which serves the routes of plans. */
export const plansModule = defineModule({
  name: 'plans',
  personalData: PLANS_PERSONAL_DATA,
  connect: () => ({ search: { scope: 'recurring:read', search: searchPlans } as const }),
})
