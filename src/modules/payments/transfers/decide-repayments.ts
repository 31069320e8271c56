import { isBefore } from '#kernel/clock'
import { Money, sumMoney } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import { leftOfOrder, overpaidOf, type PaidOrder } from '../model/left-to-give-back.ts'
import { isMovedOutside, type Transaction, usedOf } from '../model/transaction.ts'

interface Repayment {
  readonly payment: Transaction
  readonly amount: Money
}

type RepaymentRefusal = Refused<'amount_too_large' | 'nothing_overpaid' | 'payment_in_progress'>

/**
 * Shares money that was given back outside over the payments that came from outside, newest first.
 * @param creditGiven what went back as credit of the plan
 * @param requested by default all that is over-paid
 */
export function decideRepayments(
  { order, transactions }: PaidOrder,
  creditGiven: Money | undefined,
  requested: Money | undefined,
): readonly Repayment[] | RepaymentRefusal {
  if (order.voiding !== null) return { refused: 'payment_in_progress' }
  const payments = transactions.filter(isRepayable).toSorted(newestFirst)
  const lefts = payments.map((payment) => leftOf(payment, transactions))
  const amount = requested ?? overpaidOf({ order, transactions }, creditGiven)
  if (!amount.isPositive()) return { refused: 'nothing_overpaid' }
  const left = smaller(sumMoney(order.currency, lefts), leftOfOrder({ order, transactions }, creditGiven))
  if (amount.greaterThan(left)) {
    const most = left.isPositive() ? left : Money.zero(order.currency)
    return {
      refused: 'amount_too_large',
      param: 'repayment.amount',
      message: `The transfers and payments by hand of the order have ${most.toString()} left to give back.`,
    }
  }
  let rest = amount
  return payments.flatMap((payment, index): Repayment[] => {
    const part = smaller(rest, lefts[index] ?? rest)
    rest = rest.minus(part)
    return part.isPositive() ? [{ payment, amount: part }] : []
  })
}

function isRepayable(transaction: Transaction): boolean {
  return transaction.type === 'Sales' && transaction.state === 'succeeded' && isMovedOutside(transaction)
}

function leftOf(payment: Transaction, transactions: readonly Transaction[]): Money {
  const { done, underWay } = usedOf(payment, transactions)
  return payment.amount.minus(done).minus(underWay)
}

function newestFirst(a: Transaction, b: Transaction): number {
  if (a.valueDate !== b.valueDate) return (a.valueDate ?? '') < (b.valueDate ?? '') ? 1 : -1
  if (!a.createdAt.equals(b.createdAt)) return isBefore(a.createdAt, b.createdAt) ? 1 : -1
  return a.receiptNumber < b.receiptNumber ? 1 : -1
}

function smaller(a: Money, b: Money): Money {
  return a.lessThan(b) ? a : b
}
