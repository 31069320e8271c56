import { expect, test } from 'vitest'
import type { ApiOrder, ApiTransaction } from '../../acquirers/api-order.ts'
import { CardModel } from './card-model.ts'
import { type ModelTransaction, OrderModel, type Outcome } from './order-model.ts'

const CREATED = Temporal.Instant.from('2031-03-05T10:00:00Z')
const LATER = CREATED.add({ hours: 24 })
const LIFE = {
  name: 'o1',
  atMs: 0,
  currency: 'HKD',
  totalMinor: 10_000,
  card: 'approves',
  timeoutS: null,
  isRefundedInBulk: false,
  steps: [],
} as const

function modelOf(...transactions: Partial<ModelTransaction>[]): OrderModel {
  const model = new OrderModel(LIFE, 'ord_1', CREATED)
  for (const one of transactions) model.transactions.push({ ...sale('s1', ['succeeded']), ...one })
  return model
}

function sale(reference: string, outcomes: Outcome[]): ModelTransaction {
  return { reference, type: 'Sales', amountMinor: 10_000n, outcomes: new Set(outcomes) }
}

function shown(state: string, paid: string, ...transactions: Partial<ApiTransaction>[]): ApiOrder {
  return {
    number: 'ord_1',
    reference_number: 'o1',
    state,
    correspondence_state: 'paid',
    currency: 'HKD',
    initial_total: 100,
    paid_total: paid,
    created_at: CREATED.toString(),
    transactions: transactions.map((one) => ({ ...transaction('s1', 'succeeded'), ...one })),
  }
}

function transaction(reference: string, state: string): ApiTransaction {
  return {
    type: 'Sales',
    uuid: `txn_${reference}`,
    reference_id: reference,
    currency: 'HKD',
    amount: 100,
    success: state === 'succeeded',
    is_pending: false,
    void_is_pending: false,
    created_at: CREATED.toString(),
    payment_data: { transaction_state: state },
  }
}

test('an order that is as modelled has no findings, whichever outcome an unknown payment has had', () => {
  expect(modelOf(sale('s1', ['succeeded'])).reconcile(shown('completed', '100.00', {}), LATER)).toEqual([])
  const unknown = modelOf(sale('s1', ['succeeded', 'failed']))
  const failed = transaction('s1', 'failed')
  expect(unknown.reconcile(shown('open', '0.00', failed), LATER)).toEqual([])
  // From now on the outcome is known.
  expect(unknown.reconcile(shown('completed', '100.00', {}), LATER)).toEqual([
    'o1 (ord_1): Sales s1 is succeeded, expected failed',
  ])
})

test.each([
  [
    'a second payment',
    shown('completed', '200.00', {}, transaction('s2', 'succeeded')),
    'nobody asked for it',
  ],
  ['a payment that is missing', shown('open', '0.00'), 'absent, expected succeeded'],
  ['a total that does not add up', shown('completed', '99.00', {}), 'paid_total is 99.00'],
  ['a state that the payments do not give', shown('open', '100.00', {}), 'is open, expected completed'],
  ['another amount', shown('completed', '100.00', { amount: 1 }), 'has 100, expected 10000'],
  ['a payment without an end', shown('completed', '100.00', transaction('s1', 'unknown')), 'is unknown'],
])('%s is found', (_what, order, finding) => {
  expect(
    modelOf(sale('s1', ['succeeded']))
      .reconcile(order, LATER)
      .join('\n'),
  ).toContain(finding)
})

test('a refund that a bulk action made leaves nothing to refund', () => {
  const payment = sale('s1', ['succeeded'])
  const model = new OrderModel(LIFE, 'ord_1', CREATED)
  model.transactions.push(payment)
  model.bulkRefunds++
  const { reference_id: _, ...refund } = transaction('r1', 'succeeded')
  const order = shown('refunded', '0.00', {})
  const refunded = { ...refund, type: 'Refund', amount: -100, original_transaction_uuid: 'txn_s1' } as const
  expect(model.reconcile({ ...order, transactions: [...order.transactions, refunded] }, LATER)).toEqual([])
  expect(model.leftOf(payment, 'Refund')).toBe(0n)
})

test('an approval above a limit and a decline below it are found, and a hold counts for seven days', () => {
  const life = { name: 'c1', atMs: 0, transactionMinor: 5_000, lifetimeMinor: 8_000, steps: [] }
  const decided = (uuid: string, minor: bigint, approved: boolean, at = CREATED) => ({
    uuid,
    reference: uuid,
    approved,
    minor,
    at,
    heldMinor: approved ? minor : 0n,
    capturedMinor: 0n,
    refundedMinor: 0n,
  })
  const card = new CardModel(life, 'crd_1')
  expect(card.decide([decided('a', 5_000n, true), decided('b', 5_000n, false)])).toEqual([])
  expect(card.decide([decided('c', 3_000n, false)])).toEqual([
    'card c1: c of 3000 was declined, with 5000 of 8000 used',
  ])
  expect(card.decide([decided('d', 4_000n, true)])).toEqual(['card c1: 9000 of 8000 are used'])
  expect(card.usedMinor(CREATED.add({ hours: 167 }))).toBe(9_000n)
  expect(card.usedMinor(CREATED.add({ hours: 168 }))).toBe(0n)
})
