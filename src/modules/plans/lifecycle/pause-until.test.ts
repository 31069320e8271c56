import { expect, test } from 'vitest'
import { cancel, pause, resume } from './decide-lifecycle.ts'
import { at, newAggregate } from '../testing/plan-aggregates.ts'
import { type AttemptOutcome, PlanSimulation } from '../testing/plan-simulation.ts'

// Proves reference/billing-lifecycle#pause-until.

function planOf(
  { start, zone = 'UTC' }: { readonly start: string; readonly zone?: string },
  outcome?: AttemptOutcome,
): PlanSimulation {
  return new PlanSimulation(newAggregate({ start: at(start), zone }), outcome)
}

test.each([
  [
    'a period that began in the pause is skipped',
    { start: '2027-01-31T10:00:00Z' },
    ['2027-02-10T00:00:00Z', '2027-03-15T00:00:00Z'],
    ['2027-01-31T10:00:00Z', '2027-03-31T10:00:00Z'],
  ],
  [
    'a period that begins when the pause ends is billed',
    { start: '2027-01-31T10:00:00Z' },
    ['2027-02-10T00:00:00Z', '2027-02-28T10:00:00Z'],
    ['2027-01-31T10:00:00Z', '2027-02-28T10:00:00Z', '2027-03-31T10:00:00Z'],
  ],
  [
    'a leap day that begins a millisecond before the end is skipped',
    { start: '2028-01-29T10:00:00Z' },
    ['2028-02-10T00:00:00Z', '2028-02-29T10:00:00.001Z'],
    ['2028-01-29T10:00:00Z', '2028-03-29T10:00:00Z'],
  ],
  [
    'in Berlin, when the clocks change',
    { start: '2027-02-28T01:30:00Z', zone: 'Europe/Berlin' },
    ['2027-03-10T00:00:00Z', '2027-03-28T01:30:00Z'],
    ['2027-02-28T01:30:00Z', '2027-03-28T01:30:00Z'],
  ],
])('a plan resumes by itself: %s', (_name, given, [from, until], expected) => {
  const plan = planOf(given)
  plan.runUntil(at(from ?? ''))
  plan.update(pause(plan.aggregate, plan.now, at(until ?? '')))
  plan.runUntil(at(`${given.start.slice(0, 4)}-04-01T00:00:00Z`))
  expect(plan.times('order')).toEqual(expected)
  expect(plan.times('plan.resumed')).toEqual([until])
  expect(plan.aggregate.plan.pauseUntil).toBeNull()
})

test('an overdue attempt is made when the pause ends', () => {
  const plan = planOf({ start: '2027-01-10T10:00:00Z' }, (_suffix, attempt) =>
    attempt === 1 ? 'decline' : 'approve',
  )
  plan.runUntil(at('2027-01-11T00:00:00Z'))
  plan.update(pause(plan.aggregate, plan.now, at('2027-01-20T00:00:00Z')))
  plan.runUntil(at('2027-01-21T00:00:00Z'))
  expect(plan.times('paid')).toEqual(['2027-01-20T00:00:00Z'])
})

test('at one moment a cancellation comes before the end of a pause', () => {
  const plan = planOf({ start: '2027-01-10T10:00:00Z' })
  plan.runUntil(at('2027-01-11T00:00:00Z'))
  plan.update(cancel(plan.aggregate, plan.now, true))
  plan.update(pause(plan.aggregate, plan.now, at('2027-02-10T10:00:00Z')))
  plan.runUntil(at('2027-03-01T00:00:00Z'))
  expect([plan.times('plan.canceled'), plan.times('plan.resumed')]).toEqual([['2027-02-10T10:00:00Z'], []])
})

test('a resumption or a cancellation by hand removes the end of the pause', () => {
  for (const end of [resume, cancelAtOnce]) {
    const plan = planOf({ start: '2027-01-10T10:00:00Z' })
    plan.runUntil(at('2027-01-11T00:00:00Z'))
    plan.update(pause(plan.aggregate, plan.now, at('2027-01-20T00:00:00Z')))
    plan.update(end(plan.aggregate, plan.now))
    expect(plan.aggregate.plan.pauseUntil).toBeNull()
    plan.runUntil(at('2027-01-25T00:00:00Z'))
    expect(plan.times('plan.resumed')).toHaveLength(end === resume ? 1 : 0)
  }
})

function cancelAtOnce(...[aggregate, now]: Parameters<typeof resume>) {
  return cancel(aggregate, now, false)
}

test('an uncollectible plan is uncollectible again when its pause ends, and a written-off plan stays so', () => {
  const plan = planOf({ start: '2027-01-10T10:00:00Z' }, () => 'decline')
  plan.runUntil(at('2027-01-14T11:00:00Z'))
  expect(plan.state).toBe('uncollectible')
  plan.update(pause(plan.aggregate, plan.now, at('2027-01-16T00:00:00Z')))
  plan.runUntil(at('2027-01-17T00:00:00Z'))
  expect(plan.state).toBe('uncollectible')
  plan.update(pause(plan.aggregate, plan.now, at('2027-02-01T00:00:00Z')))
  plan.runUntil(at('2027-02-02T00:00:00Z'))
  expect(plan.aggregate.plan).toMatchObject({ permanentlyUncollectible: true, pauseUntil: null })
})
