import { type Decimal, formatUnscaled, isDecimalProblem, parseDecimal } from '#kernel/decimal'
import { CENT_DIGITS } from '../fees/fee.ts'
import type { WalletTransaction } from './transaction.ts'

/**
 * The wallets' double-entry ledger. An entry adds a signed exact decimal to an account; the entries of a posting sum to
 * zero in each currency. What is owed to somebody is positive: a user's `available` and `held` money, the `fees_due` to
 * the business; what we keep for them (`custody`, at the deposit addresses of a chain) and what a user owes is negative.
 */
export interface Posting {
  /** Unique; makes it impossible to book the same thing twice. */
  readonly id: string
  /** What moved the money: a wallet transaction's or an authorization's id. */
  readonly objectId: string
  readonly reason: PostingReason
  readonly entries: readonly Entry[]
}

type PostingReason = 'deposit' | 'reorganisation' | 'hold' | 'release' | 'capture' | 'refund'

interface Entry extends Account {
  /** Plain decimal text, never an exponent. */
  readonly amount: string
}

interface Account {
  readonly owner: string
  readonly kind: AccountKind
  readonly currency: string
}

/** `available`, `held`, `spent` (by its cards) and `fees_owed` are a wallet's, `custody` a chain's, `fees_due` the business's. */
type AccountKind = 'available' | 'held' | 'fees_owed' | 'custody' | 'spent' | 'fees_due'

/** What a wallet has of one currency, as decimal texts. */
export interface Balance {
  readonly currency: string
  readonly total: string
  readonly available: string
  readonly held: string
}

const FEE_CURRENCY = 'USD'

/** A confirmed deposit: credited in full, its fee recorded as owed (decisions, section 7). */
export function depositPosting(id: string, deposit: WalletTransaction): Posting {
  return { id, objectId: deposit.id, reason: 'deposit', entries: depositEntries(deposit, 1n) }
}

/** Takes back a confirmed deposit whose block was reorganised away, fee included. */
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

/** Room for sums of the largest amounts that tokens can have: 78 digits, none after the point, or 36. */
const LEDGER_BOUNDS = { beforePoint: 100, afterPoint: 36 }

/** Reads an amount of the ledger, as its columns hold it. */
export function ledgerAmount(text: string): Decimal {
  const amount = parseDecimal(text, LEDGER_BOUNDS)
  if (isDecimalProblem(amount)) throw new RangeError(`an amount of the ledger ${amount.message}`)
  return amount
}
