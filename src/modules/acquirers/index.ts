export { Acquirers } from './acquirers.ts'
export { errors as acquirerErrors } from './errors.ts'
export type {
  Acquirer,
  AcquirerRecord,
  ChargeRequest,
  FollowUpRequest,
  Inquiry,
  Instrument,
  NextAction,
  Outcome,
  VerifyRequest,
} from './port.ts'
export { createSimulatorAcquirer, SIMULATOR_NAME } from './simulator-acquirer.ts'
export { startSimulator } from './simulator/server.ts'
export type { Simulator } from './simulator/server.ts'
export { isTestCard, testCard } from './simulator/test-cards.ts'
export type { CardBrand } from './simulator/test-cards.ts'
