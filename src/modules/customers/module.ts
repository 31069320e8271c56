import { defineModule } from '#platform/module'
import { errors } from './api/errors.ts'
import { customerRoutes } from './api/routes.ts'
import { verifyCustomers } from './audit/verify.ts'
import { Customers } from './customers.ts'
import type { CustomersDependencies } from './dependencies.ts'
import { END_TOKEN_LEASES } from './storage/payment-token.repository.ts'
import { CUSTOMERS_PERSONAL_DATA } from './storage/personal-data.ts'
import { rewrapPaymentTokens } from './tokens/rewrap.ts'

export const customersModule = defineModule({
  name: 'customers',
  errors: errors.catalogue,
  verify: verifyCustomers,
  rewraps: [rewrapPaymentTokens],
  personalData: CUSTOMERS_PERSONAL_DATA,
  endLeases: END_TOKEN_LEASES,
  connect: (deps: CustomersDependencies) => {
    const customers = new Customers(deps)
    return {
      customers,
      routes: customerRoutes(customers),
      jobs: customers.jobs,
      search: { scope: 'customers:read', search: (tx, search) => customers.search(tx, search) },
    }
  },
})
