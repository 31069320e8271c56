import sql, { type Sql } from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { DECIMAL, named, table } from '#platform/postgres/table'
import type { Fee } from '../model/fee.ts'

/** The `user_id` under which the business's own rule is stored. */
const BUSINESS_RULE = ''

interface FeeOfUser extends Fee {
  readonly userId: string
}

const FEES = table<FeeOfUser>('r', {
  userId: 'text',
  fixedMinor: named('fixed_fee_minor', 'numeric'),
  percentage: named('percentage_fee', DECIMAL),
})
const CHANGES = FEES.without('userId').setFrom('excluded')

export async function saveFeeRule(tx: Tx, userId: string | null, fee: Fee): Promise<void> {
  await tx.execute(sql`
    insert into wallet_fee_rules
           ${FEES.values(tx.businessId, [{ ...fee, userId: userId ?? BUSINESS_RULE }], { updated_at: toRfc3339(tx.now) })}
    on conflict (business_id, user_id) do update
       set ${CHANGES}, updated_at = excluded.updated_at`)
}

export interface FeeRules {
  readonly business: Fee | undefined
  readonly byUser: ReadonlyMap<string, Fee>
}

export async function findFeeRules(tx: Tx, userIds: readonly string[]): Promise<FeeRules> {
  return toRules(await tx.query(selectRules(tx.businessId, userIds)))
}

export async function readFeeRules(
  db: Database,
  businessId: string,
  userIds: readonly string[],
): Promise<FeeRules> {
  return toRules(await db.read(businessId, selectRules(businessId, userIds)))
}

function selectRules(businessId: string, userIds: readonly string[]): Sql {
  return sql`
    select ${FEES.columns} from wallet_fee_rules r
     where business_id = ${businessId} and ${isOneOf(sql`user_id`, [BUSINESS_RULE, ...userIds])}`
}

function toRules(rows: readonly object[]): FeeRules {
  const fees = new Map(rows.map(FEES.read).map(({ userId, ...fee }): [string, Fee] => [userId, fee]))
  const business = fees.get(BUSINESS_RULE)
  fees.delete(BUSINESS_RULE)
  return { business, byUser: fees }
}
