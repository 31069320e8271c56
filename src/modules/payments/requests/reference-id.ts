import type { RequestError } from '#kernel/errors'
import { violates } from '#platform/postgres/database-errors'
import type { PaymentsContext } from '../context.ts'
import { platformErrors } from '#platform/errors'
import { findByReferences } from '../storage/transaction.repository.ts'

/** Two requests may use the same `reference_id` for different orders at once. The unique index then refuses the second. */
export async function refuseTakenReference(
  ctx: PaymentsContext,
  businessId: string,
  referenceId: string | undefined,
  param: string,
  error: unknown,
): Promise<never> {
  if (referenceId === undefined || !violates(error, 'transactions_reference_id')) throw error
  const taken = await ctx.db.transact(businessId, (tx) => findByReferences(tx, [referenceId]))
  throw referenceTaken(param, taken.get(referenceId))
}

export function referenceTaken(param: string, uuid: string | undefined): RequestError {
  return platformErrors.reference_id_taken({
    param,
    ...(uuid !== undefined && { data: { transaction: { uuid } } }),
  })
}
