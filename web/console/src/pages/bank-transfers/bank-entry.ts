import type { Schemas } from 'quittance'

export type BankEntry = Schemas['BankEntry']
export type Suggestion = Schemas['BankEntrySuggestion']

/** The transfer was sent again, so nothing is matched in one click. */
export function isPaidTwice({ suggestions: [first] = [] }: BankEntry): boolean {
  return first?.reasons.includes('paid_twice') === true
}

export function isWaiting({ state, returned_on }: BankEntry): boolean {
  return (state === 'unmatched' || state === 'suggested') && returned_on === null
}
