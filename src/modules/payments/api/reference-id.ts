import type { RequestError } from '#kernel/errors'
import { violates } from '#platform/postgres/unique-violation'
import type { PaymentsContext } from '../context.ts'
import { errors } from './errors.ts'
import { findByReference } from '../storage/transaction.repository.ts'

/**
 * Two requests with the same `reference_id` at the same moment, of two orders: the second meets the unique index. It is
 * answered as any repeated one, with the first transaction's uuid (decisions, section 3).
 */
export async function refuseTakenReference(
  ctx: PaymentsContext,
  businessId: string,
  referenceId: string | undefined,
  param: string,
  error: unknown,
): Promise<never> {
  if (referenceId === undefined || !violates(error, 'transactions_reference_id')) throw error
  throw referenceTaken(param, await ctx.db.transact(businessId, (tx) => findByReference(tx, referenceId)))
}

/** @param uuid of the transaction that has the `reference_id` */
export function referenceTaken(param: string, uuid: string | null): RequestError {
  return errors.reference_id_taken({ param, ...(uuid !== null && { data: { transaction: { uuid } } }) })
}
