import type { Currency } from '#kernel/currencies'
import type { CountedEntry } from './entry.ts'

export interface SettledDay {
  readonly currency: Currency
  readonly day: string
  readonly fee: bigint
  readonly paid: bigint
}

export interface TotalChange extends Pick<
  CountedEntry,
  'reconciliationId' | 'type' | 'result' | 'currency' | 'grossMinor' | 'feeMinor' | 'netMinor'
> {
  readonly entries: number
}
