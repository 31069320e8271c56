import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal } from '#kernel/decimal'
import { Money } from '#kernel/money'
import { runningShares } from '#modules/taxes'
import { type Billed, billLines, billingAmount } from './order-lines.ts'
import type { Discount } from '#modules/catalogue'
import { HKD } from '../testing/plan-aggregates.ts'

const item = fc.record({
  label: fc.constant('Gold'),
  price: fc.bigInt(0n, 10_000_000n).map((minor) => Money.ofMinor('HKD', minor)),
  quantity: fc.integer({ min: 1, max: 1_000 }),
  billed: fc.constant({ kind: 'item' as const }),
})
const discount: fc.Arbitrary<Discount | null> = fc.oneof(
  fc.constant(null),
  fc
    .bigInt(0n, 100_000_000n)
    .map((minor) => ({ type: 'fixed_amount' as const, amount: Money.ofMinor('HKD', minor) })),
  fc.integer({ min: 0, max: 100_000 }).map((thousandths) => ({
    type: 'percentage' as const,
    rate: decimal((thousandths / 1_000).toFixed(3)),
  })),
)
const stub = fc
  .tuple(fc.integer({ min: 1, max: 365 }), fc.integer({ min: 1, max: 366 }))
  .map(([days, periodDays]) => (days < periodDays ? { days, periodDays } : undefined))
const billed: fc.Arbitrary<Billed> = fc.record({
  items: fc.array(item, { minLength: 1, maxLength: 5 }),
  discount,
  stub,
  credit: fc.bigInt(0n, 1_000_000n).map((minor) => Money.ofMinor('HKD', minor)),
})

// Proves reference/recurring#amounts, reference/recurring#proration.
test('the lines of an order sum to its total, which is never below 0', () => {
  fc.assert(
    fc.property(billed, (input) => {
      const { lines, total } = billLines(input)
      const sum = lines.reduce((subtotal, line) => subtotal + line.price.minor * BigInt(line.quantity), 0n)
      expect(sum).toBe(total.minor)
      expect(total.isNegative()).toBe(false)
    }),
  )
})

test('an order has one charge per item, then negative lines of quantity 1 for its deductions in a fixed order', () => {
  fc.assert(
    fc.property(billed, (input) => {
      const { lines } = billLines(input)
      const charges = lines.slice(0, input.items.length)
      expect(charges.map(({ price, quantity }) => [price.minor, quantity])).toEqual(
        input.items.map(({ price, quantity }) => [price.minor, quantity]),
      )
      const deductions = lines.slice(input.items.length)
      for (const { price, quantity } of deductions) {
        expect(price.isNegative()).toBe(true)
        expect(quantity).toBe(1)
      }
      const labels = deductions.map(({ label }) => label)
      expect(labels).toEqual(['Proration', 'Discount', 'Credit'].filter((label) => labels.includes(label)))
    }),
  )
})

test('only the net is rounded, once and half-up', () => {
  fc.assert(
    fc.property(billed, (input) => {
      const { total, creditUsed } = billLines(input)
      const net = total.plus(creditUsed).minor
      const gross = input.items.reduce((sum, { price, quantity }) => sum + price.minor * BigInt(quantity), 0n)
      // The net as a fraction with the denominator 100,000 × days of the period.
      const days = BigInt(input.stub?.days ?? 1)
      const scale = 100_000n * BigInt(input.stub?.periodDays ?? 1)
      const off =
        input.discount === null
          ? 0n
          : input.discount.type === 'fixed_amount'
            ? input.discount.amount.minor * 100_000n
            : (gross * input.discount.rate.unscaled * 100_000n) /
              (100n * 10n ** BigInt(input.discount.rate.scale))
      const exact = gross * 100_000n > off ? (gross * 100_000n - off) * days : 0n
      // Half-up: net − ½ ≤ exact < net + ½.
      expect(2n * net * scale - scale <= 2n * exact).toBe(true)
      expect(2n * exact < 2n * net * scale + scale).toBe(true)
    }),
  )
})

test('credit is used up to the price of the order', () => {
  fc.assert(
    fc.property(billed, (input) => {
      const { total, creditUsed } = billLines(input)
      expect(creditUsed.greaterThan(input.credit)).toBe(false)
      expect(creditUsed.equals(input.credit) || total.isZero()).toBe(true)
    }),
  )
})

test('a stub of 10 of 30 days bills a third of the price less a third of the fixed discount', () => {
  const { lines, total } = billLines({
    items: [{ label: 'Gold', price: HKD('100.00'), quantity: 1, billed: { kind: 'item' } }],
    discount: { type: 'fixed_amount', amount: HKD('10.00') },
    stub: { days: 10, periodDays: 30 },
    credit: HKD('0'),
  })
  expect(total.toString()).toBe('30.00')
  expect(lines.map(({ label, price }) => [label, price.toString()])).toEqual([
    ['Gold', '100.00'],
    ['Proration', '-66.67'],
    ['Discount', '-3.33'],
  ])
})

test('a discount never makes an order cheaper than 0', () => {
  const items = [{ label: 'Gold', price: HKD('0.10'), quantity: 3 }]
  expect(billingAmount(items, { type: 'percentage', rate: decimal('100') }, 'HKD').toString()).toBe('0.00')
  expect(billingAmount(items, { type: 'fixed_amount', amount: HKD('5.00') }, 'HKD').toString()).toBe('0.00')
  expect(billingAmount(items, null, 'HKD').toString()).toBe('0.30')
  expect(billingAmount(items, { type: 'percentage', rate: decimal('15') }, 'HKD').toString()).toBe('0.26')
})

const minor = fc.bigInt(-1_000_000n, 1_000_000n)

test('running shares sum to the amount, and each first part of them to its exact part, rounded', () => {
  fc.assert(
    fc.property(minor, fc.array(fc.bigInt(1n, 1_000_000n), { minLength: 1 }), (amount, weights) => {
      const money = weights.map((weight) => Money.ofMinor('HKD', weight))
      const shares = runningShares(Money.ofMinor('HKD', amount), money)
      const whole = weights.reduce((sum, weight) => sum + weight, 0n)
      let shared = 0n
      let weight = 0n
      for (const [index, share] of shares.entries()) {
        shared += share.minor
        weight += weights[index] ?? 0n
        const off = 2n * (shared * whole - amount * weight)
        expect(off <= whole && off >= -whole).toBe(true)
      }
      expect(shared).toBe(amount)
    }),
  )
})
