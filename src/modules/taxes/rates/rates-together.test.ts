import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RateTable, type TableRate } from '../model/rate-table.ts'
import { findCrowdedLine, MAX_RATES_TOGETHER } from './rates-together.ts'

const DAYS = Array.from({ length: 6 }, (_, index) => `2027-01-0${index + 1}`)
/** Rates of one `overlapKey` hold in the first or in the second three days. */
const someRates = fc
  .uniqueArray(
    fc.record({
      name: fc.integer({ min: 1, max: 13 }).map((number) => `Tax ${number}`),
      region: fc.constantFrom(null, 'BE', 'BY'),
      category: fc.constantFrom(null, 'books', 'food'),
      half: fc.constantFrom(0, 3),
      from: fc.nat(2),
      days: fc.nat(4),
    }),
    {
      selector: ({ name, region, category, half }) => JSON.stringify([name, region, category, half]),
      minLength: 100,
      maxLength: 200,
    },
  )
  .map((drawn) =>
    drawn.map(({ half, from, days, ...rest }): TableRate => {
      const isEndless = half === 3 && days > 2
      const validUntil = isEndless ? null : (DAYS[half + Math.min(from + days, 2)] ?? '')
      return { ...rest, country: 'DE', percentage: '1', validFrom: DAYS[half + from] ?? '', validUntil }
    }),
  )

// Proves reference/billing-tax#rates.
test('the rates of a line are found to be too many exactly if more than 20 would apply to it', async () => {
  let crowds = 0
  await fc.assert(
    fc.asyncProperty(someRates, async (rates) => {
      const table = new RateTable(rates)
      const counts = DAYS.flatMap((date) =>
        [null, 'BE', 'BY'].flatMap((region) =>
          ['books', 'food', 'other'].map(
            (category) => table.ratesOf({ country: 'DE', region }, category, date).length,
          ),
        ),
      )
      const crowded = await findCrowdedLine(rates, new Set(rates))
      expect(crowded !== undefined).toBe(Math.max(...counts) > MAX_RATES_TOGETHER)
      if (crowded === undefined) return
      crowds += 1
      const { region, category, date, rate } = crowded
      const held = table.ratesOf({ country: 'DE', region }, category ?? 'other', date)
      expect(held.length).toBeGreaterThan(MAX_RATES_TOGETHER)
      expect(held.map(({ name }) => name)).toContain(rate.name)
      expect(await findCrowdedLine(rates, new Set())).toBeUndefined()
    }),
    { numRuns: 100 },
  )
  expect(crowds).toBeGreaterThan(10)
  expect(crowds).toBeLessThan(90)
})
