import type { Money } from '#kernel/money'

/**
 * A booked credit of a bank statement, or a booked debit that returns one.
 * - `account`: The IBAN or other id of the merchant's account. CSV has none.
 * - `bookingDate`: YYYY-MM-DD.
 * - `debtorIban`: In capitals, without blanks.
 * - `bankReference`: The account servicer's.
 * - `returnedTo`: The payer's IBAN, of a return.
 * - `identity`: The same in every statement that has the entry.
 */
export interface StatementEntry {
  readonly kind: 'credit' | 'return'
  readonly account: string | null
  readonly bookingDate: string
  readonly amount: Money
  readonly debtorName: string | null
  readonly debtorIban: string | null
  readonly bankReference: string | null
  readonly endToEndId: string | null
  readonly remittance: string
  readonly returnedTo: string | null
  readonly identity: string
}

/** The members that identify an entry. */
export type KnownEntry = Pick<
  StatementEntry,
  'identity' | 'kind' | 'account' | 'bankReference' | 'bookingDate' | 'amount'
> & { readonly id: string }

/** An entry of a statement without an account that a statement with an account also has. */
export interface CompletedEntry {
  readonly id: string
  readonly by: StatementEntry
}

type Transferred = Pick<
  StatementEntry,
  'endToEndId' | 'amount' | 'bookingDate' | 'bankReference' | 'remittance'
>

export type Returned = Transferred & Pick<StatementEntry, 'returnedTo'>
export type Returnable = Transferred &
  Pick<StatementEntry, 'debtorName' | 'debtorIban'> & { readonly id: string }
