import { describe, expect, test } from 'vitest'
import type { ExpectedPlan, ShownOrder, ShownTransaction } from './accounts.ts'
import { checkBooks, checkEvents, checkOrders, checkPlans, checkResolved } from './check-accounts.ts'

const START = Temporal.Instant.from('2031-01-31T02:00:00Z')

function sale(changes: Partial<ShownTransaction> = {}, state = 'succeeded'): ShownTransaction {
  return {
    type: 'Sales',
    uuid: 'txn_1',
    currency: 'HKD',
    amount: 150.5,
    success: state === 'succeeded',
    is_pending: false,
    void_is_pending: false,
    payment_data: { transaction_state: state },
    ...changes,
  }
}

function order(changes: Partial<ShownOrder> = {}): ShownOrder {
  return {
    number: 'ord_1',
    reference_number: 'plan-1',
    state: 'completed',
    correspondence_state: 'paid',
    currency: 'HKD',
    initial_total: 150.5,
    paid_total: '150.50',
    created_at: START.toString(),
    transactions: [sale()],
    ...changes,
  }
}

function line(changes: Record<string, string> = {}) {
  return {
    key: 'txn_1',
    operation: 'sale',
    amount: '150.50',
    currency: 'HKD',
    outcome: 'approved',
    booked_at: START.toString(),
    ...changes,
  }
}

describe('the books', () => {
  test('nothing is found when both sides agree: sale, capture of an authorization, refund, void, decline', () => {
    const transactions = [
      sale({ uuid: 'authorized', type: 'Authorization', amount: 90 }, 'authorized'),
      sale({ uuid: 'captured', type: 'Capture', amount: 90 }),
      sale({ uuid: 'refunded', type: 'Refund', amount: -40.25 }),
      sale({ uuid: 'voided', amount: 7 }, 'voided'),
      sale({ uuid: 'declined', amount: 8 }, 'failed'),
      sale({ uuid: 'never_booked', amount: 9 }, 'failed'),
    ]
    const books = [
      line({ key: 'authorized', operation: 'authorization', amount: '90.00' }),
      line({ key: 'captured', operation: 'capture', amount: '90.00', original_key: 'authorized' }),
      line({ key: 'refunded', operation: 'refund', amount: '40.25', original_key: 'captured' }),
      line({ key: 'voided', amount: '7.00' }),
      line({ key: 'a_void', operation: 'void', amount: '7.00', original_key: 'voided' }),
      line({ key: 'declined', amount: '8.00', outcome: 'declined' }),
    ]
    expect(checkBooks({ orders: [order({ transactions, paid_total: '49.75' })], books })).toEqual([])
  })

  test('a charge that is booked and that no order knows is found', () => {
    const books = [line(), line({ key: 'txn_2' })]
    expect(checkBooks({ orders: [order()], books })).toEqual([
      'the books have sale txn_2, which no order knows',
    ])
  })

  test('a second charge of the same order is found, although both sides know it', () => {
    const orders = [order({ transactions: [sale(), sale({ uuid: 'txn_2' })] })]
    const books = [line(), line({ key: 'txn_2' })]
    expect(checkBooks({ orders, books })).toEqual(['ord_1: paid_total is 150.50, by the books it is 301.00'])
  })

  test.each([
    ['a key that is booked twice', [line(), line()], 'the books have txn_1 twice'],
    ['a success that is not booked', [], 'txn_1 is succeeded and not in the books'],
    ['another amount', [line({ amount: '150.49' })], 'txn_1 is HKD 150.50 here and HKD 150.49 there'],
    ['another currency', [line({ currency: 'USD' })], 'here and USD 150.50 there'],
    ['another operation', [line({ operation: 'authorization' })], 'is Sales here and authorization there'],
    ['a decline taken for a success', [line({ outcome: 'declined' })], 'succeeded here and declined there'],
    [
      'a void that we do not know of',
      [line(), line({ key: 'v', operation: 'void', original_key: 'txn_1' })],
      'voided 1 times in the books, not 0',
    ],
  ])('%s is found', (_, books, finding) => {
    expect(checkBooks({ orders: [order()], books }).join()).toContain(finding)
  })

  test('a success taken for a failure, and a void that was never booked, are found', () => {
    const failed = order({ transactions: [sale({}, 'failed')], paid_total: '150.50' })
    expect(checkBooks({ orders: [failed], books: [line()] })).toEqual([
      'ord_1: txn_1 is failed here and approved there',
    ])
    const voided = order({ transactions: [sale({}, 'voided')], paid_total: '150.50' })
    expect(checkBooks({ orders: [voided], books: [line()] })).toEqual([
      'ord_1: txn_1 is voided 0 times in the books, not 1',
    ])
  })
})

test('what is pending, and a void that is under way, are unresolved', () => {
  const transactions = [
    sale({ uuid: 'a', is_pending: true }, 'unknown'),
    sale({ uuid: 'b', void_is_pending: true }),
    sale({ uuid: 'c' }),
  ]
  expect(checkResolved([order({ transactions })])).toHaveLength(2)
})

test('an order that is gone, unpaid or paid otherwise is found', () => {
  const known = { currency: 'HKD', isRefunded: false }
  const expected = [
    { ...known, number: 'ord_1', paidMinor: 15050n },
    { ...known, number: 'gone', paidMinor: 15050n },
  ]
  expect(checkOrders([order()], expected)).toEqual(['gone was created and is gone'])
  expect(checkOrders([order({ state: 'open', paid_total: '0.00' })], expected.slice(0, 1))).toHaveLength(1)
  expect(checkOrders([order()], [{ ...known, number: 'ord_1', paidMinor: 100n }])).toHaveLength(1)
})

describe('plans', () => {
  const second = Temporal.Instant.from('2031-02-28T02:00:00Z')
  const expected: ExpectedPlan = {
    reference: 'plan',
    nature: 'approves',
    priceMinor: 15050n,
    dueAt: [START, second],
    isOver: false,
    gracePeriod: null,
  }
  const orders = [order(), order({ reference_number: 'plan-2', created_at: second.toString() })]

  function check(shown: readonly ShownOrder[], known: Partial<ExpectedPlan> = {}, state = 'active') {
    const plan = {
      id: 'pln_1',
      reference_number: 'plan',
      state,
      recurring_cycles: [{ billing_count_created: shown.length }],
    }
    return checkPlans({ orders: shown, plans: [plan] }, [{ ...expected, ...known }]).join('\n')
  }

  test('nothing is found when each order was made once, in time, and paid', () => {
    expect(check(orders)).toBe('')
    expect(check(orders, { isOver: true }, 'completed')).toBe('')
  })

  test('a missing, an unnumbered, an early, a late, an unpaid and a superfluous order are found', () => {
    const [first, other] = orders as [ShownOrder, ShownOrder]
    expect(check([first])).toContain('has 1 orders, not 2')
    expect(check([first, { ...other, reference_number: 'plan-3' }])).toContain('has the reference plan-3')
    expect(check([first, { ...other, created_at: '2031-02-28T01:59:59Z' }])).toContain('was due at')
    expect(check([first, { ...other, created_at: '2031-03-01T02:00:00Z' }])).toContain('was due at')
    expect(check([first, { ...other, state: 'open', paid_total: '0.00' }])).toContain(
      'is open, not completed',
    )
    expect(check([...orders, { ...other, reference_number: 'plan-3' }])).toContain('should not be there')
    expect(check(orders, {}, 'past_due')).toContain('it is past_due, not active')
  })

  test('a plan whose card declines gives up; its orders are voided after the grace period and never paid', () => {
    const failed = order({ state: 'voided', paid_total: '0.00' })
    const declines = { nature: 'declines', gracePeriod: 3 } as const
    expect(check([failed], declines, 'uncollectible')).toBe('')
    expect(check([failed], declines, 'active')).toContain('it is active, not uncollectible')
    expect(check([order()], declines, 'uncollectible')).toContain('has 150.50 paid, not 0.00')
    expect(check([failed], { ...declines, gracePeriod: null }, 'uncollectible')).toContain(
      'is voided, not open',
    )
  })
})

test('a gap, a repetition and a missing event are found', () => {
  const created = { id: 'e1', type: 'order.created', object_id: 'ord_1', sequence: 1, data: {} }
  const paid = {
    id: 'e2',
    type: 'transaction.succeeded',
    object_id: 'ord_1',
    sequence: 2,
    data: { transaction: { uuid: 'txn_1' } },
  }
  expect(checkEvents({ orders: [order()], events: [created, paid] })).toEqual([])
  expect(checkEvents({ orders: [order()], events: [created, { ...paid, sequence: 3 }] })).toHaveLength(1)
  expect(checkEvents({ orders: [order()], events: [created, paid, { ...paid, sequence: 3 }] })).toEqual([
    'transaction.succeeded txn_1 is told 2 times',
  ])
  expect(checkEvents({ orders: [order()], events: [created] })).toHaveLength(1)
})
