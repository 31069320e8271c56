export { BANK_ENTRY_EVENTS, bankTransfersModule } from './module.ts'
