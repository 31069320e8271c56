export { DISPUTE_EVENTS } from './events.ts'
export { type Dispute, isAwaitingResponse } from './model/dispute.ts'
export { type Disputes, disputesModule } from './module.ts'
