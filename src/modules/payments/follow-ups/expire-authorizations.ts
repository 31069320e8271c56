import { type Instant, isAfter } from '#kernel/clock'
import type { Job } from '#platform/jobs/jobs'
import type { PaymentsContext } from '../context.ts'
import { AUTHORIZATION_EXPIRY } from '../job-kinds.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { PaymentWork } from '../storage/payment-work.ts'
import { earliestLapse, ordersOfLapsed } from '../storage/transaction.repository.ts'
import { byIds } from '../storage/order-selector.ts'

const BATCH = 100
/** A capture or void under way is waited for; when it ends, the authorization lapses at once. */
const LOOK_AGAIN_HOURS = 1

/** What is left of an authorization lapses after 7 days and is free again (decisions, section 3). */
export function authorizationExpiry(ctx: PaymentsContext): Job {
  return {
    name: AUTHORIZATION_EXPIRY,
    clock: 'business',
    nextRunAt: earliestLapse,
    run: ({ businessId, until, timeOf }) =>
      ctx.db.transact(businessId, async (tx) => {
        const ids = await ordersOfLapsed(tx, until, BATCH)
        if (ids.length === 0) return 0
        const work = await PaymentWork.lock(ctx, tx, byIds(ids))
        for (const ledger of work.ledgers.values()) lapse(ledger, until, timeOf)
        await work.save()
        return ids.length
      }),
  }
}

function lapse(ledger: OrderAggregate, until: Instant, timeOf: (dueAt: Instant) => Instant): void {
  for (const { id, expiresAt, updatedAt } of ledger.transactions) {
    if (expiresAt === null || isAfter(expiresAt, until)) continue
    const at = timeOf(expiresAt)
    ledger.recalculate(at)
    if (ledger.transaction(id).state !== 'authorized') continue
    ledger.change(id, { expiresAt: at.add({ hours: LOOK_AGAIN_HOURS }) }, updatedAt)
  }
}
