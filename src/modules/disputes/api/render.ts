import type { Static } from 'typebox'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import type { DisputeView } from '../context.ts'
import type { StagedEvidence } from '../model/evidence.ts'
import type { DisputeData, DisputesData } from './schemas.ts'

type ShownDispute = Static<typeof DisputeData>['dispute']

export function renderDisputeData(view: DisputeView): Static<typeof DisputeData> {
  return { dispute: renderDispute(view) }
}

export function renderDisputesPage(
  request: PageRequest,
  found: readonly DisputeView[],
): Static<typeof DisputesData> {
  const keyOf = ({ dispute }: DisputeView) => ({ at: dispute.createdAt, id: dispute.id })
  const { rows: disputes, page } = renderPage(request, found, keyOf, renderDispute)
  return { disputes, page }
}

function renderDispute({ dispute, evidence }: DisputeView): ShownDispute {
  const { transaction } = dispute
  return {
    id: dispute.id,
    order_number: transaction?.orderNumber ?? null,
    transaction: transaction === null ? null : { uuid: transaction.id },
    amount: dispute.amount,
    currency: dispute.amount.currency,
    reason: dispute.reason,
    state: dispute.state,
    respond_by: rfc3339OrNull(dispute.respondBy),
    acquirer_account_id: dispute.accountId,
    acquirer_reference: dispute.reference,
    evidence: Object.fromEntries(evidence.map((member) => [member.name, renderEvidence(member)])),
    submitted_at: rfc3339OrNull(dispute.submittedAt),
    created_at: toRfc3339(dispute.createdAt),
    updated_at: toRfc3339(dispute.updatedAt),
  }
}

function renderEvidence(member: StagedEvidence): ShownDispute['evidence'][string] {
  if (member.kind === 'text') return member.text
  return { name: member.fileName, content_type: member.contentType, size: member.bytes }
}
