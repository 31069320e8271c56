import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { decimal, decimalToString } from '#kernel/decimal'
import { Money } from '#kernel/money'
import type { FilterFields } from '#platform/filter/filter-sql'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { readMetadata, storedMetadata } from '#platform/http/validation/metadata'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import type { Discount } from '../model/line.ts'
import { type Coupon, REDEMPTION_STATES } from '../model/coupon.ts'

export interface CouponRow {
  id: string
  name: string
  percent_off: string | null
  amount_off_minor: bigint | null
  currency: string | null
  times: number | null
  lowers_until: Instant | null
  product_ids: string | null
  customer_uuids: string | null
  exclusive: boolean
  minimum_minor: bigint | null
  first_order_only: boolean
  max_redemptions: number | null
  redeem_until: Instant | null
  redemptions: number
  reference_id: string | null
  metadata: string | null
  created_at: Instant
  updated_at: Instant
}

export const COUPON_COLUMNS = sql`c.id, c.name, c.percent_off, c.amount_off_minor, c.currency, c.times, c.lowers_until,
       c.product_ids::text, c.customer_uuids::text, c.exclusive, c.minimum_minor, c.first_order_only, c.max_redemptions,
       c.redeem_until, c.redemptions, c.reference_id, c.metadata, c.created_at, c.updated_at`

/** @param now on the business's clock */
export function couponFields(now: Sql): FilterFields {
  return {
    id: { type: 'text', column: sql`c.id`, prefix: true },
    reference_id: { type: 'text', column: sql`c.reference_id`, prefix: true },
    currency: { type: 'text', column: sql`c.currency` },
    state: {
      type: 'enum',
      column: sql`case when least(c.redeem_until, c.lowers_until) <= ${now} then 'expired'
                       when c.redemptions >= c.max_redemptions then 'exhausted' else 'active' end`,
      values: REDEMPTION_STATES,
    },
    created_at: { type: 'time', column: sql`c.created_at` },
  }
}

export async function insertCoupon(tx: Tx, coupon: Coupon): Promise<boolean> {
  const { off } = coupon
  const inserted = await tx.execute(sql`
    insert into coupons (business_id, id, name, percent_off, amount_off_minor, currency, times, lowers_until,
                         product_ids, customer_uuids, exclusive, minimum_minor, first_order_only, max_redemptions,
                         redeem_until, reference_id, metadata, created_at, updated_at)
    values (${tx.businessId}, ${coupon.id}, ${coupon.name},
            ${off.type === 'percentage' ? decimalToString(off.rate) : null},
            ${off.type === 'fixed_amount' ? off.amount.minor : null}, ${coupon.currency}, ${coupon.times},
            ${rfc3339OrNull(coupon.until)}, ${storedIds(coupon.productIds)}::text::jsonb,
            ${storedIds(coupon.customerUuids)}::text::jsonb, ${coupon.isExclusive},
            ${coupon.minimumAmount?.minor ?? null}, ${coupon.isForFirstOrder}, ${coupon.maxRedemptions},
            ${rfc3339OrNull(coupon.redeemUntil)}, ${coupon.referenceId}, ${storedMetadata(coupon.metadata)}::jsonb,
            ${toRfc3339(coupon.createdAt)}, ${toRfc3339(coupon.updatedAt)})
    on conflict (business_id, reference_id) do nothing`)
  return inserted === 1
}

export async function updateCoupon(tx: Tx, coupon: Coupon): Promise<void> {
  await tx.execute(sql`
    update coupons
       set name = ${coupon.name}, redeem_until = ${rfc3339OrNull(coupon.redeemUntil)},
           max_redemptions = ${coupon.maxRedemptions}, updated_at = ${toRfc3339(coupon.updatedAt)}
     where business_id = ${tx.businessId} and id = ${coupon.id}`)
}

/** With a lock the rows are locked in the order of their ids, so that no two transactions wait for each other. */
export async function findCoupons(
  tx: Tx,
  ids: readonly string[],
  options: { readonly lock?: boolean } = {},
): Promise<Map<string, Coupon>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<CouponRow>(sql`
    select ${COUPON_COLUMNS} from coupons c
     where c.business_id = ${tx.businessId} and ${isOneOf(sql`c.id`, ids)}
     order by c.id ${options.lock === true ? sql`for no key update` : empty}`)
  return new Map(rows.map((row) => [row.id, toCoupon(row)]))
}

export async function countRedemptions(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update coupons c set redemptions = c.redemptions + 1
     where c.business_id = ${tx.businessId} and ${isOneOf(sql`c.id`, ids)}`)
}

export async function findCouponIdByReference(tx: Tx, referenceId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from coupons where business_id = ${tx.businessId} and reference_id = ${referenceId}`)
  return row?.id
}

export async function listCoupons(tx: Tx, condition: Sql, page: PageRequest): Promise<Coupon[]> {
  const rows = await tx.query<CouponRow>(sql`
    select ${COUPON_COLUMNS} from coupons c
     where c.business_id = ${tx.businessId} and ${condition}
     ${rowsOfPage(page, sql`c.created_at`, sql`c.id`)}`)
  return rows.map(toCoupon)
}

export function toCoupon(row: CouponRow): Coupon {
  return {
    id: row.id,
    name: row.name,
    off: toOff(row),
    currency: row.currency,
    times: row.times,
    until: row.lowers_until,
    productIds: readIds(row.product_ids),
    customerUuids: readIds(row.customer_uuids),
    isExclusive: row.exclusive,
    minimumAmount: row.minimum_minor === null ? null : Money.ofMinor(currencyOf(row), row.minimum_minor),
    isForFirstOrder: row.first_order_only,
    maxRedemptions: row.max_redemptions,
    redeemUntil: row.redeem_until,
    redemptions: row.redemptions,
    referenceId: row.reference_id,
    metadata: readMetadata(row.metadata),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toOff(row: CouponRow): Discount {
  return row.percent_off === null
    ? { type: 'fixed_amount', amount: Money.ofMinor(currencyOf(row), row.amount_off_minor ?? 0n) }
    : { type: 'percentage', rate: decimal(row.percent_off) }
}

function currencyOf({ id, currency }: CouponRow): string {
  if (currency === null) throw new Error(`coupon ${id} has an amount without a currency`)
  return currency
}

function storedIds(ids: readonly string[] | null): string | null {
  return ids && JSON.stringify(ids)
}

function readIds(text: string | null): readonly string[] | null {
  return text === null ? null : (JSON.parse(text) as string[])
}
