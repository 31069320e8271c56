import { sumMoney } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import type { PaidOrder } from '../model/left-to-give-back.ts'
import { isInUse } from '../model/order.ts'
import { type Transaction, usedOf } from '../model/transaction.ts'

/** Refuses to undo payments of an order of which something was given back or became credit of a plan. */
export function decideUndo(
  { order, transactions }: PaidOrder,
  undone: readonly Transaction[],
): Refused<'payment_in_use'> | null {
  const payments = undone.filter(({ type }) => type === 'Sales')
  const isGivenBack = payments.some((payment) => {
    const { done, underWay } = usedOf(payment, transactions)
    return !done.isZero() || !underWay.isZero()
  })
  const amount = sumMoney(
    order.currency,
    payments.map((payment) => payment.amount),
  )
  return isGivenBack || isInUse(order, amount) ? { refused: 'payment_in_use' } : null
}
