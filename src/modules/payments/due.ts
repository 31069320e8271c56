import type { DueWork } from '#platform/due-work'
import type { PaymentsContext } from './context.ts'
import { authorizationExpiry } from './expire-authorizations.ts'
import { orderExpiry } from './expire-orders.ts'
import { operationResolver } from './resolve-operations.ts'
import { orderVoids } from './resume-order-voids.ts'

/** What is due at the same moment is done in this order: what is known of the past before what comes next. */
export function paymentsDueWork(ctx: PaymentsContext): readonly DueWork[] {
  return [operationResolver(ctx), orderVoids(ctx), orderExpiry(ctx), authorizationExpiry(ctx)]
}
