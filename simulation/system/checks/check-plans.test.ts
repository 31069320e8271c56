import { expect, test } from 'vitest'
import type { PlanLife } from '../plan/draw-plans.ts'
import type { ApiPlan, ExpectedPlan } from './accounts.ts'
import type { ApiOrder, ApiTransaction } from '../../acquirers/api-order.ts'
import { checkPlans } from './check-plans.ts'

const START = Temporal.Instant.from('2031-01-31T02:00:00Z')
const SECOND = Temporal.Instant.from('2031-02-28T02:00:00Z')

const LIFE: PlanLife = {
  name: 'plan',
  atMs: 0,
  card: 'approves',
  priceIndex: 1,
  frequency: 'MONTHLY',
  startsAfterMinutes: 60,
  billingCount: null,
  gracePeriod: null,
  coupons: [],
}

const EXPECTED: ExpectedPlan = {
  life: LIFE,
  periods: [START, SECOND].map((dueAt) => ({ dueAt, totalMinor: 15_050n })),
  changes: [],
  givenBackMinor: 0n,
  maxGivenBackMinor: 0n,
  voided: new Set(),
  overpaid: new Map(),
  isExact: true,
  couponUses: new Map(),
  states: ['active'],
  hasNewCard: false,
  leftUnpaid: undefined,
  timeOfDay: Temporal.PlainTime.from('10:00'),
  isUndecided: false,
}

function transaction(changes: Partial<ApiTransaction> = {}): ApiTransaction {
  return {
    type: 'Sales',
    uuid: 'txn_1',
    currency: 'HKD',
    amount: 150.5,
    success: true,
    is_pending: false,
    void_is_pending: false,
    created_at: START.toString(),
    payment_data: { transaction_state: 'succeeded' },
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
    transactions: [transaction()],
    ...changes,
  }
}

const FIRST = order()
const OTHER = order({ number: 'ord_2', reference_number: 'plan-2', created_at: SECOND.toString() })

function check(
  orders: readonly ApiOrder[],
  changes: Partial<ExpectedPlan> = {},
  plan: Partial<ApiPlan> = {},
): string {
  const periods = orders.filter(({ billing }) => billing?.kind !== 'change').length
  const shown: ApiPlan = {
    id: 'pln_1',
    reference_number: 'plan',
    state: 'active',
    recurring_cycles: [{ billing_count_created: periods }],
    ...plan,
  }
  return checkPlans({ orders, plans: [shown] }, [{ ...EXPECTED, ...changes }], ['cpn_0', 'cpn_1']).join('\n')
}

test('accepts a plan whose orders were created once, on time, and paid', () => {
  expect(check([FIRST, OTHER])).toBe('')
  expect(check([FIRST, OTHER], { states: ['completed'] }, { state: 'completed' })).toBe('')
})

test('finds missing, misnumbered, early, late, unpaid, wrong and superfluous orders', () => {
  expect(check([FIRST])).toContain('has 1 orders, expected 2')
  expect(check([FIRST, { ...OTHER, reference_number: 'plan-3' }])).toContain('has the reference plan-3')
  expect(check([FIRST, { ...OTHER, created_at: '2031-02-28T01:59:59Z' }])).toContain('was due at')
  expect(check([FIRST, { ...OTHER, created_at: '2031-03-01T02:00:00Z' }])).toContain('was due at')
  expect(check([FIRST, { ...OTHER, state: 'open', paid_total: '0.00' }])).toContain(
    'is open, expected completed',
  )
  expect(check([FIRST, { ...OTHER, initial_total: 150 }])).toContain('is 150.00, expected 150.50')
  expect(check([FIRST, OTHER, { ...OTHER, reference_number: 'plan-3' }])).toContain('should not exist')
  expect(check([FIRST, OTHER], {}, { state: 'past_due' })).toContain('the plan is past_due, expected active')
  const declined = { ...OTHER, state: 'open', paid_total: '0.00', initial_total: 80.26 }
  const isDeclined = { periods: [...EXPECTED.periods.slice(0, 1), { dueAt: SECOND, totalMinor: 8_026n }] }
  expect(check([FIRST, declined], isDeclined, { state: 'past_due' })).toBe('')
})

test('expects a plan whose card declines to become uncollectible, and its orders to be voided after the grace period', () => {
  const failed = order({ state: 'voided', paid_total: '0.00', transactions: [] })
  const declines = { life: { ...LIFE, card: 'declines', gracePeriod: 3 }, states: ['uncollectible'] } as const
  const uncollectible = { state: 'uncollectible' }
  expect(check([failed], declines, uncollectible)).toBe('')
  expect(check([failed], declines)).toContain('the plan is active, expected uncollectible')
  expect(check([order()], declines, uncollectible)).toContain('has 150.50 paid, expected 0.00')
  const withoutGrace = { ...declines, life: { ...declines.life, gracePeriod: null } }
  expect(check([failed], withoutGrace, uncollectible)).toContain('is voided, expected open')
})

test('expects what a note made overpaid not to be owed once the transfer is returned', () => {
  const invoicing = { series: 'yearly', isTaxed: true, addsTax: false, isSent: true } as const
  const noted = { kind: 'period', credited_total: 50.5 } as const
  const withNote = {
    life: { ...LIFE, invoicing },
    overpaid: new Map([['ord_2', 5_050n]]),
    givenBackMinor: 5_050n,
  }
  const byTransfer = { acquirer_type: 'bank', transaction_state: 'succeeded' } as const
  const transfer = transaction({ uuid: 'txn_2', payment_data: byTransfer })
  const first = order({ transactions: [transfer] })
  const paid = order({ ...OTHER, billing: noted, transactions: [transfer] })
  const states = (changes: Partial<ApiOrder>) => check([first, { ...paid, ...changes }], withNote)
  expect(states({})).not.toContain('expected open')
  const returned = { paid_total: '0.00', transactions: [] }
  expect(states({ ...returned, state: 'open' })).not.toContain('is open')
  expect(states({ ...returned, state: 'completed' })).toContain('is completed, expected open')
  const whole = { ...returned, billing: { ...noted, credited_total: 150.5 } }
  const ofWhole = { ...withNote, overpaid: new Map([['ord_2', 15_050n]]) }
  expect(check([first, { ...paid, ...whole, state: 'completed' }], ofWhole)).not.toContain('is completed')
  expect(check([first, { ...paid, ...whole, state: 'open' }], ofWhole)).toContain(
    'is open, expected completed',
  )
})

test('finds a change that billed something else, an order of no change, and what was given back twice or not at all', () => {
  const changed = order({
    number: 'ord_3',
    reference_number: 'plan-3',
    billing: { kind: 'change', credited_total: 0 },
  })
  const orders = [FIRST, OTHER, changed]
  const changes = [{ order: 'ord_3', totalMinor: 15_050n, maxMinor: 15_050n }]
  expect(check(orders, { changes })).toBe('')
  expect(check(orders)).toContain('ord_3 belongs to no change')
  const more = { order: 'ord_3', totalMinor: 15_051n, maxMinor: 15_053n }
  expect(check(orders, { changes: [more] })).toContain('expected 150.51 to 150.53')
  expect(check([FIRST, OTHER], { changes })).toContain('a change made order ord_3 of undefined')
  const refund = transaction({ type: 'Refund', amount: -20 })
  const refunded = { ...FIRST, transactions: [transaction(), refund] }
  const canceled = {
    givenBackMinor: 2_000n,
    maxGivenBackMinor: 2_000n,
    leftUnpaid: { at: SECOND, periods: 2 },
    states: ['canceled'],
  }
  expect(check([refunded, OTHER], canceled, { state: 'canceled' })).toBe('')
  const twice = { ...FIRST, transactions: [transaction(), refund, refund] }
  expect(check([twice, OTHER], canceled, { state: 'canceled' })).toContain('40.00 were given back')
  expect(check([FIRST, OTHER], canceled, { state: 'canceled' })).toContain('0.00 were given back')
})

test('finds a coupon that lowered another number of periods, or is gone before it is used up', () => {
  const couponUses = new Map([[0, 1]])
  const coupons = [{ id: 'cpn_0', periods_lowered: 1 }]
  expect(check([FIRST, OTHER], { couponUses }, { coupons })).toBe('')
  expect(check([FIRST, OTHER], { couponUses: new Map([[0, 2]]) }, { coupons })).toContain('expected 2')
  expect(check([FIRST, OTHER], { couponUses: new Map([[0, 2]]) })).toBe('')
  expect(check([FIRST, OTHER], { couponUses })).toContain('coupon 0 is missing')
})

test('finds attempts before the step of a policy, after its last step, and after a cancellation', () => {
  const attempt = (at: string, code: string) =>
    transaction({
      uuid: at,
      success: false,
      created_at: at,
      decline_code: code,
      payment_data: { transaction_state: 'failed' },
    })
  const found = (...attempts: readonly (readonly [string, string])[]) => {
    const transactions = attempts.map(([at, code]) => attempt(at, code))
    const life = { ...LIFE, card: 'declines', policy: 1 } as const
    const failed = order({ state: 'open', paid_total: '0.00', transactions })
    return check([failed], { life, states: ['uncollectible'] }, { state: 'uncollectible' })
  }
  const soft = ['2031-02-01T15:30:00Z', 'card_declined'] as const
  const first = ['2031-01-31T02:00:00Z', 'card_declined'] as const
  expect(found(first, soft, ['2031-02-02T02:00:00Z', 'card_declined'])).toBe('')
  expect(found(first, ['2031-02-01T15:29:00Z', 'card_declined'])).toContain('due 2031-02-01T15:30:00Z')
  expect(found(first, ['2031-02-02T02:00:00Z', 'card_declined'], ['2031-02-03T02:00:00Z', 'x'])).toContain(
    'due never',
  )
  const late = order({ transactions: [transaction({ created_at: '2031-02-09T00:00:00Z' })] })
  const canceled = { states: ['canceled'], leftUnpaid: { at: SECOND, periods: 2 } }
  expect(check([late, OTHER], canceled, { state: 'canceled' })).toBe('')
  const early = { ...canceled, leftUnpaid: { at: START, periods: 1 } }
  expect(check([late, OTHER], early, { state: 'canceled' })).toContain('after its plan was canceled')
  const atOnce = { leftUnpaid: { at: START, periods: 0 } }
  expect(check([late, OTHER], atOnce), 'reactivated at the time of its cancellation').toBe('')
})
