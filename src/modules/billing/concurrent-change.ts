import type { TaxAnswers } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { BillingContext } from './context.ts'

/** A plan changed before it was locked. The transaction rolls back, and its work begins anew. */
export class ConcurrentPlanChange extends Error {}

/** Begins anew if `work` found that the plan had changed before it was locked. */
export async function onceUnlessConcurrent<Result>(
  ctx: BillingContext,
  caller: Caller,
  work: (tx: Tx, answers: TaxAnswers) => Promise<Result>,
): Promise<Result> {
  return retryIfConcurrent(() =>
    ctx.taxes.withEngine(caller.businessId, (answers) => once(ctx.db, caller, (tx) => work(tx, answers))),
  )
}

export async function retryIfConcurrent<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ConcurrentPlanChange)) throw error
    }
  }
}
