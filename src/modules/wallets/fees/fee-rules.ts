import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import { platformErrors } from '#platform/errors'
import { errors } from '../api/errors.ts'
import { type Fee, NO_FEE, parseFee, renderFee } from './fee.ts'
import { readFeeRules, saveFeeRule } from '../storage/fee-rule.repository.ts'
import type { WalletsDependencies } from '../dependencies.ts'

export const FEE_RULE_TYPES = ['business', 'user'] as const

export interface FeeRuleRequest {
  readonly type: (typeof FEE_RULE_TYPES)[number]
  readonly user_id?: string
  readonly fixed_fee: string
  readonly percentage_fee: string
}

export type FeeRuleQuery = Pick<FeeRuleRequest, 'type' | 'user_id'>

/** The rule applies to deposits that are published from now on. */
export async function setFeeRule(
  deps: WalletsDependencies,
  caller: Caller,
  request: FeeRuleRequest,
): Promise<{ fee_rules: object[] }> {
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
  return once(deps.db, caller, async (tx) => {
    await saveFeeRule(tx, userId, fee)
    return { fee_rules: [renderRule(tx.businessId, userId, fee)] }
  })
}

export async function findFeeRule(
  deps: WalletsDependencies,
  caller: Caller,
  query: FeeRuleQuery,
): Promise<{ fee_rules: object[] }> {
  if (query.type === 'user' && query.user_id === undefined) {
    throw platformErrors.missing_query_name({
      param: 'user_id',
      message: 'user_id is required when type is user.',
    })
  }
  const userId = query.type === 'user' ? query.user_id : undefined
  const rules = await readFeeRules(deps.db, caller.businessId, userId === undefined ? [] : [userId])
  const userFee = userId === undefined ? undefined : rules.byUser.get(userId)
  if (userId !== undefined && userFee !== undefined)
    return { fee_rules: [renderRule(caller.businessId, userId, userFee)] }
  return { fee_rules: [renderRule(caller.businessId, null, rules.business ?? NO_FEE)] }
}

function renderRule(businessId: string, userId: string | null, fee: Fee): object {
  return { ...renderFee(fee), ...(userId !== null && { user_id: userId }), business_id: businessId }
}
