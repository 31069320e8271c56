import { DisputeData } from './api/schemas.ts'

export const DISPUTE_EVENTS = {
  'dispute.opened': DisputeData,
  'dispute.updated': DisputeData,
  'dispute.won': DisputeData,
  'dispute.lost': DisputeData,
  'dispute.closed': DisputeData,
  'dispute.evidence_submitted': DisputeData,
} as const
export type DisputeEvent = keyof typeof DISPUTE_EVENTS
