import sql, { type Sql } from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import { decimal, decimalToString } from '#kernel/decimal'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import type { Fee } from '../model/fee.ts'

/** The `user_id` under which the business's own rule is stored. */
const BUSINESS_RULE = ''

interface FeeRow {
  user_id: string
  fixed_fee_minor: bigint
  percentage_fee: string
}

export async function saveFeeRule(tx: Tx, userId: string | null, fee: Fee): Promise<void> {
  await tx.execute(sql`
    insert into wallet_fee_rules (business_id, user_id, fixed_fee_minor, percentage_fee, updated_at)
    values (${tx.businessId}, ${userId ?? BUSINESS_RULE}, ${fee.fixedMinor.toString()}::numeric,
            ${decimalToString(fee.percentage)}::numeric, ${toRfc3339(tx.now)})
    on conflict (business_id, user_id) do update
       set fixed_fee_minor = excluded.fixed_fee_minor, percentage_fee = excluded.percentage_fee,
           updated_at = excluded.updated_at`)
}

export interface FeeRules {
  readonly business: Fee | undefined
  readonly byUser: ReadonlyMap<string, Fee>
}

export async function findFeeRules(tx: Tx, userIds: readonly string[]): Promise<FeeRules> {
  return toRules(await tx.query<FeeRow>(selectRules(tx.businessId, userIds)))
}

export async function readFeeRules(
  db: Database,
  businessId: string,
  userIds: readonly string[],
): Promise<FeeRules> {
  return toRules(await db.read<FeeRow>(businessId, selectRules(businessId, userIds)))
}

function selectRules(businessId: string, userIds: readonly string[]): Sql {
  return sql`
    select user_id, fixed_fee_minor, trim_scale(percentage_fee)::text as percentage_fee
      from wallet_fee_rules
     where business_id = ${businessId} and ${isOneOf(sql`user_id`, [BUSINESS_RULE, ...userIds])}`
}

function toRules(rows: readonly FeeRow[]): FeeRules {
  const fees = new Map(
    rows.map((row) => [
      row.user_id,
      { fixedMinor: row.fixed_fee_minor, percentage: decimal(row.percentage_fee) },
    ]),
  )
  const business = fees.get(BUSINESS_RULE)
  fees.delete(BUSINESS_RULE)
  return { business, byUser: fees }
}
