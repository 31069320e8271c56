import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { StagedEvidence } from '../evidence/evidence.ts'
import type { Dispute } from '../model/dispute.ts'

export function renderDispute(dispute: Dispute, evidence: readonly StagedEvidence[]): object {
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

function renderEvidence(member: StagedEvidence): unknown {
  if (member.kind === 'text') return member.text
  return { name: member.fileName, content_type: member.contentType, size: member.bytes }
}
