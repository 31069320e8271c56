import sql from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { customerErrors } from '#modules/customers'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import { editMetadata } from '#platform/http/validation/metadata'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { CatalogueContext } from '../context.ts'
import type { CouponEdit, NewCoupon } from '../requests/coupons.ts'
import { referenceTaken } from '../requests/reference-taken.ts'
import { errors } from '../errors.ts'
import type { AsOf, Coupon, CouponEvent } from '../model/coupon.ts'
import {
  couponFields,
  findCouponIdByReference,
  findCoupons,
  insertCoupon,
  listCoupons,
  updateCoupon,
} from '../storage/coupon.repository.ts'
import { findProductIds } from '../storage/product.repository.ts'
import { invalid, readCoupon, readLater, readTime } from './read-coupon.ts'

export async function createCoupon(
  ctx: CatalogueContext,
  caller: Caller,
  request: NewCoupon,
): Promise<AsOf<Coupon>> {
  const { timeZone } = await ctx.businesses.profile(caller.businessId)
  return once(ctx.db, caller, async (tx) => {
    await requireProducts(tx, request.product_ids ?? [])
    await requireCustomers(ctx, tx, request.customer_uuids ?? [])
    const coupon: Coupon = {
      ...readCoupon(request, timeZone, tx.now),
      id: newId('cpn'),
      name: request.name,
      productIds: request.product_ids ?? null,
      customerUuids: request.customer_uuids ?? null,
      isExclusive: request.exclusive ?? false,
      isForFirstOrder: request.first_order_only ?? false,
      maxRedemptions: request.max_redemptions ?? null,
      redeemUntil:
        request.redeem_until === undefined
          ? null
          : readLater('coupon.redeem_until', request.redeem_until, timeZone, tx.now),
      redemptions: 0,
      referenceId: request.reference_id ?? null,
      metadata: editMetadata(null, request.metadata, 'coupon.metadata'),
      createdAt: tx.now,
      updatedAt: tx.now,
    }
    if (!(await insertCoupon(tx, coupon))) {
      throw referenceTaken('coupon', await findCouponIdByReference(tx, request.reference_id ?? ''))
    }
    return recordEvent(ctx, tx, 'coupon.created', coupon)
  })
}

/** A `redeem_until` in the past stops further redemptions; plans that have the coupon keep it. */
export async function editCoupon(
  ctx: CatalogueContext,
  caller: Caller,
  id: string,
  edit: CouponEdit,
): Promise<AsOf<Coupon>> {
  const { timeZone } = await ctx.businesses.profile(caller.businessId)
  return once(ctx.db, caller, async (tx) => {
    const before = (await findCoupons(tx, [id], { lock: true })).get(id)
    if (before === undefined) throw errors.coupon_not_found()
    const { max_redemptions: maxRedemptions = before.maxRedemptions, redeem_until: redeemUntil } = edit
    if (maxRedemptions !== null && maxRedemptions < before.redemptions) {
      throw invalid(
        'coupon.max_redemptions',
        `must be at least ${before.redemptions}, the redemptions so far`,
      )
    }
    const coupon: Coupon = {
      ...before,
      name: edit.name ?? before.name,
      maxRedemptions,
      redeemUntil:
        typeof redeemUntil === 'string'
          ? readTime('coupon.redeem_until', redeemUntil, timeZone)
          : redeemUntil === null
            ? null
            : before.redeemUntil,
      updatedAt: tx.now,
    }
    await updateCoupon(tx, coupon)
    return recordEvent(ctx, tx, 'coupon.updated', coupon)
  })
}

export function couponById(ctx: CatalogueContext, caller: Caller, id: string): Promise<AsOf<Coupon>> {
  const read = async (tx: Tx) => {
    const subject = (await findCoupons(tx, [id])).get(id)
    if (subject === undefined) throw errors.coupon_not_found()
    return { subject, at: tx.now }
  }
  return ctx.db.transact(caller.businessId, read, { isSnapshot: true })
}

export async function couponsOfPage(
  ctx: CatalogueContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<AsOf<Coupon[]>> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const read = async (tx: Tx) => {
    const fields = couponFields(sql`${toRfc3339(tx.now)}::timestamptz`)
    const condition = filterCondition(filter, fields, timeZone)
    return { subject: await listCoupons(tx, condition, request), at: tx.now }
  }
  return ctx.db.transact(businessId, read, { isSnapshot: true, isSearch: filter !== undefined })
}

async function requireProducts(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const existing = await findProductIds(tx, ids)
  const unknown = ids.findIndex((id) => !existing.has(id))
  if (unknown >= 0) throw errors.product_not_found({ param: `coupon.product_ids[${unknown}]` })
}

async function requireCustomers(ctx: CatalogueContext, tx: Tx, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return
  const existing = await ctx.customers.findCustomers(tx, [...uuids])
  const unknown = uuids.findIndex((uuid) => !existing.has(uuid))
  if (unknown >= 0) throw customerErrors.customer_not_found({ param: `coupon.customer_uuids[${unknown}]` })
}

async function recordEvent(
  ctx: CatalogueContext,
  tx: Tx,
  type: CouponEvent,
  subject: Coupon,
): Promise<AsOf<Coupon>> {
  const read = { subject, at: tx.now }
  const data = ctx.present.coupon(read)
  await ctx.events.append(tx, [{ type, objectId: subject.id, timestamp: tx.now, data }])
  return read
}
