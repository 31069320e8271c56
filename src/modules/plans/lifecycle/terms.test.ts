import { expect, test } from 'vitest'
import type { BillingConfig } from '#kernel/billing-config'
import type { Instant } from '#kernel/clock'
import { accepted } from '../errors.ts'
import { cancel, uncancel } from './decide-lifecycle.ts'
import { reasonOf } from '#platform/testing/requests'
import { at, type CycleOptions, MONTHLY, newAggregate } from '../testing/plan-aggregates.ts'
import { PlanSimulation } from '../testing/plan-simulation.ts'
import type { Terms } from '../model/terms.ts'

// Proves reference/billing-lifecycle#terms, reference/billing-lifecycle#uncancel.

const YEARLY: BillingConfig = { ...MONTHLY, billing_interval: 'year' }
const WEEKLY: BillingConfig = { ...MONTHLY, billing_interval: 'week' }
const ON_THE_FIRST: BillingConfig = { ...MONTHLY, billing_type: 'calendar', billing_day_of_month: 1 }

interface Given {
  readonly start: string
  readonly terms: readonly [minimum: string, notice?: string, renewal?: string]
  readonly zone?: string
  readonly cycles?: readonly CycleOptions[]
}

function planOf({ start, terms: [minimum, notice, renewal], zone = 'UTC', cycles }: Given): PlanSimulation {
  const terms: Terms = { minimum, notice: notice ?? null, renewal: renewal ?? null }
  return new PlanSimulation(
    newAggregate({ start: at(start), zone, plan: { terms }, ...(cycles && { cycles }) }),
  )
}

/** When the plan ends if it is canceled at the period's end on `asked`. */
function endOf(given: Given, asked: string): string | undefined {
  const plan = planOf(given)
  plan.runUntil(at(asked))
  return accepted(cancel(plan.aggregate, at(asked), true)).plan.cancelAt?.toString()
}

const YEAR_WITH_NOTICE = { start: '2027-01-15T10:00:00Z', terms: ['P12M', 'P3M', 'P1M'] } as const

test.each<readonly [string, Given, string, string]>([
  ['in time for the first term', YEAR_WITH_NOTICE, '2027-09-20T00:00:00Z', '2028-01-15T10:00:00Z'],
  ['after the notice of the first term', YEAR_WITH_NOTICE, '2027-11-01T00:00:00Z', '2028-02-15T10:00:00Z'],
  [
    'after the notice, with a renewal of a year',
    { ...YEAR_WITH_NOTICE, terms: ['P12M', 'P3M', 'P12M'] },
    '2027-11-01T00:00:00Z',
    '2029-01-15T10:00:00Z',
  ],
  ['late on the last day of the notice', YEAR_WITH_NOTICE, '2027-10-15T23:59:59Z', '2028-01-15T10:00:00Z'],
  ['on the day after it', YEAR_WITH_NOTICE, '2027-10-16T00:00:00Z', '2028-02-15T10:00:00Z'],
  [
    'a minimum of a month from 31 January ends on 28 February',
    { start: '2027-01-31T10:00:00Z', terms: ['P1M'] },
    '2027-02-10T00:00:00Z',
    '2027-02-28T10:00:00Z',
  ],
  [
    '… and renews to 31 March, because all ends count from the first day',
    { start: '2027-01-31T10:00:00Z', terms: ['P1M'] },
    '2027-03-01T00:00:00Z',
    '2027-03-31T10:00:00Z',
  ],
  [
    'a year from a leap day ends on 28 February',
    { start: '2028-02-29T10:00:00Z', terms: ['P1Y'], cycles: [{ config: YEARLY }] },
    '2028-06-01T00:00:00Z',
    '2029-02-28T10:00:00Z',
  ],
  [
    'four years from a leap day end on a leap day',
    { start: '2028-02-29T10:00:00Z', terms: ['P4Y'], cycles: [{ config: YEARLY }] },
    '2028-06-01T00:00:00Z',
    '2032-02-29T10:00:00Z',
  ],
  [
    'a term that ends between billing dates ends with the period',
    { start: '2027-01-15T10:00:00Z', terms: ['P45D'] },
    '2027-01-20T00:00:00Z',
    '2027-03-15T10:00:00Z',
  ],
  [
    'a notice longer than the minimum',
    { start: '2027-01-15T10:00:00Z', terms: ['P1M', 'P3M'] },
    '2027-01-20T00:00:00Z',
    '2027-05-15T10:00:00Z',
  ],
  [
    'weeks',
    { start: '2027-01-04T10:00:00Z', terms: ['P4W', 'P1W', 'P2W'], cycles: [{ config: WEEKLY }] },
    '2027-01-26T00:00:00Z',
    '2027-02-15T10:00:00Z',
  ],
  [
    'a plan that ends before its term ends as it would',
    { start: '2027-01-15T10:00:00Z', terms: ['P12M'], cycles: [{ billingCount: 6 }] },
    '2027-02-01T00:00:00Z',
    '2027-07-15T10:00:00Z',
  ],
  [
    'a term that ends in a later cycle ends on a date of that cycle',
    {
      start: '2027-01-15T10:00:00Z',
      terms: ['P12M'],
      cycles: [{ billingCount: 3 }, { config: YEARLY }],
    },
    '2027-02-01T00:00:00Z',
    '2028-04-15T10:00:00Z',
  ],
  [
    'a term begins with the first period, not with the days before it',
    { start: '2027-05-20T10:00:00Z', terms: ['P1Y'], cycles: [{ config: ON_THE_FIRST }] },
    '2027-06-10T00:00:00Z',
    '2028-06-01T10:00:00Z',
  ],
  [
    '… but with a period that is billed by days',
    {
      start: '2027-05-20T10:00:00Z',
      terms: ['P1Y'],
      cycles: [{ config: { ...ON_THE_FIRST, billing_proration_enabled: true } }],
    },
    '2027-06-10T00:00:00Z',
    '2028-06-01T10:00:00Z',
  ],
  [
    'Berlin, at an hour that daylight saving skips',
    { start: '2027-01-28T01:30:00Z', terms: ['P2M'], zone: 'Europe/Berlin' },
    '2027-02-01T00:00:00Z',
    '2027-03-28T01:30:00Z',
  ],
  [
    'New York, at an hour that daylight saving repeats',
    { start: '2027-09-07T05:30:00Z', terms: ['P2M'], zone: 'America/New_York' },
    '2027-09-10T00:00:00Z',
    '2027-11-07T05:30:00Z',
  ],
  [
    'Auckland, where the last day of the notice is a day ahead',
    { start: '2027-01-14T21:00:00Z', terms: ['P12M', 'P3M'], zone: 'Pacific/Auckland' },
    '2027-10-15T10:59:59Z',
    '2028-01-14T21:00:00Z',
  ],
  [
    '… and has passed at its midnight',
    { start: '2027-01-14T21:00:00Z', terms: ['P12M', 'P3M'], zone: 'Pacific/Auckland' },
    '2027-10-15T11:00:00Z',
    '2028-02-14T21:00:00Z',
  ],
])("a cancellation at the period's end takes the end of a term: %s", (_name, given, asked, expected) => {
  expect(endOf(given, asked)).toBe(expected)
})

test('the notice counts from the first cancellation, and not again from a second', () => {
  const plan = planOf(YEAR_WITH_NOTICE)
  plan.runUntil(at('2027-09-20T00:00:00Z'))
  plan.update(cancel(plan.aggregate, plan.now, true))
  plan.runUntil(at('2027-11-01T00:00:00Z'))
  plan.update(cancel(plan.aggregate, plan.now, true))
  expect(plan.aggregate.plan.cancelAt?.toString()).toBe('2028-01-15T10:00:00Z')
})

test('an immediate cancellation is never refused by terms', () => {
  const plan = planOf(YEAR_WITH_NOTICE)
  plan.runUntil(at('2027-02-01T00:00:00Z'))
  plan.update(cancel(plan.aggregate, plan.now, false))
  expect(plan.state).toBe('canceled')
})

test('before the first period nothing binds the customer', () => {
  const plan = planOf({ start: '2027-05-20T10:00:00Z', terms: ['P1Y'], cycles: [{ config: ON_THE_FIRST }] })
  plan.runUntil(at('2027-05-25T00:00:00Z'))
  plan.update(cancel(plan.aggregate, plan.now, true))
  expect(plan.state).toBe('canceled')
})

test('a term of days that renews every day is found years later', () => {
  const plan = planOf({ start: '2027-01-15T10:00:00Z', terms: ['P1D', 'P0D', 'P1D'] })
  plan.runUntil(at('2040-01-20T00:00:00Z'))
  expect(accepted(cancel(plan.aggregate, plan.now, true)).plan.cancelAt?.toString()).toBe(
    '2040-02-15T10:00:00Z',
  )
})

test('an uncanceled plan goes on, and a cancellation whose time has come stands', async () => {
  const plan = planOf({ start: '2027-01-15T10:00:00Z', terms: ['P1M'] })
  plan.runUntil(at('2027-02-01T00:00:00Z'))
  const uncancelAt = async (now: Instant) => accepted(uncancel(plan.aggregate, now))
  expect(await reasonOf(uncancelAt(plan.now))).toBe('nothing_to_uncancel')
  plan.update(cancel(plan.aggregate, plan.now, true))
  expect(await reasonOf(uncancelAt(at('2027-02-15T10:00:00Z')))).toBe('nothing_to_uncancel')
  plan.update(uncancel(plan.aggregate, plan.now))
  plan.runUntil(at('2027-02-16T00:00:00Z'))
  expect(plan.state).toBe('active')
  expect(plan.times('order')).toEqual(['2027-01-15T10:00:00Z', '2027-02-15T10:00:00Z'])
})
