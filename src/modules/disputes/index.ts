export { Disputes } from './disputes.ts'
export { DISPUTE_EVENTS } from './events.ts'
export { type Dispute, isAwaitingResponse } from './model/dispute.ts'
export { disputesModule } from './module.ts'
