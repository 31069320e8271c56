import type { Lookup, NextAction } from '#modules/acquirers'
import type { PaymentsContext } from '../context.ts'
import type { LeasedOperation } from '../model/operation.ts'
import type { PayerAction } from '../model/transaction.ts'
import { openReturned } from './returned.ts'
import { replaceReference } from '../storage/operation.repository.ts'

export function lookupOf(
  ctx: PaymentsContext,
  businessId: string,
  { operation, transaction, at }: LeasedOperation,
): Lookup {
  const { kind, key, reference, originalReference, sentAt } = operation
  const { amount, nextAction } = transaction
  return {
    kind,
    key,
    reference,
    originalReference,
    sentAt,
    at,
    amount: amount.abs(),
    ...(nextAction !== null && { nextAction: asked(nextAction) }),
    returned: openReturned(ctx, businessId, operation),
    commitReference: (text) =>
      falseUnlessCommitted(
        ctx,
        businessId,
        key,
        ctx.db.transact(businessId, (tx) => replaceReference(tx, operation, text)),
      ),
  }
}

function asked(action: PayerAction): NextAction {
  const { page: _, ...said } = action
  return said
}

/** Also false while it is unknown whether the id was committed. The resolver then reads the row. */
export function falseUnlessCommitted(
  ctx: PaymentsContext,
  businessId: string,
  key: string,
  commit: Promise<boolean>,
): Promise<boolean> {
  return commit.catch((error: unknown) => {
    ctx.log.warn(
      { err: error, business_id: businessId, key },
      "cannot store the acquirer's reference of an operation",
    )
    return false
  })
}
