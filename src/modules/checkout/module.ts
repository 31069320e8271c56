import { defineModule } from '#platform/module'
import { checkoutPages } from './routes.ts'
import type { CheckoutDependencies } from './dependencies.ts'
import { errors } from './errors.ts'

export const checkoutModule = defineModule({
  name: 'checkout',
  errors: errors.catalogue,
  connect: (deps: CheckoutDependencies) => ({ pages: checkoutPages(deps) }),
})
