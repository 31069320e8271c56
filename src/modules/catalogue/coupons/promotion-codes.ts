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
import type { NewPromotionCode } from '../requests/coupons.ts'
import { referenceTaken } from '../requests/reference-taken.ts'
import type { CatalogueContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { AsOf, PromotionCode } from '../model/coupon.ts'
import { findCoupons } from '../storage/coupon.repository.ts'
import {
  findPromotionCodes,
  hasCode,
  hasId,
  hasReference,
  insertPromotionCode,
  listPromotionCodes,
  promotionCodeFields,
} from '../storage/promotion-code.repository.ts'
import { readLater } from './read-coupon.ts'

export async function createPromotionCode(
  ctx: CatalogueContext,
  caller: Caller,
  request: NewPromotionCode,
): Promise<AsOf<PromotionCode>> {
  const { timeZone } = await ctx.businesses.profile(caller.businessId)
  return once(ctx.db, caller, async (tx) => {
    const { coupon_id: couponId, customer_uuid: customerUuid = null } = request
    if (!(await findCoupons(tx, [couponId])).has(couponId)) {
      throw errors.coupon_not_found({ param: 'promotion_code.coupon_id' })
    }
    if (customerUuid !== null && !(await ctx.customers.findCustomers(tx, [customerUuid])).has(customerUuid)) {
      throw customerErrors.customer_not_found({ param: 'promotion_code.customer_uuid' })
    }
    const code: PromotionCode = {
      id: newId('pmc'),
      couponId,
      code: request.code,
      customerUuid,
      maxRedemptions: request.max_redemptions ?? null,
      redeemUntil:
        request.redeem_until === undefined
          ? null
          : readLater('promotion_code.redeem_until', request.redeem_until, timeZone, tx.now),
      redemptions: 0,
      referenceId: request.reference_id ?? null,
      metadata: editMetadata(null, request.metadata, 'promotion_code.metadata'),
      createdAt: tx.now,
    }
    if (!(await insertPromotionCode(tx, code))) throw await taken(tx, code)
    return { subject: code, at: tx.now }
  })
}

export function promotionCodeById(
  ctx: CatalogueContext,
  caller: Caller,
  id: string,
): Promise<AsOf<PromotionCode>> {
  const read = async (tx: Tx) => {
    const [subject] = await findPromotionCodes(tx, hasId([id]))
    if (subject === undefined) throw errors.promotion_code_not_found()
    return { subject, at: tx.now }
  }
  return ctx.db.transact(caller.businessId, read, { isSnapshot: true })
}

export async function promotionCodesOfPage(
  ctx: CatalogueContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<AsOf<PromotionCode[]>> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const read = async (tx: Tx) => {
    const fields = promotionCodeFields(sql`${toRfc3339(tx.now)}::timestamptz`)
    const condition = filterCondition(filter, fields, timeZone)
    return { subject: await listPromotionCodes(tx, condition, request), at: tx.now }
  }
  return ctx.db.transact(businessId, read, { isSnapshot: true, isSearch: filter !== undefined })
}

async function taken(tx: Tx, { code, referenceId }: PromotionCode): Promise<Error> {
  const [sameCode] = await findPromotionCodes(tx, hasCode([code]))
  if (sameCode !== undefined) {
    return errors.code_taken({ param: 'promotion_code.code', data: { promotion_code: { id: sameCode.id } } })
  }
  const [first] = await findPromotionCodes(tx, hasReference(referenceId ?? ''))
  return referenceTaken('promotion_code', first?.id)
}
