import { expect, test } from 'vitest'
import type { BillingConfig } from '#kernel/billing-config'
import { cancel, pause, resume } from './decide-lifecycle.ts'
import type { NewTrial } from '../model/plan-requests.ts'
import { readTrial } from '../plan/read-lifecycle.ts'
import { withTrialEnd } from './move-trial.ts'
import { at, MONTHLY, newAggregate } from '../testing/plan-aggregates.ts'
import { PlanSimulation } from '../testing/plan-simulation.ts'

// Proves reference/billing-lifecycle#trials.

const YEARLY: BillingConfig = { ...MONTHLY, billing_interval: 'year' }

interface Given {
  readonly start: string
  readonly trial: NewTrial
  readonly zone?: string
  readonly config?: BillingConfig
}

function planOf({ start, trial, zone = 'UTC', config = MONTHLY }: Given): PlanSimulation {
  const startAt = at(start)
  const localTime = startAt.toZonedDateTimeISO(zone).toPlainTime()
  const plan = readTrial(trial, { startAt, localTime, zone })
  return new PlanSimulation(newAggregate({ start: startAt, zone, cycles: [{ config }], plan }))
}

function ordersOf(given: Given, until: string): string[] {
  const plan = planOf(given)
  plan.runUntil(at(until))
  return plan.times('order')
}

test.each<readonly [string, Given, string, readonly string[]]>([
  [
    '14 days from 31 January',
    { start: '2027-01-31T10:00:00Z', trial: { days: 14 } },
    '2027-03-31T00:00:00Z',
    ['2027-02-14T10:00:00Z', '2027-03-14T10:00:00Z'],
  ],
  [
    'a trial that ends on 31 January anchors at the ends of months',
    { start: '2027-01-17T10:00:00Z', trial: { days: 14 } },
    '2027-04-01T00:00:00Z',
    ['2027-01-31T10:00:00Z', '2027-02-28T10:00:00Z', '2027-03-31T10:00:00Z'],
  ],
  [
    'a trial that ends on a leap day',
    { start: '2028-02-15T10:00:00Z', trial: { days: 14 }, config: YEARLY },
    '2032-03-01T00:00:00Z',
    [
      '2028-02-29T10:00:00Z', '2029-02-28T10:00:00Z', '2030-02-28T10:00:00Z', '2031-02-28T10:00:00Z',
      '2032-02-29T10:00:00Z',
    ],
  ],
  [
    'Berlin, at an hour that daylight saving skips',
    { start: '2027-03-20T01:30:00Z', trial: { days: 8 }, zone: 'Europe/Berlin' },
    '2027-05-01T00:00:00Z',
    ['2027-03-28T01:30:00Z', '2027-04-28T00:30:00Z'],
  ],
  [
    'New York, at an hour that daylight saving repeats',
    { start: '2027-10-31T05:30:00Z', trial: { days: 7 }, zone: 'America/New_York' },
    '2027-12-08T00:00:00Z',
    ['2027-11-07T05:30:00Z', '2027-12-07T06:30:00Z'],
  ],
  [
    'Lord Howe, where daylight saving is half an hour',
    { start: '2027-03-27T14:45:00Z', trial: { days: 7 }, zone: 'Australia/Lord_Howe' },
    '2027-05-05T00:00:00Z',
    ['2027-04-03T14:45:00Z', '2027-05-03T15:15:00Z'],
  ],
  [
    'a date ends at its 00:00, which is then the time of all orders',
    { start: '2027-01-10T10:00:00Z', trial: { until: '2027-02-01' }, zone: 'Asia/Hong_Kong' },
    '2027-03-02T00:00:00Z',
    ['2027-01-31T16:00:00Z', '2027-02-28T16:00:00Z'],
  ],
  [
    'a time is the time of all orders',
    { start: '2027-01-10T10:00:00Z', trial: { until: '2027-01-12T08:15:00Z' } },
    '2027-03-01T00:00:00Z',
    ['2027-01-12T08:15:00Z', '2027-02-12T08:15:00Z'],
  ],
  [
    'the 1st of a calendar config after the end',
    {
      start: '2027-01-10T10:00:00Z',
      trial: { days: 10 },
      config: { ...MONTHLY, billing_type: 'calendar', billing_day_of_month: 1 },
    },
    '2027-03-02T00:00:00Z',
    ['2027-02-01T10:00:00Z', '2027-03-01T10:00:00Z'],
  ],
])('the first order comes at the end of the trial: %s', (_name, given, until, expected) => {
  expect(ordersOf(given, until)).toEqual(expected)
}) // prettier-ignore

const FORTNIGHT: Given = { start: '2027-01-01T10:00:00Z', trial: { days: 14 } }

function datedEvents(plan: PlanSimulation): string[] {
  return plan.events.map((event) => `${event.at.slice(0, 10)} ${event.what}`)
}

test('the end is announced three days before, and the first period begins with it', () => {
  const plan = planOf(FORTNIGHT)
  expect(plan.state).toBe('upcoming')
  plan.runUntil(at('2027-01-16T00:00:00Z'))
  expect(datedEvents(plan)).toEqual([
    '2027-01-12 plan.trial_will_end',
    '2027-01-15 plan.trial_ended',
    '2027-01-15 cycle.activated 0',
    '2027-01-15 order 1',
    '2027-01-15 paid 1',
  ])
  expect(plan.aggregate.plan.trial?.state).toBe('converted')
})

test.each([
  ['shorter than the notice', { days: 2 }, ['2027-01-01']],
  ['with a notice of a week', { days: 14, notice_days: 7 }, ['2027-01-08']],
  ['without a notice', { days: 14, notice_days: 0 }, []],
])('a trial %s is announced on %j', (_name, trial, days) => {
  const plan = planOf({ ...FORTNIGHT, trial })
  plan.runUntil(at('2027-02-01T00:00:00Z'))
  expect(plan.times('plan.trial_will_end').map((time) => time.slice(0, 10))).toEqual(days)
})

test.each([
  ['cancel', 'canceled', ['2027-01-15 plan.trial_ended', '2027-01-15 plan.canceled']],
  ['pause', 'paused', ['2027-01-15 plan.trial_ended', '2027-01-15 plan.paused']],
  ['bill', 'active', ['2027-01-15 plan.trial_ended', '2027-01-15 cycle.activated 0', '2027-01-15 order 1', '2027-01-15 paid 1']],
] as const)('without a token at the end a trial with %s leaves the plan %s', (rule, state, expected) => {
  const plan = planOf({ ...FORTNIGHT, trial: { days: 14, without_token: rule, notice_days: 0 } })
  plan.mayCharge = false
  plan.runUntil(at('2027-01-20T00:00:00Z'))
  expect(plan.state).toBe(state)
  expect(datedEvents(plan)).toEqual(expected)
}) // prettier-ignore

test.each(['without a token', 'by hand before its end'])(
  'a trial that was paused %s begins its first period at the resumption',
  (why) => {
    const plan = planOf({ ...FORTNIGHT, trial: { days: 14, without_token: 'pause', notice_days: 0 } })
    if (why === 'without a token') plan.mayCharge = false
    else {
      plan.runUntil(at('2027-01-10T00:00:00Z'))
      plan.update(pause(plan.aggregate, plan.now))
    }
    plan.runUntil(at('2027-01-20T08:00:00Z'))
    expect(plan.state).toBe('paused')
    plan.update(resume(plan.aggregate, plan.now))
    plan.runUntil(at('2027-03-01T00:00:00Z'))
    expect(plan.times('order')).toEqual(['2027-01-20T08:00:00Z', '2027-02-20T08:00:00Z'])
    expect(plan.times('plan.trial_ended')).toEqual(['2027-01-15T10:00:00Z'])
  },
)

test('a trial whose pause ends before it goes on to its end, and one whose pause ends with it is billed then', () => {
  for (const until of ['2027-01-12T00:00:00Z', '2027-01-15T10:00:00Z']) {
    const plan = planOf(FORTNIGHT)
    plan.runUntil(at('2027-01-10T00:00:00Z'))
    plan.update(pause(plan.aggregate, plan.now, at(until)))
    plan.runUntil(at('2027-02-01T00:00:00Z'))
    expect(plan.times('order')).toEqual(['2027-01-15T10:00:00Z'])
    expect(plan.times('plan.resumed')).toEqual([until])
  }
})

test('a plan that is canceled during its trial ends with it, or at once, without an order', () => {
  const later = planOf(FORTNIGHT)
  later.runUntil(at('2027-01-10T00:00:00Z'))
  later.update(cancel(later.aggregate, later.now, true))
  expect(later.aggregate.plan.cancelAt?.toString()).toBe('2027-01-15T10:00:00Z')
  later.runUntil(at('2027-02-01T00:00:00Z'))
  expect(later.times('plan.canceled')).toEqual(['2027-01-15T10:00:00Z'])
  expect([later.times('order'), later.aggregate.plan.trial?.state]).toEqual([[], 'canceled'])
  const now = planOf(FORTNIGHT)
  now.runUntil(at('2027-01-10T00:00:00Z'))
  now.update(cancel(now.aggregate, now.now, false))
  expect([now.state, now.aggregate.plan.trial?.state]).toEqual(['canceled', 'canceled'])
})

test('the end of a trial moves with its announcement and its cancellation', () => {
  const plan = planOf(FORTNIGHT)
  plan.runUntil(at('2027-01-13T00:00:00Z'))
  plan.update(cancel(plan.aggregate, plan.now, true))
  plan.update(withTrialEnd(plan.aggregate, '2027-01-25T12:00:00Z', plan.now))
  expect(plan.aggregate.plan.cancelAt?.toString()).toBe('2027-01-25T12:00:00Z')
  plan.runUntil(at('2027-01-30T00:00:00Z'))
  expect(plan.times('plan.trial_will_end')).toEqual(['2027-01-12T10:00:00Z', '2027-01-22T12:00:00Z'])
  expect(plan.times('plan.canceled')).toEqual(['2027-01-25T12:00:00Z'])
})

test('an end that is not after now ends the trial at once, and the first order anchors there', () => {
  for (const until of ['2027-01-10T16:30:00Z', '2027-01-05']) {
    const plan = planOf(FORTNIGHT)
    plan.runUntil(at('2027-01-10T16:30:00Z'))
    plan.update(withTrialEnd(plan.aggregate, until, plan.now))
    plan.runUntil(at('2027-02-11T00:00:00Z'))
    expect(plan.times('order')).toEqual(['2027-01-10T16:30:00Z', '2027-02-10T16:30:00Z'])
    expect(plan.times('plan.trial_will_end')).toEqual([])
  }
})

test('a trial that has not begun can leave nothing before the start', () => {
  const plan = planOf(FORTNIGHT)
  plan.update(withTrialEnd(plan.aggregate, '2026-12-25', at('2026-12-20T00:00:00Z')))
  plan.runUntil(at('2027-01-02T00:00:00Z'))
  expect(plan.times('order')).toEqual(['2027-01-01T10:00:00Z'])
})
