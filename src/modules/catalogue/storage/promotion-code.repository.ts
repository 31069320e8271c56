import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { readMetadata, storedMetadata } from '#platform/http/validation/metadata'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { codeKey, type PromotionCode, REDEMPTION_STATES } from '../model/coupon.ts'

interface CodeRow {
  id: string
  coupon_id: string
  code: string
  customer_uuid: string | null
  max_redemptions: number | null
  redeem_until: Instant | null
  redemptions: number
  reference_id: string | null
  metadata: string | null
  created_at: Instant
}

const COLUMNS = sql`p.id, p.coupon_id, p.code, p.customer_uuid, p.max_redemptions, p.redeem_until, p.redemptions,
       p.reference_id, p.metadata, p.created_at`

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
    insert into promotion_codes (business_id, id, coupon_id, code, code_key, customer_uuid, max_redemptions,
                                 redeem_until, reference_id, metadata, created_at)
    values (${tx.businessId}, ${code.id}, ${code.couponId}, ${code.code}, ${codeKey(code.code)},
            ${code.customerUuid}, ${code.maxRedemptions}, ${rfc3339OrNull(code.redeemUntil)}, ${code.referenceId},
            ${storedMetadata(code.metadata)}::jsonb, ${toRfc3339(code.createdAt)})
    on conflict do nothing`)
  return inserted === 1
}

export async function findPromotionCodes(
  tx: Tx,
  condition: Sql,
  options: { readonly lock?: boolean } = {},
): Promise<PromotionCode[]> {
  const rows = await tx.query<CodeRow>(sql`
    select ${COLUMNS} from promotion_codes p
     where p.business_id = ${tx.businessId} and ${condition}
     order by p.id ${options.lock === true ? sql`for no key update` : empty}`)
  return rows.map(toPromotionCode)
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
  const rows = await tx.query<CodeRow>(sql`
    select ${COLUMNS} from promotion_codes p
     where p.business_id = ${tx.businessId} and ${condition}
     ${rowsOfPage(page, sql`p.created_at`, sql`p.id`)}`)
  return rows.map(toPromotionCode)
}

function toPromotionCode(row: CodeRow): PromotionCode {
  return {
    id: row.id,
    couponId: row.coupon_id,
    code: row.code,
    customerUuid: row.customer_uuid,
    maxRedemptions: row.max_redemptions,
    redeemUntil: row.redeem_until,
    redemptions: row.redemptions,
    referenceId: row.reference_id,
    metadata: readMetadata(row.metadata),
    createdAt: row.created_at,
  }
}
