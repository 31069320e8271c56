import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBefore } from '#kernel/clock'
import { decimal } from '#kernel/decimal'
import { accepted, cancel, pause } from '#modules/plans'
import { type CycleItem, WITHOUT_PRODUCT } from '#modules/catalogue'
import { at, HKD, newAggregate } from '../../plans/testing/plan-aggregates.ts'
import { PlanSimulation } from '../../plans/testing/plan-simulation.ts'
import { type PlanStep, planSteps } from './plan-steps.ts'

const START = at('2026-01-31T10:00:00Z')
const ITEM: CycleItem = {
  item: {
    ...WITHOUT_PRODUCT,
    id: 'rit_1',
    label: 'Gold',
    price: HKD('100.00'),
    pricing: { model: 'per_unit', unitAmount: decimal('100.00') },
    referenceId: null,
    description: null,
    createdAt: START,
  },
  quantity: 1,
}
const ITEMS = [[ITEM], [ITEM]]

function find<Kind extends PlanStep['kind']>(steps: readonly PlanStep[], kind: Kind) {
  return steps.find((step): step is Extract<PlanStep, { kind: Kind }> => step.kind === kind)
}

const plans = fc.record({
  retries: fc.integer({ min: 1, max: 5 }),
  days: fc.integer({ min: 1, max: 4 }),
  grace: fc.option(fc.integer({ min: 0, max: 9 })),
  billingCount: fc.integer({ min: 1, max: 3 }),
  hours: fc.integer({ min: 0, max: 24 * 40 }),
})

// Proves reference/timelines#next.
test('what a plan is said to do next is what it does', () => {
  fc.assert(
    fc.property(plans, ({ retries, days, grace, billingCount, hours }) => {
      const plan = { paymentRetryCount: retries, paymentRetryDayPeriod: days, gracePeriod: grace }
      const cycles = [{ billingCount }, { billingCount: null }]
      const simulation = new PlanSimulation(newAggregate({ start: START, cycles, plan }), () => 'decline')
      simulation.runUntil(START.add({ hours }))
      const steps = planSteps(simulation.aggregate, ITEMS, simulation.now)
      const [attempt, bill] = [find(steps, 'attempt'), find(steps, 'bill')]
      const [exhaustion, voided] = [find(steps, 'exhaustion'), find(steps, 'void')]
      const knownAttempts = simulation.times('failed 1').length
      const knownBills = simulation.billedPeriods.length
      simulation.runUntil(START.add({ hours: 24 * 100 }))
      if (attempt !== undefined) {
        expect(simulation.times('failed')).toContain(attempt.at.toString())
        expect([attempt.nth, attempt.of]).toEqual([knownAttempts + 1, retries])
      }
      if (exhaustion !== undefined) {
        const [first] = simulation.times('cycle.uncollectible')
        expect(exhaustion.at.toString()).toBe(first)
        if (exhaustion.voidAt !== null)
          expect(simulation.times('void')).toContain(exhaustion.voidAt.toString())
        expect(exhaustion.voidAt === null).toBe(grace === null)
      }
      if (voided !== undefined) expect(simulation.times('void')).toContain(voided.at.toString())
      // An order that becomes uncollectible before then keeps the plan from billing.
      const isStopped = exhaustion !== undefined && bill !== undefined && isBefore(exhaustion.at, bill.at)
      if (bill !== undefined && !isStopped && simulation.billedPeriods.length > knownBills)
        expect(simulation.billedPeriods[knownBills]?.toString()).toBe(bill.at.toString())
      expect(steps.length).toBeGreaterThan(0)
    }),
  )
})

test('a paid plan bills on its dates, with its credit, and ends its cycles', () => {
  const cycles = [{ billingCount: 2 }, { billingCount: 1 }]
  const plan = { credit: HKD('130.00') }
  const simulation = new PlanSimulation(newAggregate({ start: START, cycles, plan }))
  const seen: string[] = []
  const expected: string[] = []
  for (let next = planSteps(simulation.aggregate, ITEMS, simulation.now); next.length > 0;) {
    const step = find(next, 'bill') ?? find(next, 'cycle_end')
    if (step === undefined) throw new Error('nothing is next')
    if (step.kind === 'bill')
      seen.push(`${step.at.toString()} ${step.amount.toString()} ${step.nth}/${step.of}`)
    else seen.push(`${step.at.toString()} end, last ${step.isLast}`)
    simulation.runUntil(step.at)
    next = planSteps(simulation.aggregate, ITEMS, simulation.now)
  }
  expected.push(
    '2026-01-31T10:00:00Z 0.00 1/2',
    '2026-02-28T10:00:00Z 70.00 2/2',
    '2026-03-31T10:00:00Z 100.00 1/1',
    '2026-04-30T10:00:00Z end, last true',
  )
  expect(seen).toEqual(expected)
  expect(simulation.state).toBe('completed')
})

test('a paused plan waits, and a cancellation at the end of the period comes before the next order', () => {
  const simulation = new PlanSimulation(newAggregate({ start: START }))
  simulation.runUntil(START)
  const paused = accepted(pause(simulation.aggregate, simulation.now))
  expect(planSteps(paused, ITEMS, simulation.now).map(({ kind }) => kind)).toEqual(['paused'])
  const canceled = accepted(cancel(simulation.aggregate, simulation.now, true))
  expect(planSteps(canceled, ITEMS, simulation.now)).toMatchObject([
    { kind: 'cancellation', at: at('2026-02-28T10:00:00Z') },
  ])
})

// Proves reference/timelines#next, reference/billing-lifecycle#trials, reference/billing-lifecycle#pause-until.
test('a trial ends before the first order, and a pause with an end is followed by what the resumed plan does', () => {
  const trial = {
    end: at('2026-02-14T10:00:00Z'),
    state: 'running',
    withoutToken: 'pause',
    noticeDays: 3,
  } as const
  const running = newAggregate({ start: START, plan: { trial: { ...trial, noticeAt: null } } })
  expect(planSteps(running, ITEMS, START)).toMatchObject([
    { kind: 'trial_end', at: trial.end, withoutToken: 'pause' },
    { kind: 'bill', at: trial.end },
  ])
  const canceled = accepted(cancel(running, START, true))
  expect(planSteps(canceled, ITEMS, START)).toMatchObject([{ kind: 'cancellation', at: trial.end }])
  const simulation = new PlanSimulation(newAggregate({ start: START }), () => 'decline')
  simulation.runUntil(START)
  const until = at('2026-02-20T00:00:00Z')
  expect(planSteps(accepted(pause(simulation.aggregate, START, until)), ITEMS, START)).toMatchObject([
    { kind: 'resumption', at: until },
    { kind: 'attempt', at: until, nth: 2 },
    { kind: 'exhaustion' },
    { kind: 'bill', at: at('2026-02-28T10:00:00Z') },
  ])
})
