import { defineModule } from '#platform/module'
import { errors } from './api/errors.ts'
import { paymentRoutes } from './api/routes.ts'
import { verifyPayments } from './audit/verify.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { Payments } from './payments.ts'
import { rewrapReturned } from './operations/returned.ts'
import { END_OPERATION_LEASES } from './storage/operation.repository.ts'
import { PAYMENTS_PERSONAL_DATA } from './storage/personal-data.ts'

export const paymentsModule = defineModule({
  name: 'payments',
  errors: errors.catalogue,
  verify: verifyPayments,
  rewraps: [rewrapReturned],
  personalData: PAYMENTS_PERSONAL_DATA,
  endLeases: END_OPERATION_LEASES,
  connect: (deps: PaymentsDependencies) => {
    const payments = new Payments(deps)
    return {
      payments,
      routes: paymentRoutes(payments),
      jobs: payments.jobs,
      search: { scope: 'payments:read', search: (tx, search) => payments.search(tx, search) },
    }
  },
})
