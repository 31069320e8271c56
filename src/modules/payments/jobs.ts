import type { Job } from '#platform/jobs/jobs'
import type { PaymentsContext } from './context.ts'
import { authorizationExpiry } from './follow-ups/expire-authorizations.ts'
import { orderExpiry } from './orders/expire-orders.ts'
import { operationResolver } from './resolver/resolve-operations.ts'
import { orderVoids } from './voids/resume-order-voids.ts'

/** Jobs due at the same moment run in this order: open outcomes first, because voids and expiries depend on them. */
export function paymentJobs(ctx: PaymentsContext): readonly Job[] {
  return [operationResolver(ctx), orderVoids(ctx), orderExpiry(ctx), authorizationExpiry(ctx)]
}
