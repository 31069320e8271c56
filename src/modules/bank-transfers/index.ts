export { BANK_ENTRY_EVENTS, type BankTransfers, bankTransfersModule } from './module.ts'
