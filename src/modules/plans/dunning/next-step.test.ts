import { expect, test } from 'vitest'
import { attemptFailed, attemptInitiated, attemptWaits, type Decline, tokenReplaced } from './dunning.ts'
import { advance, nextDue } from '../timeline/timeline.ts'
import { type DunningPolicy, type DunningStep, retryNumbers, stepOf } from '#modules/catalogue'
import type { PlanAggregate, PlanOrder } from '../model/plan.ts'
import { at, newAggregate, withNewOrder } from '../testing/plan-aggregates.ts'
import { stepsLeft } from './next-step.ts'

const BERLIN = 'Europe/Berlin'
const CREATED = at('2027-05-10T12:00:00Z')

function policy(rules: Partial<DunningPolicy>): DunningPolicy {
  return {
    id: 'dpo_1',
    name: 'Tries',
    steps: [stepOf({ after_days: 3 }), stepOf({ after_days: 7 })],
    soft: [],
    hard: 'wait',
    newToken: 'retry',
    exhausted: 'uncollectible',
    reminders: [],
    referenceId: null,
    metadata: null,
    createdAt: CREATED,
    updatedAt: CREATED,
    ...rules,
  }
}

/** An order that was created at 14:00 in Berlin on 10 May. */
function unpaid(
  rules: Partial<DunningPolicy>,
  start = CREATED,
): { aggregate: PlanAggregate; orderId: string } {
  const aggregate = newAggregate({
    start,
    zone: BERLIN,
    policy: policy(rules),
    plan: { dunningPolicyId: 'dpo_1' },
  })
  const { aggregate: billed, bill } = advance(aggregate, start)
  if (bill === undefined) throw new Error('nothing is billed')
  return withNewOrder(billed, bill)
}

function local(time: Temporal.Instant | null | undefined): string | undefined {
  return time?.toZonedDateTimeISO(BERLIN).toPlainDateTime().toString({ smallestUnit: 'minute' })
}

const SOFT: Decline = { code: 'card_declined', isHard: false }
const POOR: Decline = { code: 'insufficient_funds', isHard: false }
const STOLEN: Decline = { code: 'stolen_card', isHard: true }

/** Fails attempts at their times, and returns the times and at last the state of the plan. */
function attempts(rules: Partial<DunningPolicy>, declines: readonly Decline[], start = CREATED): string[] {
  const { aggregate, orderId } = unpaid(rules, start)
  let plan = aggregate
  const seen: string[] = []
  let time = start
  for (const decline of [...declines, ...Array.from({ length: 200 }, () => declines.at(-1) ?? SOFT)]) {
    seen.push(local(time) ?? '')
    plan = attemptFailed(attemptInitiated(plan, orderId, 'txn', time), orderId, time, decline)
    const next = plan.orders[0]?.nextAttemptAt
    if (next == null) return [...seen, plan.plan.state]
    time = next
  }
  return seen
}

function stepTimes(steps: readonly DunningStep[], after = CREATED, order: Partial<PlanOrder> = {}) {
  const course = {
    policy: { steps, soft: [] },
    plan: { zone: BERLIN, localTime: Temporal.PlainTime.from('14:00') },
    order: { createdAt: CREATED, attempts: 1, dunning: null, ...order },
    declineCode: null,
    after,
  }
  return stepsLeft(course).map((step) => `${step.number} ${local(step.at)}`)
}

// Proves reference/billing-dunning#steps.
test('steps 3 and 7 days at 09:00, order on 10 May 14:00: attempts 10 May 14:00, 13 May 09:00, 17 May 09:00', () => {
  const steps = [3, 7].map((days) => stepOf({ after_days: days, at_time: '09:00' }))
  expect(attempts({ steps }, [SOFT])).toEqual([
    '2027-05-10T14:00',
    '2027-05-13T09:00',
    '2027-05-17T09:00',
    'uncollectible',
  ])
  expect(retryNumbers(policy({ steps }))).toEqual({ count: 3, dayPeriod: 3 })
})

test('a step without at_time has the time of day of the plan, on both sides of daylight saving', () => {
  const start = at('2027-03-26T01:30:00Z')
  expect(attempts({ steps: [stepOf({ after_days: 2 }), stepOf({ after_days: 3 })] }, [SOFT], start)).toEqual([
    '2027-03-26T02:30',
    // 02:30 does not exist on 28 March.
    '2027-03-28T03:30',
    '2027-03-29T02:30',
    'uncollectible',
  ])
})

test('a day of the month is the next one min_days after the attempt before, and clamps to the end of the month', () => {
  const on = (days: number[], min?: number) =>
    stepOf({ days_of_month: days, at_time: '06:00', ...(min !== undefined && { min_days: min }) })
  expect(stepTimes([on([15, 1]), on([15, 1]), on([31]), on([31])])).toEqual([
    '1 2027-05-15T06:00',
    '2 2027-06-01T06:00',
    '3 2027-06-30T06:00',
    '4 2027-07-31T06:00',
  ])
  expect(stepTimes([on([11], 1)])).toEqual(['1 2027-05-11T06:00'])
  expect(stepTimes([on([11], 2)])).toEqual(['1 2027-06-11T06:00'])
  expect(stepTimes([on([29, 30, 31])], at('2027-01-31T12:00:00Z'))).toEqual(['1 2027-02-28T06:00'])
  expect(retryNumbers(policy({ steps: [on([29], 5)] }))).toEqual({ count: 2, dayPeriod: 5 })
})

test('a step that is past when it is its turn is skipped', () => {
  const steps = [1, 2, 3].map((days) => stepOf({ after_days: days }))
  expect(stepTimes(steps, at('2027-05-12T12:00:00Z'), { attempts: 2 })).toEqual(['3 2027-05-13T14:00'])
  expect(stepTimes(steps, at('2027-05-20T12:00:00Z'), { attempts: 2 })).toEqual([])
})

test('after an edit of a policy the number of a step is the number of attempts made', () => {
  const steps = [5, 8, 9].map((days) => stepOf({ after_days: days }))
  expect(stepTimes(steps, at('2027-05-13T12:00:00Z'), { attempts: 2 })[0]).toBe('2 2027-05-18T14:00')
})

// Proves reference/billing-dunning#soft.
test('the code of the last decline chooses other steps, past ones are skipped, and used up means exhausted', () => {
  const rules: Partial<DunningPolicy> = {
    steps: [stepOf({ after_days: 3 }), stepOf({ after_days: 7 }), stepOf({ after_days: 9 })],
    soft: [
      { declineCodes: ['insufficient_funds'], steps: [stepOf({ after_days: 1 }), stepOf({ after_days: 5 })] },
    ],
  }
  expect(attempts(rules, [POOR])).toEqual([
    '2027-05-10T14:00',
    '2027-05-11T14:00',
    '2027-05-15T14:00',
    'uncollectible',
  ])
  expect(attempts(rules, [SOFT, POOR])).toEqual([
    '2027-05-10T14:00',
    '2027-05-13T14:00',
    '2027-05-15T14:00',
    'uncollectible',
  ])
  // The third step of the policy follows the third attempt.
  expect(attempts(rules, [POOR, POOR, SOFT])).toEqual([
    '2027-05-10T14:00',
    '2027-05-11T14:00',
    '2027-05-15T14:00',
    '2027-05-19T14:00',
    'uncollectible',
  ])
})

test('soft steps on days of the month are counted from the decline that chose them', () => {
  const payday = stepOf({ days_of_month: [15] })
  const rules = { soft: [{ declineCodes: ['insufficient_funds'], steps: [payday, payday] }] }
  expect(attempts(rules, [SOFT, POOR])).toEqual([
    '2027-05-10T14:00',
    '2027-05-13T14:00',
    '2027-05-15T14:00',
    '2027-06-15T14:00',
    'uncollectible',
  ])
})

test('codes that alternate between groups of soft steps end after 100 attempts', () => {
  const monthly = [stepOf({ days_of_month: [1] })]
  const soft = [
    { declineCodes: ['insufficient_funds'], steps: monthly },
    { declineCodes: ['card_declined'], steps: monthly },
  ]
  const alternating = Array.from({ length: 150 }, (_, index) => (index % 2 === 0 ? POOR : SOFT))
  expect(attempts({ soft }, alternating)).toHaveLength(101)
})

// Proves reference/billing-dunning#hard.
test('after a hard decline the order waits for another token until the time of the last step', () => {
  const { aggregate, orderId } = unpaid({})
  let plan = attemptFailed(attemptInitiated(aggregate, orderId, 'txn', CREATED), orderId, CREATED, STOLEN)
  expect([plan.plan.state, local(nextDue(plan)?.at)]).toEqual(['past_due', '2027-05-17T14:00'])
  const last = nextDue(plan)?.at ?? CREATED
  plan = attemptWaits(plan, orderId, last)
  expect([plan.plan.state, plan.orders[0]?.attempts]).toEqual(['uncollectible', 1])
  expect(attempts({ hard: 'step' }, [STOLEN])).toEqual([
    '2027-05-10T14:00',
    '2027-05-13T14:00',
    '2027-05-17T14:00',
    'uncollectible',
  ])
})

// Proves reference/billing-dunning#new-token.
test('another token makes the next attempt at once, and later steps keep their times', () => {
  const early = at('2027-05-11T07:00:00Z')
  const next = (rules: Partial<DunningPolicy>, decline: Decline, replacedAt = early) => {
    const { aggregate, orderId } = unpaid(rules)
    const failed = attemptFailed(
      attemptInitiated(aggregate, orderId, 'txn', CREATED),
      orderId,
      CREATED,
      decline,
    )
    const replaced = tokenReplaced(failed, orderId, replacedAt)
    const due = replaced.orders[0]?.nextAttemptAt ?? CREATED
    const again = attemptFailed(attemptInitiated(replaced, orderId, 'txn', due), orderId, due, SOFT)
    return [local(due), local(again.orders[0]?.nextAttemptAt)]
  }
  const paydays = [stepOf({ days_of_month: [15, 1] }), stepOf({ days_of_month: [15, 1] })]
  expect(next({}, SOFT)).toEqual(['2027-05-11T09:00', '2027-05-17T14:00'])
  expect(next({ steps: paydays }, SOFT)).toEqual(['2027-05-11T09:00', '2027-06-01T14:00'])
  expect(next({}, STOLEN)).toEqual(['2027-05-11T09:00', '2027-05-17T14:00'])
  expect(next({ newToken: 'wait' }, SOFT)).toEqual(['2027-05-13T14:00', '2027-05-17T14:00'])
  expect(next({ newToken: 'wait' }, STOLEN)).toEqual(['2027-05-13T14:00', '2027-05-17T14:00'])
  expect(next({ newToken: 'wait' }, STOLEN, at('2027-05-14T07:00:00Z'))).toEqual([
    '2027-05-17T14:00',
    undefined,
  ])
})

test('exhausted: cancel cancels the plan, and grace begins', () => {
  const steps = [stepOf({ after_days: 1 })]
  expect(attempts({ steps, exhausted: 'cancel' }, [SOFT])).toEqual([
    '2027-05-10T14:00',
    '2027-05-11T14:00',
    'canceled',
  ])
})
