import { fromMinorUnits, toMinorUnits, type Transaction } from 'quittance'

type Original = Pick<Transaction, 'uuid' | 'amount' | 'currency' | 'type'>

/** Returns what a refund or a capture can still take. Movements under way count as taken. */
export function amountLeft(original: Original, transactions: readonly Transaction[]): string {
  const { currency } = original
  const follower = original.type === 'Authorization' ? 'Capture' : 'Refund'
  const taken = transactions
    .filter(({ type, success, is_pending }) => type === follower && (success || is_pending))
    .filter(({ original_transaction_uuid: uuid }) => uuid === original.uuid)
    .reduce((sum, { amount }) => sum + absolute(toMinorUnits(amount, currency)), 0n)
  const left = toMinorUnits(original.amount, currency) - taken
  return fromMinorUnits(left < 0n ? 0n : left, currency)
}

export function difference(amount: string, taken: string, currency: string): string {
  return fromMinorUnits(toMinorUnits(amount, currency) - toMinorUnits(taken, currency), currency)
}

export function isAll(amount: string, left: string, currency: string): boolean {
  return toMinorUnits(amount, currency) === toMinorUnits(left, currency)
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}
