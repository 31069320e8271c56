import { type Order, toMinorUnits, type Transaction } from 'quittance'
import { amountLeft } from '#pages/transactions/amounts.ts'

export type TransactionAction = 'refund' | 'capture' | 'void' | 'decide' | 'undo'

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
  if (state === 'succeeded' && payment_data.acquirer_type === 'manual') actions.push('undo')
  return actions
}
