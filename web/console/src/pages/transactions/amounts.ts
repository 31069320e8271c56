import { fromMinorUnits, type Order, toMinorUnits, type Transaction } from 'quittance'

type Original = Pick<Transaction, 'uuid' | 'amount' | 'currency' | 'type'>

/** What a refund or a capture can still take. What is under way counts as taken. */
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

export type TransactionAction = 'refund' | 'capture' | 'void' | 'decide'

/** The actions that the state of a transaction allows. The service decides again. */
export function actionsOf(transaction: Transaction, order: Pick<Order, 'transactions'>): TransactionAction[] {
  const { type, allow_refund, allow_void, void_is_pending, payment_data } = transaction
  const { transaction_state: state } = payment_data
  const actions: TransactionAction[] = []
  if (allow_refund && !void_is_pending) actions.push('refund')
  if (type === 'Authorization' && state === 'authorized' && !void_is_pending) {
    const left = amountLeft(transaction, order.transactions)
    if (toMinorUnits(left, transaction.currency) > 0n) actions.push('capture')
  }
  if (allow_void || void_is_pending) actions.push('void')
  if (state === 'unknown') actions.push('decide')
  return actions
}
