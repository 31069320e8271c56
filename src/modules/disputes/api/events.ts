import type { DisputeEvent } from '../model/dispute.ts'
import { DisputeData } from './schemas.ts'

export const DISPUTE_EVENTS = {
  'dispute.opened': DisputeData,
  'dispute.updated': DisputeData,
  'dispute.won': DisputeData,
  'dispute.lost': DisputeData,
  'dispute.closed': DisputeData,
  'dispute.evidence_submitted': DisputeData,
} as const satisfies Record<DisputeEvent, object>
