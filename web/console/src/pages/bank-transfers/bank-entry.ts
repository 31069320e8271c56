import type { Schemas } from 'quittance'

export type BankEntry = Schemas['BankEntry']
export type Suggestion = Schemas['BankEntrySuggestion']

export function isWaiting({ state, returned_on }: BankEntry): boolean {
  return (state === 'unmatched' || state === 'suggested') && returned_on === null
}
