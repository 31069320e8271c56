import { type Instant, isAfter } from '#kernel/clock'
import type { Job } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext } from '../context.ts'
import { AUTHORIZATION_EXPIRY } from '../job-names.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import type { Transaction } from '../model/transaction.ts'
import { byIds } from '../storage/order-selector.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import {
  earliestAuthorizationExpiry,
  findOrdersWithExpiredAuthorizations,
} from '../storage/transaction.repository.ts'

const BATCH = 100
/**
 * How long the job waits for an open capture or void. The end of that operation schedules the job, and the authorization
 * expires.
 */
const RETRY_HOURS = 1

export function authorizationExpiry(ctx: PaymentsContext): Job {
  return {
    name: AUTHORIZATION_EXPIRY,
    clock: 'business',
    nextRunAt: earliestAuthorizationExpiry,
    run: ({ businessId, until, timeOf }) =>
      ctx.db.transact(businessId, async (tx) => {
        const ids = await findOrdersWithExpiredAuthorizations(tx, until, BATCH)
        if (ids.length === 0) return 0
        const unit = await PaymentUnitOfWork.lock(ctx, tx, byIds(ids))
        for (const aggregate of unit.aggregates.values()) expireAuthorizations(aggregate, until, timeOf)
        await unit.save()
        return ids.length
      }),
  }
}

/**
 * Expires an authorization that has expired at the acquirer. If a capture or void is under way, the authorization stays,
 * because the notice of that operation reports how it ended.
 */
export async function expireByNotice(
  ctx: PaymentsContext,
  tx: Tx,
  { id, orderId }: Transaction,
): Promise<void> {
  const unit = await PaymentUnitOfWork.lock(ctx, tx, byIds([orderId]))
  unit.aggregate(orderId).expireAuthorization(id, tx.now)
  await unit.save()
}

/** Voids an authorization that was canceled at the acquirer, and not by us. */
export async function releaseByNotice(
  ctx: PaymentsContext,
  tx: Tx,
  { id, orderId }: Transaction,
): Promise<void> {
  const unit = await PaymentUnitOfWork.lock(ctx, tx, byIds([orderId]))
  unit.aggregate(orderId).releaseAuthorization(id, tx.now)
  await unit.save()
}

function expireAuthorizations(
  aggregate: OrderAggregate,
  until: Instant,
  timeOf: (dueAt: Instant) => Instant,
): void {
  for (const { id, expiresAt, updatedAt } of aggregate.transactions) {
    if (expiresAt === null || isAfter(expiresAt, until)) continue
    const at = timeOf(expiresAt)
    aggregate.recalculate(at)
    if (aggregate.transaction(id).state !== 'authorized') continue
    aggregate.change(id, { expiresAt: at.add({ hours: RETRY_HOURS }) }, updatedAt)
  }
}
