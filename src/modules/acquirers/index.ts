export { Acquirers } from './acquirers.ts'
export type { AccountComponent, PaymentOffer } from './acquirers.ts'
export { errors as acquirerErrors } from './errors.ts'
export type {
  DisputeRecord,
  Disputes as AcquirerDisputes,
  DisputeState,
  Evidence,
  Page as AcquirerPage,
  Reply as AcquirerReply,
} from './port/disputes.ts'
export type { Booking } from './port/bookings.ts'
export { LEASE_MS, leaseNow } from './port/lease.ts'
export { EMPTY_RECORD, NOT_SENT } from './port/port.ts'
export type {
  Acquirer,
  AcquirerRecord,
  Inquiry,
  Instrument,
  Lookup,
  OperationKind,
  NextAction,
  Outcome,
  Payer,
  PayerDevice,
  VerifiedInstrument,
  VerifyOutcome,
  VerifyRequest,
  WalletMethod,
  WalletName,
} from './port/port.ts'
export type { Notice } from './port/notices.ts'
export { ADAPTERS, capabilitiesOf } from './capabilities.ts'
export { methodCurrencies, PAYER_DEVICES, WALLET_METHODS, WALLET_NAMES, walletOf } from './model/wallets.ts'
export type { BrowserPayment, Wallets } from './port/adapter.ts'
export { SIMULATOR_ACCOUNT } from './model/router.ts'
export type { RoutedAccount, Router, RoutingQuestion } from './model/router.ts'
export type { BalanceEntry, Payout, SettlementReports } from './port/settlement.ts'
export { simulatorPages } from './simulator/payer-pages.ts'
export {
  createSimulatorAcquirer,
  SIMULATOR_NAME,
  type SimulatorAcquirer,
  type SimulatorFaults,
} from './simulator/simulator-acquirer.ts'
export { startSimulator } from './simulator/server/server.ts'
export type { Simulator } from './simulator/server/server.ts'
export { isTestCard } from './test-cards.ts'
export { acquirersModule } from './module.ts'
