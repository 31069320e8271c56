import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BillingConfig } from './billing-config.ts'
import {
  billingDate,
  billingIndexAfter,
  billingLocalDate,
  firstSchedule,
  followingSchedule,
  nextBillingDate,
  type Schedule,
  startsOnBillingDate,
  stubOf,
} from './calendar.ts'

const ZONES = [
  'Asia/Hong_Kong',
  'America/New_York',
  'Europe/London',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'America/Nuuk',
]

function every(interval: BillingConfig['billing_interval'], count = 1): BillingConfig {
  return {
    billing_interval: interval,
    interval_count: count,
    billing_type: 'anniversary',
    billing_proration_enabled: false,
  }
}

function onDay(
  day: number,
  options: { month?: number; count?: number; prorated?: boolean } = {},
): BillingConfig {
  return {
    billing_interval: options.month === undefined ? 'month' : 'year',
    interval_count: options.count ?? 1,
    billing_type: 'calendar',
    billing_day_of_month: day,
    ...(options.month === undefined ? {} : { billing_month: options.month }),
    billing_proration_enabled: options.prorated ?? false,
  }
}

function startingAt(config: BillingConfig, local: string, zone = 'Asia/Hong_Kong'): Schedule {
  return firstSchedule(config, Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant(), zone)
}

function dates(schedule: Schedule, count: number): string[] {
  return Array.from({ length: count }, (_, index) => billingLocalDate(schedule, index).toString())
}

function instants(schedule: Schedule, count: number): string[] {
  return Array.from({ length: count }, (_, index) => billingDate(schedule, index).toString())
}

const interval = fc.constantFrom('day', 'week', 'month', 'year')
const anyConfig: fc.Arbitrary<BillingConfig> = fc.oneof(
  fc.tuple(interval, fc.integer({ min: 1, max: 10 })).map(([unit, count]) => every(unit, count)),
  fc
    .record({
      day: fc.integer({ min: 1, max: 31 }),
      month: fc.option(fc.integer({ min: 1, max: 12 })),
      count: fc.integer({ min: 1, max: 6 }),
      prorated: fc.boolean(),
    })
    .map(({ day, month, count, prorated }) =>
      onDay(day, { ...(month === null ? {} : { month }), count, prorated }),
    ),
)
const anySchedule = fc
  .tuple(anyConfig, fc.integer({ min: 1_577_836_800, max: 1_893_456_000 }), fc.constantFrom(...ZONES))
  .map(([config, second, zone]) =>
    firstSchedule(config, Temporal.Instant.fromEpochMilliseconds(second * 1000), zone),
  )

// Proves reference/recurring#billing-dates.
test('month ends count from the anchor day, through two years with a 29 February', () => {
  expect(dates(startingAt(every('month'), '2027-01-31T09:00'), 25)).toEqual([
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
    '2027-05-31',
    '2027-06-30',
    '2027-07-31',
    '2027-08-31',
    '2027-09-30',
    '2027-10-31',
    '2027-11-30',
    '2027-12-31',
    '2028-01-31',
    '2028-02-29',
    '2028-03-31',
    '2028-04-30',
    '2028-05-31',
    '2028-06-30',
    '2028-07-31',
    '2028-08-31',
    '2028-09-30',
    '2028-10-31',
    '2028-11-30',
    '2028-12-31',
    '2029-01-31',
  ])
})

test('a yearly cycle from 29 February bills on the 28th, and on the 29th in leap years', () => {
  expect(dates(startingAt(every('year'), '2024-02-29T00:00'), 5)).toEqual([
    '2024-02-29',
    '2025-02-28',
    '2026-02-28',
    '2027-02-28',
    '2028-02-29',
  ])
})

test('days and weeks are local calendar days at the local time', () => {
  const daily = startingAt(every('day'), '2026-03-07T02:30', 'America/New_York')
  expect(instants(daily, 3)).toEqual(['2026-03-07T07:30:00Z', '2026-03-08T07:30:00Z', '2026-03-09T06:30:00Z'])
  const fortnightly = startingAt(every('week', 2), '2026-10-19T01:15', 'Europe/London')
  expect(instants(fortnightly, 2)).toEqual(['2026-10-19T00:15:00Z', '2026-11-02T01:15:00Z'])
})

test('a start in the second of two repeated hours does not move', () => {
  const second = Temporal.Instant.from('2026-11-01T06:30:00Z')
  const schedule = firstSchedule(every('day'), second, 'America/New_York')
  expect(billingDate(schedule, 0)).toEqual(second)
  expect(billingDate(schedule, 1).toString()).toBe('2026-11-02T06:30:00Z')
})

// Proves reference/recurring#cycles.
test('the next cycle keeps the anchor day only if its interval is the same', () => {
  const once = startingAt(every('month'), '2027-01-31T09:00')
  expect(dates(followingSchedule(once, 1, every('month')), 3)).toEqual([
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
  ])
  expect(dates(followingSchedule(once, 1, every('month', 2)), 3)).toEqual([
    '2027-02-28',
    '2027-04-30',
    '2027-06-30',
  ])
  const yearly = followingSchedule(once, 1, every('year'))
  expect(dates(yearly, 3)).toEqual(['2027-02-28', '2028-02-28', '2029-02-28'])
  expect(dates(followingSchedule(yearly, 1, every('month')), 2)).toEqual(['2028-02-28', '2028-03-28'])
  const leap = startingAt(every('year'), '2024-02-29T00:00')
  expect(dates(followingSchedule(leap, 1, every('year')), 4).at(-1)).toBe('2028-02-29')
})

test('the next cycle starts where the previous one ends, at the plan’s local time, even if the first start fell into a gap', () => {
  const weekly = startingAt(every('week'), '2026-03-01T02:30', 'America/New_York')
  const monthly = followingSchedule(weekly, 1, every('month'))
  expect(monthly.start).toEqual(billingDate(weekly, 1))
  expect(instants(monthly, 2)).toEqual(['2026-03-08T07:30:00Z', '2026-04-08T06:30:00Z'])
})

test('calendar dates are clamped to the end of the month and have the plan’s local time', () => {
  const schedule = startingAt(onDay(31), '2027-01-31T18:45')
  expect(startsOnBillingDate(schedule)).toBe(true)
  expect(instants(schedule, 3)).toEqual([
    '2027-01-31T10:45:00Z',
    '2027-02-28T10:45:00Z',
    '2027-03-31T10:45:00Z',
  ])
  expect(dates(startingAt(onDay(30, { month: 2 }), '2027-02-28T18:45'), 2)).toEqual([
    '2027-02-28',
    '2028-02-29',
  ])
  expect(dates(startingAt(onDay(15, { count: 3 }), '2027-01-20T00:00'), 2)).toEqual([
    '2027-02-15',
    '2027-05-15',
  ])
})

// Proves reference/recurring#proration.
test('a start between two billing dates bills a share of the period by days', () => {
  const schedule = startingAt(onDay(1, { prorated: true }), '2027-01-20T23:30')
  expect(stubOf(schedule)).toEqual({ days: 12, periodDays: 31 })
  expect(dates(schedule, 3)).toEqual(['2027-01-20', '2027-02-01', '2027-03-01'])
  expect(billingDate(schedule, 0)).toEqual(schedule.start)

  const quarterly = startingAt(onDay(1, { count: 3, prorated: true }), '2027-02-10T00:00')
  expect(stubOf(quarterly)).toEqual({ days: 19, periodDays: 90 })
  const yearly = startingAt(onDay(1, { month: 7, prorated: true }), '2027-07-02T00:00')
  expect(stubOf(yearly)).toEqual({ days: 365, periodDays: 366 })
})

test('without proration, a start between two billing dates bills first on the next date', () => {
  const schedule = startingAt(onDay(1), '2027-01-20T23:30')
  expect(stubOf(schedule)).toBeUndefined()
  expect(dates(schedule, 2)).toEqual(['2027-02-01', '2027-03-01'])
  expect(billingIndexAfter(schedule, schedule.start)).toBe(0)
})

test('the local date decides whether a start falls on a billing date', () => {
  // 16:30 UTC on 31 January is already February in Hong Kong.
  const start = Temporal.Instant.from('2027-01-31T16:30:00Z')
  expect(startsOnBillingDate(firstSchedule(onDay(1), start, 'Asia/Hong_Kong'))).toBe(true)
  expect(startsOnBillingDate(firstSchedule(onDay(1), start, 'Europe/London'))).toBe(false)
})

test('monthly and yearly dates agree with a day-by-day search', () => {
  fc.assert(
    fc.property(
      anySchedule.filter(
        ({ config }) => config.billing_interval === 'month' || config.billing_interval === 'year',
      ),
      (schedule) => {
        const expected = walk(schedule, 4)
        const first = stubOf(schedule) === undefined ? 0 : 1
        expect(expected.map((_, n) => billingLocalDate(schedule, first + n).toString())).toEqual(expected)
      },
    ),
    { numRuns: 200 },
  )
})

/** Finds the first dates of a schedule by checking one day after the other with `Date` in UTC. */
function walk({ config, startDate }: Schedule, count: number): string[] {
  const calendar = config.billing_type === 'calendar'
  const day = config.billing_day_of_month ?? startDate.day
  const month = config.billing_month ?? (config.billing_interval === 'year' ? startDate.month : undefined)
  const found: string[] = []
  let hits = 0
  for (let ms = Date.parse(`${startDate.toString()}T00:00:00Z`); found.length < count; ms += 86_400_000) {
    const today = new Date(ms)
    const tomorrow = new Date(ms + 86_400_000)
    const isDay = today.getUTCDate() === day || (today.getUTCDate() < day && tomorrow.getUTCDate() === 1)
    if (!isDay || (month !== undefined && today.getUTCMonth() + 1 !== month)) continue
    if (!calendar && hits === 0) expect(today.toISOString().slice(0, 10)).toBe(startDate.toString())
    if (hits++ % config.interval_count === 0) found.push(today.toISOString().slice(0, 10))
  }
  return found
}

test('billing dates keep the local time and never run backwards', () => {
  fc.assert(
    fc.property(anySchedule, fc.nat(60), (schedule, index) => {
      const at = billingDate(schedule, index)
      expect(Temporal.Instant.compare(billingDate(schedule, index + 1), at)).toBe(1)
      const shown = at.toZonedDateTimeISO(schedule.zone).toPlainDateTime()
      const asked = billingLocalDate(schedule, index).toPlainDateTime(schedule.localTime)
      // Only a gap moves the local time, by at most an hour forward.
      const moved = asked.until(shown).total('minutes')
      expect([0, 30, 60]).toContain(moved)
    }),
    { numRuns: 500 },
  )
})

test('the next billing date is the one that counting from the first finds', () => {
  fc.assert(
    fc.property(
      anySchedule,
      fc.integer({ min: -400, max: 4000 }),
      fc.nat(86_399),
      (schedule, days, seconds) => {
        const at = schedule.start.add({ seconds: 86_400 * days + seconds })
        let index = 0
        while (Temporal.Instant.compare(billingDate(schedule, index), at) <= 0) index++
        expect(billingIndexAfter(schedule, at)).toBe(index)
        expect(nextBillingDate(schedule, at)).toEqual(billingDate(schedule, index))
        expect(billingIndexAfter(schedule, billingDate(schedule, index))).toBe(index + 1)
      },
    ),
    { numRuns: 200 },
  )
})

test('splitting a cycle into two of the same config does not change its dates', () => {
  fc.assert(
    fc.property(anySchedule, fc.integer({ min: 1, max: 20 }), (schedule, cut) => {
      const rest = followingSchedule(schedule, cut, schedule.config)
      expect(stubOf(rest)).toBeUndefined()
      for (let n = 0; n < 5; n++) expect(billingDate(rest, n)).toEqual(billingDate(schedule, cut + n))
    }),
  )
})

test('a prorated first period is shorter than a full period', () => {
  fc.assert(
    fc.property(anySchedule, (schedule) => {
      const stub = stubOf(schedule)
      if (stub === undefined) return
      expect(stub.days).toBeGreaterThan(0)
      expect(stub.days).toBeLessThan(stub.periodDays)
    }),
  )
})

test('the thousandth billing date costs as much as the first', () => {
  const daily = startingAt(every('day'), '2020-01-01T00:00')
  const far = billingDate(daily, 1_000_000)
  expect(billingIndexAfter(daily, far)).toBe(1_000_001)
})
