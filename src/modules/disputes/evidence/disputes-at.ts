import type { AcquirerDisputes } from '#modules/acquirers'
import { errors } from '../api/errors.ts'
import type { DisputesDependencies } from '../dependencies.ts'
import { findDispute } from '../storage/dispute.repository.ts'

export async function disputesAt(
  deps: DisputesDependencies,
  businessId: string,
  id: string,
): Promise<AcquirerDisputes> {
  const dispute = await deps.db.transact(businessId, (tx) => findDispute(tx, id), { isSnapshot: true })
  if (dispute === undefined) throw errors.dispute_not_found()
  const { disputes } = await deps.acquirers.connected(businessId, dispute.accountId)
  return disputes
}
