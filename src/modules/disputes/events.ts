import type { Tx } from '#platform/postgres/database'
import type { NewEvent } from '#platform/events/events'
import { renderDispute } from './api/render.ts'
import { DisputeData } from './api/schemas.ts'
import type { StagedEvidence } from './evidence/evidence.ts'
import type { Dispute } from './model/dispute.ts'

export const DISPUTE_EVENTS = {
  'dispute.opened': DisputeData,
  'dispute.updated': DisputeData,
  'dispute.won': DisputeData,
  'dispute.lost': DisputeData,
  'dispute.closed': DisputeData,
  'dispute.evidence_submitted': DisputeData,
} as const
export type DisputeEvent = keyof typeof DISPUTE_EVENTS

export function disputeEvents(
  tx: Tx,
  types: readonly DisputeEvent[],
  dispute: Dispute,
  evidence: readonly StagedEvidence[],
): NewEvent[] {
  const data = { dispute: renderDispute(dispute, evidence) }
  return types.map((type) => ({ type, objectId: dispute.id, timestamp: tx.now, data }))
}
