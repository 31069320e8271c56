export { type Dispute, isAwaitingResponse } from './model/dispute.ts'
export { DISPUTE_EVENTS, type Disputes, disputesModule } from './module.ts'
