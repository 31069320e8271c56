import { expect, test } from 'vitest'
import { instantOf } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Order } from '../model/order.ts'
import { INITIATED, type Transaction } from '../model/transaction.ts'
import { decideOrderRefunds } from './decide-order-refunds.ts'

const NOTHING_GIVEN = new Map<string, Money>()

function eur(amount: string): Money {
  return Money.ofDecimal('EUR', amount)
}

/** A completed order with a payment of each amount, the first one oldest. */
function paidOrder(id: string, amounts: readonly string[], acquirerName = 'simulator') {
  const none = eur('0')
  const order: Partial<Order> = {
    id,
    currency: 'EUR',
    state: 'completed',
    initialTotal: eur('100'),
    movedToCredit: none,
    creditedTotal: none,
    writtenOff: none,
    notedRefunds: none,
    creditReturned: none,
    lineItems: null,
    tax: null,
  }
  const transactions = amounts.map((amount, day): Partial<Transaction> => {
    const at = instantOf(`2026-03-0${day + 1}T00:00:00Z`)
    const paid = {
      ...INITIATED,
      state: 'succeeded',
      succeededAt: at,
      createdAt: at,
      originalId: null,
    } as const
    const type = 'Sales'
    return {
      ...paid,
      id: `${id}-${day}`,
      orderId: id,
      type,
      currency: 'EUR',
      amount: eur(amount),
      acquirerName,
    }
  })
  return { order: order as Order, transactions: transactions as Transaction[] }
}

function parts(decided: ReturnType<typeof decideOrderRefunds>): [string, string][] {
  if ('refused' in decided) throw new Error(`refused: ${decided.refused}`)
  return decided.map(({ payment, amount }) => [payment.id, amount.toString()])
}

test('the newest payment is refunded first, and an older one only the rest', () => {
  const order = paidOrder('a', ['30', '20', '50'])
  expect(parts(decideOrderRefunds([order], NOTHING_GIVEN, eur('60')))).toEqual([
    ['a-2', '50.00'],
    ['a-1', '10.00'],
  ])
})

test('all payments of an order together give back at most what its credit left', () => {
  const order = paidOrder('a', ['30', '20', '50'])
  const given = new Map([['a', eur('35')]])
  expect(parts(decideOrderRefunds([order], given, eur('100')))).toEqual([
    ['a-2', '50.00'],
    ['a-1', '15.00'],
  ])
})

test('what only a hand can give back is refused, unless the other payments cover the amount', () => {
  const orders = [paidOrder('a', ['40'], 'manual'), paidOrder('b', ['10', '60'])]
  expect(decideOrderRefunds(orders, NOTHING_GIVEN, eur('71'))).toEqual({ refused: 'refund_by_hand' })
  expect(parts(decideOrderRefunds(orders, NOTHING_GIVEN, eur('70')))).toEqual([
    ['b-1', '60.00'],
    ['b-0', '10.00'],
  ])
})
