import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import { platformErrors } from '#platform/errors'
import { errors } from '../errors.ts'
import { type Fee, NO_FEE } from '../model/fee.ts'
import type { NewFeeRule } from './fee-rule-request.ts'
import { parseFee } from './read-fee.ts'
import { readFeeRules, saveFeeRule } from '../storage/fee-rule.repository.ts'
import type { WalletsContext } from '../context.ts'

export type FeeRuleQuery = Pick<NewFeeRule, 'type' | 'user_id'>

export interface FeeRule {
  readonly businessId: string
  readonly userId: string | null
  readonly fee: Fee
}

/** The rule applies to deposits that are published from now on. */
export async function setFeeRule(ctx: WalletsContext, caller: Caller, request: NewFeeRule): Promise<FeeRule> {
  const userId = request.user_id ?? null
  if (request.type === 'user' && userId === null) {
    throw platformErrors.missing_member({
      param: 'fee_rule.user_id',
      message: 'fee_rule.user_id is required when fee_rule.type is user.',
    })
  }
  if (request.type === 'business' && userId !== null) {
    throw errors.user_id_not_allowed({ param: 'fee_rule.user_id' })
  }
  const fee = parseFee(request.fixed_fee, request.percentage_fee)
  return once(ctx.db, caller, async (tx) => {
    await saveFeeRule(tx, userId, fee)
    return { businessId: tx.businessId, userId, fee }
  })
}

export async function findFeeRule(
  ctx: WalletsContext,
  { businessId }: Caller,
  query: FeeRuleQuery,
): Promise<FeeRule> {
  if (query.type === 'user' && query.user_id === undefined) {
    throw platformErrors.missing_query_name({
      param: 'user_id',
      message: 'user_id is required when type is user.',
    })
  }
  const userId = query.type === 'user' ? query.user_id : undefined
  const rules = await readFeeRules(ctx.db, businessId, userId === undefined ? [] : [userId])
  const userFee = userId === undefined ? undefined : rules.byUser.get(userId)
  if (userId !== undefined && userFee !== undefined) return { businessId, userId, fee: userFee }
  return { businessId, userId: null, fee: rules.business ?? NO_FEE }
}
