import type { AcquirerDisputes } from '#modules/acquirers'
import { errors } from '../errors.ts'
import type { DisputesContext } from '../context.ts'
import { findDispute } from '../storage/dispute.repository.ts'

export async function disputesAt(
  ctx: DisputesContext,
  businessId: string,
  id: string,
): Promise<AcquirerDisputes> {
  const dispute = await ctx.db.transact(businessId, (tx) => findDispute(tx, id), { isSnapshot: true })
  if (dispute === undefined) throw errors.dispute_not_found()
  return ctx.acquirers.disputesOf(businessId, dispute.accountId)
}
