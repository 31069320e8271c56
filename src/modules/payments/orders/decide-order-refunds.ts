import { isBefore } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import { decideRefund } from '../follow-ups/decide-refund.ts'
import { leftBesideCredit, type PaidOrder } from '../model/left-to-give-back.ts'
import type { Transaction } from '../model/transaction.ts'

interface PaymentRefund {
  readonly payment: Transaction
  readonly amount: Money
}

/**
 * Shares an amount over the payments of orders, newest first. Less is given back if less is left of them, unless the rest was paid by
 * money that only a hand can give back.
 * @param creditGiven what went back as credit of the plan, by order
 */
export function decideOrderRefunds(
  orders: readonly PaidOrder[],
  creditGiven: ReadonlyMap<string, Money>,
  amount: Money,
): readonly PaymentRefund[] | Refused<'refund_by_hand'> {
  const lefts = new Map(
    orders.map((paid) => [paid.order.id, leftBesideCredit(paid, creditGiven.get(paid.order.id))]),
  )
  const payments = orders.flatMap(({ order, transactions }) =>
    transactions.map((payment) => ({ order, transactions, payment })),
  )
  const refunds: PaymentRefund[] = []
  let rest = amount
  let needsHand = false
  for (const { order, transactions, payment } of payments.toSorted(newestFirst)) {
    if (!rest.isPositive()) break
    const left = lefts.get(order.id)
    const decision = decideRefund(payment, transactions, undefined, left)
    if ('refused' in decision) {
      needsHand ||= decision.refused === 'refund_by_hand'
      continue
    }
    const part = rest.lessThan(decision.amount) ? rest : decision.amount
    refunds.push({ payment, amount: part })
    lefts.set(order.id, left?.minus(part))
    rest = rest.minus(part)
  }
  return needsHand && rest.isPositive() ? { refused: 'refund_by_hand' } : refunds
}

function newestFirst(
  { payment: a }: { payment: Transaction },
  { payment: b }: { payment: Transaction },
): number {
  const [first, second] = [a.succeededAt ?? a.createdAt, b.succeededAt ?? b.createdAt]
  if (!first.equals(second)) return isBefore(first, second) ? 1 : -1
  return a.id < b.id ? 1 : -1
}
