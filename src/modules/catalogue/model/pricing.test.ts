import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimal } from '#kernel/decimal'
import { Money } from '#kernel/money'
import { amountOf, type Pricing, type Tier } from './pricing.ts'
import { type CycleItem, pricedItem, WITHOUT_PRODUCT } from './catalogue.ts'
import { at } from '../../plans/testing/plan-aggregates.ts'

// Proves reference/billing-catalogue#models.
const TIERS: readonly Tier[] = [
  { upTo: decimal(1_000), unitAmount: decimal(0), flatAmount: null },
  { upTo: decimal(10_000), unitAmount: decimal('0.01'), flatAmount: null },
  { upTo: null, unitAmount: decimal('0.005'), flatAmount: null },
]
const graduated: Pricing = { model: 'graduated', tiers: TIERS }
const volume: Pricing = { model: 'volume', tiers: TIERS }
const packages: Pricing = { model: 'package', unitAmount: decimal('0.50'), packageSize: 100 }

const amount = (pricing: Pricing, quantity: number | string, currency = 'EUR') =>
  amountOf(pricing, decimal(quantity), currency).toString()

test('12,345 units cost what the worked example says', () => {
  expect(amount(graduated, 12_345)).toBe('101.73')
  expect(amount(volume, 12_345)).toBe('61.73')
  expect(amount(packages, 12_345)).toBe('62.00')
  expect(amount(graduated, 1_000)).toBe('0.00')
  expect(amount(graduated, 1_001)).toBe('0.01')
})

describe('the edges of tiers and packages', () => {
  const withFlat: readonly Tier[] = [
    { upTo: decimal(0), unitAmount: decimal(0), flatAmount: decimal(5) },
    { upTo: decimal(10), unitAmount: decimal(2), flatAmount: decimal(1) },
    { upTo: null, unitAmount: decimal(1), flatAmount: decimal(3) },
  ]

  test.each([
    ['graduated', 0, '5.00'],
    ['graduated', 1, '8.00'],
    ['graduated', 10, '26.00'],
    ['graduated', 11, '30.00'],
    ['volume', 0, '5.00'],
    ['volume', 10, '21.00'],
    ['volume', 11, '14.00'],
  ] as const)('%s: %d units cost %s', (model, quantity, expected) => {
    expect(amount({ model, tiers: withFlat }, quantity)).toBe(expected)
  })

  test.each([
    [0, '0.00'],
    [1, '0.50'],
    [100, '0.50'],
    [101, '1.00'],
    ['100.000001', '1.00'],
  ])('%s units are whole packages for %s', (quantity, expected) => {
    expect(amount(packages, quantity)).toBe(expected)
  })
})

test('an amount is rounded once, half away from zero, by the decimals of its currency', () => {
  const perUnit: Pricing = { model: 'per_unit', unitAmount: decimal('0.005') }
  expect(amount(perUnit, 1)).toBe('0.01')
  expect(amount(perUnit, 3)).toBe('0.02')
  expect(amount(perUnit, 100, 'JPY')).toBe('1')
  expect(amount(perUnit, 3, 'BHD')).toBe('0.015')
  expect(amount({ model: 'flat', unitAmount: decimal('9.99') }, 250)).toBe('9.99')
})

const tiers = fc
  .uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 5 })
  .map((ends) => ends.toSorted((a, b) => a - b))
  .chain((ends) =>
    fc
      .array(fc.integer({ min: 0, max: 10_000 }), { minLength: ends.length + 1, maxLength: ends.length + 1 })
      .map((units): Tier[] =>
        units.map((unit, index) => ({
          upTo: ends[index] === undefined ? null : decimal(ends[index]),
          unitAmount: { unscaled: BigInt(unit), scale: 4 },
          flatAmount: null,
        })),
      ),
  )

test('a graduated amount is the sum of what each unit costs at its place', () => {
  fc.assert(
    fc.property(tiers, fc.integer({ min: 0, max: 600 }), (generated, quantity) => {
      let total = 0n
      for (let unit = 1; unit <= quantity; unit++) {
        const tier = generated.find(({ upTo }) => upTo === null || BigInt(unit) <= upTo.unscaled)
        total += (tier?.unitAmount.unscaled ?? 0n) * 10n ** BigInt(4 - (tier?.unitAmount.scale ?? 0))
      }
      const expected = Money.rounded('EUR', { unscaled: total, scale: 4 })
      expect(amountOf({ model: 'graduated', tiers: generated }, decimal(quantity), 'EUR')).toEqual(expected)
    }),
  )
})

test('a line whose price and quantity do not give its amount has the amount as the price of one', () => {
  const lineOf = (pricing: Pricing, quantity: number) => {
    const price = amountOf(pricing, decimal(1), 'EUR')
    const item = {
      ...WITHOUT_PRODUCT,
      id: 'prc_1',
      label: 'Gold',
      price,
      pricing,
      referenceId: null,
      description: null,
    }
    const placed: CycleItem = { item: { ...item, createdAt: at('2026-01-31T10:00:00Z') }, quantity }
    const line = pricedItem(placed)
    return `${line.quantity} × ${line.price.toString()}`
  }
  expect(lineOf({ model: 'per_unit', unitAmount: decimal('9.5') }, 3)).toBe('3 × 9.50')
  expect(lineOf({ model: 'per_unit', unitAmount: decimal('0.005') }, 3)).toBe('1 × 0.02')
  expect(lineOf(volume, 2_000)).toBe('2000 × 0.01')
  expect(lineOf(volume, 12_345)).toBe('1 × 61.73')
  expect(lineOf(graduated, 12_345)).toBe('1 × 101.73')
  expect(lineOf({ model: 'flat', unitAmount: decimal(9) }, 4)).toBe('1 × 9.00')
})
