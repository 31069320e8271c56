import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Instant, isAfter } from '#kernel/clock'
import { decimal } from '#kernel/decimal'
import { accepted } from '../errors.ts'
import { cancel, pause, resume } from '../lifecycle/decide-lifecycle.ts'
import { billLines } from '../amounts/order-lines.ts'
import { at, HKD, newAggregate, MONTHLY } from '../testing/plan-aggregates.ts'
import { PlanSimulation } from '../testing/plan-simulation.ts'
import { advance, cycleTimes, nextExecuteAt } from './timeline.ts'

const CALENDAR = { ...MONTHLY, billing_type: 'calendar', billing_day_of_month: 15 } as const

// Proves reference/recurring#billing-dates, reference/recurring#proration, reference/recurring#cycles, reference/recurring#pause, reference/recurring#cancel.
test('killbill 127: a plan that starts on 31 January bills on the last day of every month, leap years included', () => {
  const simulation = new PlanSimulation(newAggregate({ start: at('2027-01-31T02:00:00Z') }))
  simulation.runUntil(at('2028-12-31T03:00:00Z'))
  expect(simulation.times('order').map((time) => time.slice(0, 10))).toEqual([
    '2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30', '2027-07-31', '2027-08-31',
    '2027-09-30', '2027-10-31', '2027-11-30', '2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30',
    '2028-05-31', '2028-06-30', '2028-07-31', '2028-08-31', '2028-09-30', '2028-10-31', '2028-11-30', '2028-12-31',
  ]) // prettier-ignore
})

test('a following cycle keeps the anchor if it has the same unit, and otherwise anchors at its own start', () => {
  const simulation = new PlanSimulation(
    newAggregate({
      start: at('2027-01-31T02:00:00Z'),
      cycles: [
        { billingCount: 1 },
        { billingCount: 2 },
        { config: { ...MONTHLY, billing_interval: 'week' }, billingCount: 2 },
        {},
      ],
    }),
  )
  simulation.runUntil(at('2027-07-01T00:00:00Z'))
  expect(simulation.times('order').map((time) => time.slice(0, 10))).toEqual([
    '2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-07', '2027-05-14', '2027-06-14',
  ]) // prettier-ignore
})

test('each of three phases starts where the previous one ends and is completed', () => {
  const free = { type: 'percentage', rate: decimal('100') } as const
  const simulation = new PlanSimulation(
    newAggregate({
      start: at('2027-01-10T02:00:00Z'),
      cycles: [{ billingCount: 1, discount: free }, { billingCount: 2 }, { billingCount: null }],
    }),
  )
  simulation.runUntil(at('2027-04-11T00:00:00Z'))
  expect(simulation.events.filter(({ what }) => what.startsWith('cycle'))).toEqual([
    { at: '2027-01-10T02:00:00Z', what: 'cycle.activated 0' },
    { at: '2027-02-10T02:00:00Z', what: 'cycle.completed 0' },
    { at: '2027-02-10T02:00:00Z', what: 'cycle.activated 1' },
    { at: '2027-04-10T02:00:00Z', what: 'cycle.completed 1' },
    { at: '2027-04-10T02:00:00Z', what: 'cycle.activated 2' },
  ])
  expect(simulation.state).toBe('active')
  expect(simulation.aggregate.cycles.map(({ ordersCreated }) => ordersCreated)).toEqual([1, 2, 1])
})

test('a plan is completed at the end of its last period', () => {
  const simulation = new PlanSimulation(
    newAggregate({ start: at('2027-01-10T02:00:00Z'), cycles: [{ billingCount: 2 }] }),
  )
  simulation.runUntil(at('2027-03-10T01:59:59Z'))
  expect(simulation.state).toBe('active')
  expect(nextExecuteAt(simulation.aggregate)).toBeNull()
  simulation.runUntil(at('2027-03-10T02:00:00Z'))
  expect(simulation.state).toBe('completed')
  expect(simulation.aggregate.cycles[0]?.endAt?.toString()).toBe('2027-03-10T02:00:00Z')
})

test('a prorated calendar cycle bills the days before its first date as one of its orders', () => {
  const aggregate = newAggregate({
    start: at('2027-01-20T02:00:00Z'),
    cycles: [{ config: { ...CALENDAR, billing_proration_enabled: true }, billingCount: 2 }],
  })
  const { bill } = advance(aggregate, at('2027-01-20T02:00:00Z'))
  expect(bill?.stub).toEqual({ days: 26, periodDays: 31 })
  const stubbed = billLines({
    items: [{ label: 'Gold', price: HKD('310.00'), quantity: 1, billed: { kind: 'item' } }],
    discount: null,
    stub: bill?.stub,
    credit: HKD('0'),
  })
  expect(stubbed.total.toString()).toBe('260.00')
  const simulation = new PlanSimulation(aggregate)
  simulation.runUntil(at('2028-01-01T00:00:00Z'))
  expect(simulation.times('order')).toEqual(['2027-01-20T02:00:00Z', '2027-02-15T02:00:00Z'])
  expect(simulation.times('cycle.completed')).toEqual(['2027-03-15T02:00:00Z'])
})

test('a calendar cycle without proration is active from its start and bills first on the calendar date', () => {
  const simulation = new PlanSimulation(
    newAggregate({ start: at('2027-01-20T02:00:00Z'), cycles: [{ config: CALENDAR, billingCount: 2 }] }),
  )
  simulation.runUntil(at('2027-01-21T00:00:00Z'))
  expect(simulation.state).toBe('active')
  expect(simulation.times('order')).toEqual([])
  expect(nextExecuteAt(simulation.aggregate)?.toString()).toBe('2027-02-15T02:00:00Z')
  // `cycle.activated` was recorded at the start, so a resume must not repeat it.
  simulation.update(pause(simulation.aggregate, simulation.now))
  simulation.update(resume(simulation.aggregate, simulation.now))
  simulation.runUntil(at('2028-01-01T00:00:00Z'))
  expect(simulation.times('cycle.activated')).toEqual(['2027-01-20T02:00:00Z'])
  expect(simulation.times('order')).toEqual(['2027-02-15T02:00:00Z', '2027-03-15T02:00:00Z'])
  expect(simulation.times('cycle.completed')).toEqual(['2027-04-15T02:00:00Z'])
})

test('orders keep their local time of day across daylight saving and skipped hours', () => {
  const simulation = new PlanSimulation(
    newAggregate({
      start: at('2027-03-12T07:30:00Z'),
      zone: 'America/New_York',
      cycles: [{ config: { ...MONTHLY, billing_interval: 'day' } }],
    }),
  )
  simulation.runUntil(at('2027-03-16T00:00:00Z'))
  // 02:30 does not exist on 14 March. With the offset before the gap it means 03:30.
  expect(simulation.times('order')).toEqual([
    '2027-03-12T07:30:00Z', '2027-03-13T07:30:00Z', '2027-03-14T07:30:00Z', '2027-03-15T06:30:00Z',
  ]) // prettier-ignore
})

test('periods that began during a pause are neither billed nor counted, and the next one bills on its original date', () => {
  const simulation = new PlanSimulation(
    newAggregate({ start: at('2027-01-31T02:00:00Z'), cycles: [{ billingCount: 3 }] }),
  )
  simulation.runUntil(at('2027-02-10T00:00:00Z'))
  simulation.update(pause(simulation.aggregate, simulation.now))
  simulation.runUntil(at('2027-04-10T00:00:00Z'))
  simulation.update(resume(simulation.aggregate, simulation.now))
  simulation.runUntil(at('2028-01-01T00:00:00Z'))
  expect(simulation.times('order').map((time) => time.slice(0, 10))).toEqual([
    '2027-01-31',
    '2027-04-30',
    '2027-05-31',
  ])
  expect(simulation.times('cycle.completed').map((time) => time.slice(0, 10))).toEqual(['2027-06-30'])
})

test('a plan whose orders are all paid is completed at the end of its last period even while it is paused', () => {
  const simulation = new PlanSimulation(
    newAggregate({ start: at('2027-01-10T02:00:00Z'), cycles: [{ billingCount: 1 }] }),
  )
  simulation.runUntil(at('2027-01-20T00:00:00Z'))
  simulation.update(pause(simulation.aggregate, simulation.now))
  simulation.runUntil(at('2027-03-01T00:00:00Z'))
  expect(simulation.times('cycle.completed')).toEqual(['2027-02-10T02:00:00Z'])
  expect(simulation.state).toBe('completed')
  expect(() => simulation.update(resume(simulation.aggregate, simulation.now))).toThrow(
    'The plan is completed.',
  )
})

test('a cycle that starts during a pause is paused, and is activated when the plan resumes', () => {
  const simulation = new PlanSimulation(
    newAggregate({ start: at('2027-01-10T02:00:00Z'), cycles: [{ billingCount: 1 }, { billingCount: 1 }] }),
  )
  simulation.runUntil(at('2027-01-20T00:00:00Z'))
  simulation.update(pause(simulation.aggregate, simulation.now))
  simulation.runUntil(at('2027-03-01T00:00:00Z'))
  expect(simulation.times('cycle.completed 0')).toEqual(['2027-02-10T02:00:00Z'])
  expect(simulation.aggregate.cycles.map(({ state }) => state)).toEqual(['completed', 'paused'])
  simulation.update(resume(simulation.aggregate, simulation.now))
  simulation.runUntil(at('2027-05-01T00:00:00Z'))
  expect(simulation.times('cycle.activated 1')).toEqual(['2027-03-01T00:00:00Z'])
  expect(simulation.times('order')).toEqual(['2027-01-10T02:00:00Z', '2027-03-10T02:00:00Z'])
  expect(simulation.times('cycle.completed 1')).toEqual(['2027-04-10T02:00:00Z'])
})

test('a cycle that ends unpaid during a pause is past due when the plan resumes, and completed once it is paid', () => {
  const simulation = new PlanSimulation(
    newAggregate({ start: at('2027-01-10T02:00:00Z'), cycles: [{ billingCount: 1 }] }),
    (_suffix, attempt) => (attempt === 1 ? 'decline' : 'approve'),
  )
  simulation.runUntil(at('2027-01-11T00:00:00Z'))
  simulation.update(pause(simulation.aggregate, simulation.now))
  simulation.runUntil(at('2027-03-01T00:00:00Z'))
  expect(simulation.state).toBe('paused')
  expect(simulation.aggregate.cycles[0]?.endAt?.toString()).toBe('2027-02-10T02:00:00Z')
  simulation.update(resume(simulation.aggregate, simulation.now))
  expect(simulation.state).toBe('past_due')
  simulation.runUntil(at('2027-03-01T00:00:00Z'))
  expect(simulation.times('cycle.completed')).toEqual(['2027-03-01T00:00:00Z'])
})

test('a plan that was paused before its start keeps its billing dates when it resumes', () => {
  const simulation = new PlanSimulation(
    newAggregate({ start: at('2027-01-10T02:00:00Z'), plan: { createdAt: at('2027-01-01T00:00:00Z') } }),
  )
  simulation.update(pause(simulation.aggregate, simulation.now))
  simulation.runUntil(at('2027-02-01T00:00:00Z'))
  simulation.update(resume(simulation.aggregate, simulation.now))
  expect(simulation.state).toBe('active')
  simulation.runUntil(at('2027-02-11T00:00:00Z'))
  expect(simulation.times('order')).toEqual(['2027-02-10T02:00:00Z'])
})

test('a pause also skips a period that was due before and is not billed yet', () => {
  const simulation = new PlanSimulation(newAggregate({ start: at('2027-01-10T02:00:00Z') }))
  simulation.now = at('2027-01-10T02:00:00.086Z')
  simulation.update(pause(simulation.aggregate, simulation.now))
  simulation.runUntil(at('2027-03-20T00:00:00Z'))
  simulation.update(resume(simulation.aggregate, simulation.now))
  expect(nextExecuteAt(simulation.aggregate)?.toString()).toBe('2027-04-10T02:00:00Z')
  simulation.runUntil(at('2027-04-11T00:00:00Z'))
  expect(simulation.times('order')).toEqual(['2027-04-10T02:00:00Z'])
  expect(simulation.times('cycle.activated')).toEqual(['2027-03-20T00:00:00Z'])
})

test('a late worker ends a cycle that was over before the pause, and activates the next one when the plan resumes', () => {
  const simulation = new PlanSimulation(
    newAggregate({ start: at('2027-01-10T02:00:00Z'), cycles: [{ billingCount: 1 }, { billingCount: 1 }] }),
  )
  simulation.runUntil(at('2027-01-20T00:00:00Z'))
  simulation.now = at('2027-02-10T05:00:00Z')
  simulation.update(pause(simulation.aggregate, simulation.now))
  simulation.runUntil(at('2027-02-20T00:00:00Z'))
  simulation.update(resume(simulation.aggregate, simulation.now))
  simulation.runUntil(at('2027-05-01T00:00:00Z'))
  expect(simulation.times('cycle.activated 1')).toEqual(['2027-02-20T00:00:00Z'])
  expect(simulation.times('order')).toEqual(['2027-01-10T02:00:00Z', '2027-03-10T02:00:00Z'])
})

test('no period that began during a pause is ever billed, however late the worker and however many the pauses', () => {
  const stretch = fc.record({
    hours: fc.integer({ min: 0, max: 80 }),
    workerRuns: fc.boolean(),
    toggles: fc.boolean(),
  })
  const start = at('2027-01-10T02:00:00Z')
  const day = { config: { ...MONTHLY, billing_interval: 'day' as const } }
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 30 }), (stretches) => {
      const simulation = new PlanSimulation(
        newAggregate({ start, cycles: [{ ...day, billingCount: 3 }, { ...day, billingCount: 4 }, day] }),
      )
      const pauses: { from: Instant; until?: Instant }[] = []
      for (const { hours, workerRuns, toggles } of stretches) {
        const now = simulation.now.add({ hours })
        if (workerRuns) simulation.runUntil(now)
        simulation.now = now
        if (!toggles) continue
        if (simulation.aggregate.plan.paused) {
          simulation.update(resume(simulation.aggregate, now))
          pauses.splice(-1, 1, { from: pauses.at(-1)?.from ?? now, until: now })
          expect(isAfter(nextExecuteAt(simulation.aggregate) ?? now, now)).toBe(true)
        } else {
          simulation.update(pause(simulation.aggregate, now))
          pauses.push({ from: now })
        }
      }
      simulation.runUntil(simulation.now.add({ hours: 24 * 10 }))
      for (const { from, until = simulation.now } of pauses) {
        const billedInPause = simulation.billedPeriods.filter(
          (time) => isAfter(time, from) && !isAfter(time, until),
        )
        expect(billedInPause.map(String)).toEqual([])
      }
      expect(simulation.billedPeriods.every((time) => start.until(time).total('hours') % 24 === 0)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('a pause at the start of a period keeps the order if it exists and skips the period otherwise', () => {
  const start = at('2027-01-10T02:00:00Z')
  const billed = new PlanSimulation(newAggregate({ start }))
  const unbilled = new PlanSimulation(newAggregate({ start }))
  billed.runUntil(start)
  for (const simulation of [billed, unbilled]) {
    simulation.update(pause(simulation.aggregate, start))
    simulation.runUntil(at('2027-02-20T00:00:00Z'))
    simulation.update(resume(simulation.aggregate, simulation.now))
    simulation.runUntil(at('2027-03-11T00:00:00Z'))
  }
  expect(billed.times('order')).toEqual(['2027-01-10T02:00:00Z', '2027-03-10T02:00:00Z'])
  expect(unbilled.times('order')).toEqual(['2027-03-10T02:00:00Z'])
})

test('lago-api 1308: a cancellation at the end of the period takes effect exactly then, and nothing is billed before', () => {
  const simulation = new PlanSimulation(newAggregate({ start: at('2027-01-31T02:00:00Z') }))
  simulation.runUntil(at('2027-02-10T00:00:00Z'))
  simulation.update(cancel(simulation.aggregate, simulation.now, true))
  expect(simulation.state).toBe('active')
  expect(nextExecuteAt(simulation.aggregate)).toBeNull()
  simulation.runUntil(at('2028-01-01T00:00:00Z'))
  expect(simulation.times('plan.canceled')).toEqual(['2027-02-28T02:00:00Z'])
  expect(simulation.times('order')).toHaveLength(1)
})

test('a plan that has not started is canceled at once, even if its cancellation is for the end of the period', () => {
  const simulation = new PlanSimulation(newAggregate({ start: at('2027-01-31T02:00:00Z') }))
  expect(accepted(cancel(simulation.aggregate, at('2027-01-01T00:00:00Z'), true)).plan.state).toBe('canceled')
})

test('cycles show estimated dates before they start, but none after an endless cycle or beyond the calendar', () => {
  const aggregate = newAggregate({
    start: at('2027-01-31T02:00:00Z'),
    cycles: [{ billingCount: 1 }, { billingCount: 12 }, { billingCount: 2_000_000_000 }, {}],
  })
  const times = cycleTimes(aggregate).map(({ estimatedStart, estimatedEnd, nextExecute }) =>
    [estimatedStart, estimatedEnd, nextExecute].map((time) => time?.toString().slice(0, 10) ?? null),
  )
  expect(times).toEqual([
    ['2027-01-31', '2027-02-28', '2027-01-31'],
    ['2027-02-28', '2028-02-29', '2027-02-28'],
    ['2028-02-29', null, '2028-02-29'],
    [null, null, null],
  ])
})
