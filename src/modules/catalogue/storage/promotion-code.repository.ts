import sql, { empty, type Sql } from 'sql-template-tag'
import type { FilterFields } from '#platform/filter/filter-sql'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { json, table } from '#platform/postgres/table'
import { codeKey, type PromotionCode, REDEMPTION_STATES } from '../model/coupon.ts'

const CODES = table<PromotionCode>('p', {
  id: 'text',
  couponId: 'text',
  code: 'text',
  customerUuid: 'text',
  maxRedemptions: 'integer',
  redeemUntil: 'timestamptz',
  redemptions: 'integer',
  referenceId: 'text',
  metadata: json(),
  createdAt: 'timestamptz',
})

export function promotionCodeFields(now: Sql): FilterFields {
  return {
    id: { type: 'text', column: sql`p.id`, prefix: true },
    reference_id: { type: 'text', column: sql`p.reference_id`, prefix: true },
    coupon_id: { type: 'text', column: sql`p.coupon_id` },
    code: { type: 'text', column: sql`p.code_key`, prefix: true, fold: codeKey },
    'customer.uuid': { type: 'text', column: sql`p.customer_uuid` },
    state: {
      type: 'enum',
      column: sql`case when p.redeem_until <= ${now} then 'expired'
                       when p.redemptions >= p.max_redemptions then 'exhausted' else 'active' end`,
      values: REDEMPTION_STATES,
    },
    created_at: { type: 'time', column: sql`p.created_at` },
  }
}

export async function insertPromotionCode(tx: Tx, code: PromotionCode): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into promotion_codes ${CODES.values(tx.businessId, [code], { code_key: codeKey(code.code) })}
    on conflict do nothing`)
  return inserted === 1
}

export async function findPromotionCodes(
  tx: Tx,
  condition: Sql,
  options: { readonly lock?: boolean } = {},
): Promise<PromotionCode[]> {
  const rows = await tx.query(sql`
    select ${CODES.columns} from promotion_codes p
     where p.business_id = ${tx.businessId} and ${condition}
     order by p.id ${options.lock === true ? sql`for no key update` : empty}`)
  return rows.map(CODES.read)
}

export const hasCode = (codes: readonly string[]): Sql => isOneOf(sql`p.code_key`, codes.map(codeKey))
export const hasId = (ids: readonly string[]): Sql => isOneOf(sql`p.id`, ids)
export const hasReference = (referenceId: string): Sql => sql`p.reference_id = ${referenceId}`

export async function countCodeRedemptions(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update promotion_codes p set redemptions = p.redemptions + 1
     where p.business_id = ${tx.businessId} and ${isOneOf(sql`p.id`, ids)}`)
}

export async function listPromotionCodes(
  tx: Tx,
  condition: Sql,
  page: PageRequest,
): Promise<PromotionCode[]> {
  const rows = await tx.query(sql`
    select ${CODES.columns} from promotion_codes p
     where p.business_id = ${tx.businessId} and ${condition}
     ${rowsOfPage(page, sql`p.created_at`, sql`p.id`)}`)
  return rows.map(CODES.read)
}
