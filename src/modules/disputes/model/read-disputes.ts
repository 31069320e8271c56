import sql from 'sql-template-tag'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { FilterFields } from '#platform/filter/filter-sql'
import { minorPerUnit } from '#platform/filter/minor-units'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import type { DisputesDependencies } from '../dependencies.ts'
import { DISPUTE_STATES } from '../model/dispute.ts'
import { findDispute, listDisputes } from '../storage/dispute.repository.ts'
import { evidenceOf } from '../storage/evidence.repository.ts'
import { errors } from './errors.ts'
import { renderDispute } from './render.ts'

export const DISPUTE_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`d.id` },
  account_id: { type: 'text', column: sql`d.account_id` },
  reference: { type: 'text', column: sql`d.reference`, prefix: true },
  order_number: { type: 'text', column: sql`d.order_id` },
  state: { type: 'enum', column: sql`d.state`, values: DISPUTE_STATES },
  reason: { type: 'text', column: sql`d.reason` },
  currency: { type: 'text', column: sql`d.currency` },
  amount: { type: 'decimal', column: sql`(d.amount_minor / ${minorPerUnit(sql`d.currency`)})` },
  respond_by: { type: 'time', column: sql`d.respond_by` },
  created_at: { type: 'time', column: sql`d.created_at` },
}

export async function disputesPage(
  deps: DisputesDependencies,
  caller: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<object> {
  const { businessId } = caller
  const { timeZone } = await deps.businesses.profile(businessId)
  const condition = filter === undefined ? undefined : filterCondition(filter, DISPUTE_FIELDS, timeZone)
  const read = await deps.db.transact(
    businessId,
    async (tx) => {
      const disputes = await listDisputes(tx, condition, request)
      return {
        disputes,
        evidence: await evidenceOf(
          tx,
          disputes.map(({ id }) => id),
        ),
      }
    },
    { isSearch: true },
  )
  const { rows, page } = renderPage(
    request,
    read.disputes,
    (dispute) => ({ at: dispute.createdAt, id: dispute.id }),
    (dispute) => renderDispute(dispute, read.evidence.get(dispute.id) ?? []),
  )
  return { disputes: rows, page }
}

export async function disputeById(
  deps: DisputesDependencies,
  { businessId }: Caller,
  id: string,
): Promise<{ dispute: object }> {
  return deps.db.transact(
    businessId,
    async (tx) => {
      const [dispute, evidence] = await Promise.all([findDispute(tx, id), evidenceOf(tx, [id])])
      if (dispute === undefined) throw errors.dispute_not_found()
      return { dispute: renderDispute(dispute, evidence.get(id) ?? []) }
    },
    { isSnapshot: true },
  )
}
