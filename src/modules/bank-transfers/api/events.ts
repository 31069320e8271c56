import { BankEntryData } from './schemas.ts'

export const BANK_ENTRY_EVENTS = {
  'bank_entry.matched': BankEntryData,
  'bank_entry.unmatched': BankEntryData,
} as const
