import type { Money } from '#kernel/money'
import { RequestError } from '#kernel/errors'
import type { PlanChangeRequest } from '#modules/billing'
import type { TaxAnswers } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { onBehalfOf } from '#platform/request-scope'
import type { BulkAction, BulkItem, ItemResult } from '../model/bulk-action.ts'
import type { BulkActionsContext } from '../context.ts'
import { lockBulkAction } from '../storage/bulk-action.repository.ts'
import { lockPending } from '../storage/bulk-item.repository.ts'
import { resultOf } from './perform-item.ts'
import { recordResults } from './record-results.ts'

/** The size of reference/bulk-actions#plans. */
export const BATCH_PLANS = 200

/** If a batch fails for a reason other than a refusal, its plans are changed one by one, so that one plan cannot hold up the others. */
export function nextSet(items: readonly BulkItem[]): readonly BulkItem[] {
  const [first] = items
  return first === undefined || first.tries > 0 ? items.slice(0, 1) : items.filter(({ tries }) => tries === 0)
}

export async function changeSet(
  ctx: BulkActionsContext,
  action: BulkAction,
  change: PlanChangeRequest,
  items: readonly BulkItem[],
  leaseId: string,
): Promise<void> {
  const { caller, dryRun, id } = action
  const { businessId } = caller
  const changePending = async (tx: Tx, answers: TaxAnswers) => {
    const current = await lockBulkAction(tx, id)
    const ids = current?.state === 'running' ? items.map((item) => item.id) : []
    const pending = await lockPending(tx, id, ids)
    const changed = await ctx.billing.changePlans(tx, [...pending], change, { dryRun, answers })
    const results = items.flatMap((item) => resultOfPlan(item, changed.get(item.id)) ?? [])
    await recordResults(tx, id, leaseId, results)
  }
  try {
    await onBehalfOf(caller, () =>
      ctx.billing.withTaxEngine(
        businessId,
        (answers) => ctx.db.transact(businessId, (tx) => changePending(tx, answers)),
        dryRun,
      ),
    )
  } catch (error) {
    if (!(error instanceof RequestError)) {
      ctx.log.error({ err: error, bulk_action: id, plans: items.length }, 'plans of a bulk action failed')
    }
    const results = items.map((item) => resultOf(error, item))
    await ctx.db.transact(businessId, (tx) => recordResults(tx, id, leaseId, results))
  }
}

function resultOfPlan(item: BulkItem, changed: Money | RequestError | undefined): ItemResult | undefined {
  if (changed === undefined) return undefined
  if (changed instanceof RequestError) {
    return { kind: 'failed', item, reason: changed.reason, message: changed.message }
  }
  const { currency, minor } = changed
  return { kind: 'succeeded', item, amounts: minor === 0n ? new Map() : new Map([[currency, minor]]) }
}
