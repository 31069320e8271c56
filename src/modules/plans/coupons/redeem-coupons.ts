import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { billingAmount } from '../amounts/order-lines.ts'
import {
  catalogueErrors as errors,
  codeKey,
  countCodeRedemptions,
  countRedemptions,
  type CycleItem,
  findCoupons,
  findPromotionCodes,
  hasCode,
  hasId,
  type PlanCoupon,
  pricedItem,
  type PromotionCode,
} from '#modules/catalogue'
import { throwIfRefused } from '../errors.ts'
import { currentCycle, type PlanAggregate } from '../model/plan.ts'
import { hasOrderUnderPlan } from '../storage/plan-coupon.repository.ts'
import { type Redeemable, refuseUnlessAttachable, refuseUnlessRedeemable } from './decide-redemption.ts'

/** - `text`: The id of a coupon, or a promotion code. */
interface Requested {
  readonly text: string
  readonly param: string
}

/** Decides which coupons a plan gets in addition to its own, in this order. Reserves nothing. */
export async function couponsToAttach(
  tx: Tx,
  aggregate: PlanAggregate,
  items: readonly (readonly CycleItem[])[],
  at: Instant,
  requested: readonly Requested[],
): Promise<PlanCoupon[]> {
  if (requested.length === 0) return []
  const redeemables = await findRedeemables(tx, requested)
  const { plan, coupons } = aggregate
  const isForFirst = redeemables.some(({ coupon }) => coupon.isForFirstOrder)
  const { position, discount } = currentCycle(aggregate)
  const ground = {
    customerUuid: plan.customerUuid,
    items: items.slice(position),
    periodAmount: billingAmount((items[position] ?? []).map(pricedItem), discount, plan.credit.currency),
    hasOrdered: isForFirst && (await hasOrderUnderPlan(tx, plan.customerUuid)),
    at,
  }
  const attached: PlanCoupon[] = []
  for (const { coupon, code, param } of redeemables) {
    throwIfRefused(refuseUnlessAttachable({ coupon, code }, [...coupons, ...attached], ground, param))
    attached.push({
      position: attached.length,
      coupon,
      code,
      periodsLowered: 0,
      loweredPeriod: null,
      attachedAt: at,
      endedAt: null,
    })
  }
  return attached
}

async function findRedeemables(
  tx: Tx,
  requested: readonly Requested[],
): Promise<(Redeemable & { readonly param: string })[]> {
  const texts = requested.map(({ text }) => text)
  const [byId, codes] = await Promise.all([findCoupons(tx, texts), findPromotionCodes(tx, hasCode(texts))])
  const byCode = await findCoupons(
    tx,
    codes.map(({ couponId }) => couponId),
  )
  const codesByKey = new Map(codes.map((code) => [codeKey(code.code), code]))
  return requested.map(({ text, param }) => {
    const coupon = byId.get(text)
    if (coupon !== undefined) return { coupon, code: null, param }
    const code = codesByKey.get(codeKey(text)) ?? null
    const ofCode = code === null ? undefined : byCode.get(code.couponId)
    if (ofCode === undefined) throw errors.coupon_not_found({ param })
    return { coupon: ofCode, code, param }
  })
}

/**
 * Counts the redemptions of coupons and codes. Their rows stay locked, so concurrent callers never redeem more than is left.
 * Coupons are locked before codes, each in the order of their ids.
 */
export async function redeem(
  tx: Tx,
  attachments: readonly { readonly coupon: PlanCoupon; readonly param: string }[],
): Promise<void> {
  if (attachments.length === 0) return
  const couponIds = attachments.map(({ coupon: { coupon } }) => coupon.id)
  const codeIds = attachments.flatMap(({ coupon: { code } }) => code?.id ?? [])
  const coupons = await findCoupons(tx, couponIds, { lock: true })
  const codes = new Map<string, PromotionCode>()
  if (codeIds.length > 0) {
    for (const code of await findPromotionCodes(tx, hasId(codeIds), { lock: true })) codes.set(code.id, code)
  }
  for (const { coupon: attached, param } of attachments) {
    const coupon = coupons.get(attached.coupon.id)
    if (coupon === undefined) throw new Error(`coupon ${attached.coupon.id} is gone`)
    const code = attached.code === null ? null : (codes.get(attached.code.id) ?? null)
    throwIfRefused(refuseUnlessRedeemable({ coupon, code }, attached.attachedAt, param))
  }
  await countRedemptions(tx, couponIds)
  if (codeIds.length > 0) await countCodeRedemptions(tx, codeIds)
}
