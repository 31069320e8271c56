import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import type { Tx } from '#platform/postgres/database'
import type { DisputesContext, DisputeView } from './context.ts'
import { errors } from './errors.ts'
import type { Dispute } from './model/dispute.ts'
import { DISPUTE_FIELDS, findDispute, listDisputes } from './storage/dispute.repository.ts'
import { evidenceOf } from './storage/evidence.repository.ts'

export async function disputesOfPage(
  ctx: DisputesContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<DisputeView[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filterCondition(filter, DISPUTE_FIELDS, timeZone)
  const read = async (tx: Tx): Promise<DisputeView[]> => {
    const disputes = await listDisputes(tx, condition, request)
    const ids = disputes.map(({ id }) => id)
    const evidence = await evidenceOf(tx, ids)
    return disputes.map((dispute) => ({ dispute, evidence: evidence.get(dispute.id) ?? [] }))
  }
  return ctx.db.transact(businessId, read, { isSearch: true })
}

export async function disputeById(
  ctx: DisputesContext,
  { businessId }: Caller,
  id: string,
): Promise<DisputeView> {
  const read = async (tx: Tx): Promise<DisputeView> => {
    const [dispute, evidence] = await Promise.all([findDispute(tx, id), evidenceOf(tx, [id])])
    if (dispute === undefined) throw errors.dispute_not_found()
    return { dispute, evidence: evidence.get(id) ?? [] }
  }
  return ctx.db.transact(businessId, read, { isSnapshot: true })
}

export async function withEvidence(tx: Tx, dispute: Dispute): Promise<DisputeView> {
  const evidence = await evidenceOf(tx, [dispute.id])
  return { dispute, evidence: evidence.get(dispute.id) ?? [] }
}
