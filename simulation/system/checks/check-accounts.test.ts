import { describe, expect, test } from 'vitest'
import type { ApiOrder, ApiTransaction } from '../../acquirers/api-order.ts'
import { checkBooks, checkEvents, checkResolved } from './check-accounts.ts'

const START = Temporal.Instant.from('2031-01-31T02:00:00Z')

function sale(changes: Partial<ApiTransaction> = {}, state = 'succeeded'): ApiTransaction {
  return {
    type: 'Sales',
    uuid: 'txn_1',
    currency: 'HKD',
    amount: 150.5,
    success: state === 'succeeded',
    is_pending: false,
    void_is_pending: false,
    created_at: START.toString(),
    payment_data: { transaction_state: state },
    ...changes,
  }
}

function order(changes: Partial<ApiOrder> = {}): ApiOrder {
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

describe('the check of the books', () => {
  test('accepts sales, captures, refunds, voids and declines on which both sides agree', () => {
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

  test('finds a booked charge that belongs to no order', () => {
    const books = [line(), line({ key: 'txn_2' })]
    expect(checkBooks({ orders: [order()], books })).toEqual([
      'the books have sale txn_2, which belongs to no order',
    ])
  })

  test('finds a second charge of an order that both sides have', () => {
    const orders = [order({ transactions: [sale(), sale({ uuid: 'txn_2' })] })]
    const books = [line(), line({ key: 'txn_2' })]
    expect(checkBooks({ orders, books })).toEqual([
      'ord_1: paid_total is 150.50, but the books add up to 301.00',
    ])
  })

  test.each([
    ['a key that was booked twice', [line(), line()], 'the books have txn_1 twice'],
    ['a success without a booking', [], 'txn_1 is succeeded but missing from the books'],
    [
      'a different amount',
      [line({ amount: '150.49' })],
      'txn_1 is HKD 150.50 here and HKD 150.49 in the books',
    ],
    ['a different currency', [line({ currency: 'USD' })], 'here and USD 150.50 in the books'],
    [
      'a different operation',
      [line({ operation: 'authorization' })],
      'is Sales here and authorization in the books',
    ],
    [
      'a decline that was recorded as a success',
      [line({ outcome: 'declined' })],
      'succeeded here and declined in the books',
    ],
    [
      'a void that the service does not have',
      [line(), line({ key: 'v', operation: 'void', original_key: 'txn_1' })],
      'the books have 1 voids of txn_1, expected 0',
    ],
  ])('finds %s', (_, books, finding) => {
    expect(checkBooks({ orders: [order()], books }).join()).toContain(finding)
  })

  test('finds a success that was recorded as a failure, and a void that was never booked', () => {
    const failed = order({ transactions: [sale({}, 'failed')], paid_total: '150.50' })
    expect(checkBooks({ orders: [failed], books: [line()] })).toEqual([
      'ord_1: txn_1 is failed here and approved in the books',
    ])
    const hold = { type: 'Authorization', decline_code: 'not_processed' } as const
    const released = [
      line({ operation: 'authorization' }),
      line({ key: 'v', operation: 'void', original_key: 'txn_1' }),
    ]
    const late = order({ transactions: [sale(hold, 'failed')], paid_total: '0.00' })
    expect(checkBooks({ orders: [late], books: released })).toEqual([])
    expect(checkBooks({ orders: [late], books: released.slice(0, 1) })).not.toEqual([])
    const voided = order({ transactions: [sale({}, 'voided')], paid_total: '150.50' })
    expect(checkBooks({ orders: [voided], books: [line()] })).toEqual([
      'ord_1: the books have 0 voids of txn_1, expected 1',
    ])
  })
})

test('pending transactions and pending voids are unresolved', () => {
  const transactions = [
    sale({ uuid: 'a', is_pending: true }, 'unknown'),
    sale({ uuid: 'b', void_is_pending: true }),
    sale({ uuid: 'c' }),
  ]
  expect(checkResolved([order({ transactions })])).toHaveLength(2)
})

test('the check of events finds gaps, duplicates and missing events', () => {
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
    'there are 2 events transaction.succeeded txn_1',
  ])
  expect(checkEvents({ orders: [order()], events: [created] })).toHaveLength(1)
})
