import { type Decimal, formatUnscaled, isDecimalProblem, parseDecimal } from '#kernel/decimal'
import { CENT_DIGITS } from './fee.ts'
import type { WalletTransaction } from './transaction.ts'

/**
 * A posting of the double-entry ledger; its entries sum to zero in each currency. Liabilities are positive: the
 * `available` and `held` money of users and the `fees_due` to the business. Assets are negative: the `custody` at the
 * deposit addresses of a chain and the `fees_owed` by users.
 */
export interface Posting {
  readonly id: string
  readonly objectId: string
  readonly reason: PostingReason
  readonly entries: readonly Entry[]
}

type PostingReason = 'deposit' | 'reorganisation' | 'hold' | 'release' | 'capture' | 'refund'

interface Entry extends Account {
  readonly amount: string
}

interface Account {
  readonly owner: string
  readonly kind: AccountKind
  readonly currency: string
}

type AccountKind = 'available' | 'held' | 'fees_owed' | 'custody' | 'spent' | 'fees_due'

export interface Balance {
  readonly currency: string
  readonly total: string
  readonly available: string
  readonly held: string
}

const FEE_CURRENCY = 'USD'

export function depositPosting(id: string, deposit: WalletTransaction): Posting {
  return { id, objectId: deposit.id, reason: 'deposit', entries: depositEntries(deposit, 1n) }
}

export function reorganisationPosting(id: string, deposit: WalletTransaction): Posting {
  return { id, objectId: deposit.id, reason: 'reorganisation', entries: depositEntries(deposit, -1n) }
}

function depositEntries(deposit: WalletTransaction, sign: 1n | -1n): Entry[] {
  const { walletId, currency, decimals } = deposit
  const units = sign * deposit.units
  const fee = sign * deposit.feeMinor
  const entries: Entry[] = [
    { owner: walletId, kind: 'available', currency, amount: formatUnscaled(units, decimals) },
    {
      owner: `chain:${deposit.blockchain}`,
      kind: 'custody',
      currency,
      amount: formatUnscaled(-units, decimals),
    },
  ]
  if (fee === 0n) return entries
  return [
    ...entries,
    {
      owner: walletId,
      kind: 'fees_owed',
      currency: FEE_CURRENCY,
      amount: formatUnscaled(-fee, CENT_DIGITS),
    },
    { owner: 'fees', kind: 'fees_due', currency: FEE_CURRENCY, amount: formatUnscaled(fee, CENT_DIGITS) },
  ]
}

/** A token amount has up to 78 digits and a configured token up to 36 decimals; the rest leaves room for sums. */
const LEDGER_BOUNDS = { beforePoint: 100, afterPoint: 36 }

export function ledgerAmount(text: string): Decimal {
  const amount = parseDecimal(text, LEDGER_BOUNDS)
  if (isDecimalProblem(amount)) throw new RangeError(`a ledger amount ${amount.message}`)
  return amount
}
