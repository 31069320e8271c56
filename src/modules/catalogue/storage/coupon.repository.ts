import sql, { empty, type Sql } from 'sql-template-tag'
import { decimal, decimalToString } from '#kernel/decimal'
import { Money } from '#kernel/money'
import type { FilterFields } from '#platform/filter/filter-sql'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { composed, json, named, table } from '#platform/postgres/table'
import type { Discount } from '../model/line.ts'
import { type Coupon, REDEMPTION_STATES } from '../model/coupon.ts'

export const COUPONS = table<Coupon>('c', {
  id: 'text',
  name: 'text',
  off: composed(
    ['percent_off', 'amount_off_minor', 'currency'],
    (percent: string | null, minor: bigint | null, currency: string): Discount =>
      percent === null
        ? { type: 'fixed_amount', amount: Money.ofMinor(currency, minor ?? 0n) }
        : { type: 'percentage', rate: decimal(percent) },
    {
      percent_off: ['text', (off) => (off.type === 'percentage' ? decimalToString(off.rate) : null)],
      amount_off_minor: ['numeric', (off) => (off.type === 'fixed_amount' ? off.amount.minor : null)],
    },
  ),
  currency: 'text',
  times: 'integer',
  until: named('lowers_until', 'timestamptz'),
  productIds: json(),
  customerUuids: json(),
  isExclusive: named('exclusive', 'boolean'),
  minimumAmount: composed(
    ['minimum_minor', 'currency'],
    (minor: bigint | null, currency: string) => (minor === null ? null : Money.ofMinor(currency, minor)),
    { minimum_minor: ['numeric', (minimum) => minimum?.minor ?? null] },
  ),
  isForFirstOrder: named('first_order_only', 'boolean'),
  maxRedemptions: 'integer',
  redeemUntil: 'timestamptz',
  redemptions: 'integer',
  referenceId: 'text',
  metadata: json(),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
})

const CHANGED = COUPONS.only('name', 'redeemUntil', 'maxRedemptions', 'updatedAt')

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
  const inserted = await tx.execute(sql`
    insert into coupons ${COUPONS.values(tx.businessId, [coupon])}
    on conflict (business_id, reference_id) do nothing`)
  return inserted === 1
}

export async function updateCoupon(tx: Tx, coupon: Coupon): Promise<void> {
  await tx.execute(sql`
    update coupons set ${CHANGED.set(coupon)}
     where business_id = ${tx.businessId} and id = ${coupon.id}`)
}

/** With a lock the rows are locked in the order of their ids, so that no two transactions wait for each other. */
export async function findCoupons(
  tx: Tx,
  ids: readonly string[],
  options: { readonly lock?: boolean } = {},
): Promise<Map<string, Coupon>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query(sql`
    select ${COUPONS.columns} from coupons c
     where c.business_id = ${tx.businessId} and ${isOneOf(sql`c.id`, ids)}
     order by c.id ${options.lock === true ? sql`for no key update` : empty}`)
  return new Map(rows.map(COUPONS.read).map((coupon) => [coupon.id, coupon]))
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
  const rows = await tx.query(sql`
    select ${COUPONS.columns} from coupons c
     where c.business_id = ${tx.businessId} and ${condition}
     ${rowsOfPage(page, sql`c.created_at`, sql`c.id`)}`)
  return rows.map(COUPONS.read)
}
