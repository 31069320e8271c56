import type { Tx } from '#platform/postgres/database'
import type { NewEvent } from '#platform/events/events'
import { callbackUrls } from '../storage/callback.repository.ts'
import type { Plan } from './plan.ts'

/**
 * Of orders that are being made: their row in `recurring_orders` is written once their first attempts are known, and by
 * then `order.created` and `transaction.failed` have been told. Kept with the transaction that makes them, and so gone
 * with it when it is tried again.
 */
const ofOrdersInTheMaking = new WeakMap<Tx, Map<string, string>>()

/** To be called before an order of a plan is made, so that its first events find the plan's `callback_url`. */
export function announceOrder(tx: Tx, plan: Plan, orderId: string): void {
  if (plan.callbackUrl === null) return
  const announced = ofOrdersInTheMaking.get(tx)
  if (announced === undefined) ofOrdersInTheMaking.set(tx, new Map([[orderId, plan.callbackUrl]]))
  else announced.set(orderId, plan.callbackUrl)
}

/** The plans' `callback_url` for events of plans and of their orders, by plan id and order number. */
export async function callbackUrlsOf(tx: Tx, events: readonly NewEvent[]): Promise<Map<string, string>> {
  const objectIds = events.filter(isOfPlan).map((event) => event.objectId)
  if (objectIds.length === 0) return new Map()
  return new Map([...(await callbackUrls(tx, objectIds)), ...(ofOrdersInTheMaking.get(tx) ?? [])])
}

/** Events of other orders, most of all events there are, cost no look-up. */
function isOfPlan({ data }: NewEvent): boolean {
  if ('plan' in data) return true
  const order: unknown = 'order' in data ? data.order : undefined
  return typeof order === 'object' && order !== null && 'type' in order && order.type === 'recurring'
}
