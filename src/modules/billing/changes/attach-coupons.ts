import type { Instant } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import {
  accepted,
  changePlan,
  couponsToAttach,
  findCycleItems,
  insertPlanCoupons,
  markPlanWithCoupons,
  type EndedRefusal,
  nextCouponPosition,
  type PlanAggregate,
  type PlanView,
  redeem,
  refuseUnlessRecoverable,
  uncancel,
  withEvent,
  withPlan,
} from '#modules/plans'
import { catalogueErrors as errors } from '#modules/catalogue'
import type { BillingContext } from '../context.ts'

export function attachCoupon(
  ctx: BillingContext,
  caller: Caller,
  id: string,
  text: string,
): Promise<PlanView> {
  return changePlan(ctx, caller, id, (aggregate, at, tx) => withCoupon(tx, aggregate, at, text))
}

async function withCoupon(
  tx: Tx,
  aggregate: PlanAggregate,
  at: Instant,
  text: string,
): Promise<PlanAggregate | EndedRefusal> {
  const refused = refuseUnlessRecoverable(aggregate)
  if (refused !== null) return refused
  const { id, hasCoupons } = aggregate.plan
  const items = (await findCycleItems(tx, [id])).get(id) ?? []
  const [attached] = await couponsToAttach(tx, aggregate, items, at, [{ text, param: 'coupon' }])
  if (attached === undefined) throw new Error(`plan ${id} got no coupon`)
  const coupon = { ...attached, position: await nextCouponPosition(tx, id) }
  await redeem(tx, [{ coupon, param: 'coupon' }])
  if (!hasCoupons) await markPlanWithCoupons(tx, id)
  await insertPlanCoupons(tx, [{ ...coupon, planId: id }])
  const coupons = [...aggregate.coupons, coupon]
  return withEvent(withPlan({ ...aggregate, coupons }, { hasCoupons: true }), {
    type: 'plan.coupon_attached',
  })
}

/**
 * Attaches the coupon that a customer gets for staying, and takes the cancellation back.
 * @param spend records the offer, or throws if the plan had one before
 */
export function acceptOffer(
  ctx: BillingContext,
  caller: Caller,
  id: string,
  couponId: string,
  spend: (tx: Tx) => Promise<void>,
): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at, tx) => {
    await spend(tx)
    const attached = accepted(await withCoupon(tx, aggregate, at, couponId))
    return attached.plan.cancelAt === null ? attached : uncancel(attached, at)
  })
}

export function detachCoupon(
  ctx: BillingContext,
  caller: Caller,
  id: string,
  couponId: string,
): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at) => {
    const refused = refuseUnlessRecoverable(aggregate)
    if (refused !== null) return refused
    const coupons = aggregate.coupons.map((attached) =>
      attached.coupon.id === couponId ? { ...attached, endedAt: at } : attached,
    )
    if (coupons.every(({ endedAt }) => endedAt === null)) {
      throw errors.coupon_not_found({ message: 'The plan has no such coupon.' })
    }
    return withEvent({ ...aggregate, coupons }, { type: 'plan.coupon_detached' })
  })
}
