import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { scheduleJob } from '#platform/jobs/jobs'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import {
  type DeliveryRow,
  type DeliveryWithEvent,
  lockDelivery,
  makeDueNow,
} from '../storage/delivery.repository.ts'
import { DELIVERIES } from '../job-names.ts'
import { HANDOVER_MS } from '../model/timings.ts'
import { closedEndpoints } from '../storage/endpoint.repository.ts'
import { errors } from '../errors.ts'
import type { WebhooksContext } from '../context.ts'

/**
 * Sends a finished delivery again, or makes the retry of a pending one now (reference/events#redelivery).
 * @throws 404 `delivery_not_found`, 409 `endpoint_not_active`
 */
export async function redeliver(
  ctx: WebhooksContext,
  caller: Caller,
  deliveryId: string,
): Promise<DeliveryWithEvent> {
  const pending = await once(ctx.db, caller, async (tx) => {
    const delivery = await lockRedeliverable(tx, deliveryId)
    const due = await makeDueNow(tx, delivery)
    await scheduleJob(tx, DELIVERIES, realClock.now().add({ milliseconds: HANDOVER_MS }), 'real')
    return due
  })
  ctx.worker.scheduleClaim(caller.businessId)
  return pending
}

export async function previewRedelivery(
  { db }: WebhooksContext,
  { businessId }: Caller,
  deliveryId: string,
): Promise<void> {
  await db.transact(businessId, (tx) => lockRedeliverable(tx, deliveryId))
}

async function lockRedeliverable(tx: Tx, deliveryId: string): Promise<DeliveryRow> {
  const delivery = await lockDelivery(tx, deliveryId)
  if (delivery === undefined) throw errors.delivery_not_found()
  const { endpoint_id: endpointId } = delivery
  if (endpointId !== null && (await closedEndpoints(tx, [endpointId])).length > 0) {
    throw errors.endpoint_not_active()
  }
  return delivery
}
