import type { Job } from '#platform/jobs/jobs'
import type { PaymentsContext } from './context.ts'
import { authorizationExpiry } from './follow-ups/expire-authorizations.ts'
import { orderExpiry } from './orders/expire-orders.ts'
import { operationResolver } from './resolver/resolve-operations.ts'
import { orderVoids } from './voids/resume-order-voids.ts'

/** What is due at the same moment is done in this order: what is known of the past before what comes next. */
export function paymentJobs(ctx: PaymentsContext): readonly Job[] {
  return [operationResolver(ctx), orderVoids(ctx), orderExpiry(ctx), authorizationExpiry(ctx)]
}
