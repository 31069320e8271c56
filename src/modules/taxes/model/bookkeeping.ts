import type { Decimal } from '#kernel/decimal'
import type { Treatment } from './tax.ts'

/**
 * Where a bookkeeping program books what is taxed at a rate.
 * - `percentage`: Of a line with several rates their sum.
 * - `account`: Of `tax` the name or code that the program has for the rate.
 * - `taxKey`: DATEV's BU-Schlüssel; null for accounts that post their tax by themselves.
 */
export interface RateAccount {
  readonly percentage: Decimal
  readonly treatment: Treatment
  readonly account: string
  readonly taxKey: string | null
}

export interface BookkeepingAccounts {
  readonly receivables: string | null
  readonly bank: string | null
  readonly cash: string | null
  readonly fees: string | null
  readonly writeOffs: string | null
  readonly disputes: string | null
  readonly revenue: readonly RateAccount[]
  readonly tax: readonly RateAccount[]
}

export const NO_ACCOUNTS: BookkeepingAccounts = {
  receivables: null,
  bank: null,
  cash: null,
  fees: null,
  writeOffs: null,
  disputes: null,
  revenue: [],
  tax: [],
}

/** - `fiscalYearStart`: MM-DD. */
export interface DatevSettings {
  readonly consultant: number
  readonly client: number
  readonly fiscalYearStart: string
  readonly accountLength: number
}

/** How documents and payments are booked in other programs. */
export interface Bookkeeping {
  readonly accounts: BookkeepingAccounts | null
  readonly datev: DatevSettings | null
}

export const NO_BOOKKEEPING: Bookkeeping = { accounts: null, datev: null }
