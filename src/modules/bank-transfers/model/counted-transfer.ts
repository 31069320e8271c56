import type { StatementEntry } from './statement-entry.ts'

/** A matched transfer that no return took back. Its amount is the whole entry's. */
export interface CountedTransfer extends Pick<StatementEntry, 'amount' | 'bookingDate'> {
  readonly invoiceId: string
  readonly debtorIban: string
}
