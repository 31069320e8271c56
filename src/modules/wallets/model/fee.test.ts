import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal, formatUnscaled } from '#kernel/decimal'
import { renderFee } from '../api/render.ts'
import { parseFee } from '../fees/read-fee.ts'
import { valueDeposit } from './fee.ts'

const LARGEST = 2n ** 256n - 1n
/** Digits and places, as a decimal text. */
const decimalText = (most: bigint, places: number) =>
  fc
    .tuple(fc.bigInt({ min: 0n, max: most }), fc.integer({ min: 0, max: places }))
    .map(([unscaled, scale]) => formatUnscaled(unscaled, scale))

const deposit = {
  units: fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 9n }), fc.bigInt({ min: 1n, max: LARGEST })),
  decimals: fc.integer({ min: 0, max: 24 }),
  price: decimalText(10n ** 9n, 9),
  fixed: decimalText(10n ** 5n, 2),
  percentage: fc
    .integer({ min: 0, max: 100_000_000 })
    .map((millionths) => formatUnscaled(BigInt(millionths), 6)),
}

/** Enough places for every product below to be a whole number. */
const PLACES = 48

/** A decimal text as a whole number of 10^-PLACES. */
function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(PLACES, '0'))
}

/** The cent nearest to a whole number of 10^-PLACES, halves up; nothing here is negative. */
function nearestCent(value: bigint): bigint {
  const cent = 10n ** BigInt(PLACES - 2)
  return (value + cent / 2n) / cent
}

/** The documented formula, in whole numbers of one scale. */
function expected(units: bigint, decimals: number, price: string, fixed: string, percentage: string) {
  const one = 10n ** BigInt(PLACES)
  const exact = (scaled(formatUnscaled(units, decimals)) * scaled(price)) / one
  const amount = nearestCent(exact)
  const fee = nearestCent(scaled(fixed) + (exact * scaled(percentage)) / (100n * one))
  return { amount, fee }
}

// Proves reference/wallets#fees, reference/wallets#amounts.
test('a fee is the fixed fee plus the percentage of the exact amount, rounded once, half-up to cents', () => {
  fc.assert(
    fc.property(fc.record(deposit), ({ units, decimals, price, fixed, percentage }) => {
      const { usdMinor, feeMinor } = valueDeposit(
        units,
        decimals,
        decimal(price),
        parseFee(fixed, percentage),
      )
      expect({ amount: usdMinor, fee: feeMinor }).toEqual(expected(units, decimals, price, fixed, percentage))
    }),
    { numRuns: 2_000 },
  )
})

test('a fixed fee is owed in full, even above the value of the deposit', () => {
  expect(valueDeposit(1n, 2, decimal('1'), parseFee('0.30', '0'))).toEqual({ usdMinor: 1n, feeMinor: 30n })
})

test('the percentage applies to the exact amount, not to the rounded one', () => {
  // 50 % of 0.989 dollars is 0.4945; of 0.99 it would be 0.495, which rounds to 0.50.
  expect(valueDeposit(989n, 3, decimal('1'), parseFee('0', '50'))).toEqual({ usdMinor: 99n, feeMinor: 49n })
})

test.for([
  ['-0.01', '0', 'fee_rule.fixed_fee'],
  ['0.001', '0', 'fee_rule.fixed_fee'],
  ['1234567890123456', '0', 'fee_rule.fixed_fee'],
  ['0', '-1', 'fee_rule.percentage_fee'],
  ['0', '100.01', 'fee_rule.percentage_fee'],
  ['0', '0.0000001', 'fee_rule.percentage_fee'],
] as const)('a fixed fee of %s with %s percent is refused, naming %s', ([fixed, percentage, param]) => {
  expect(() => parseFee(fixed, percentage)).toThrow(
    expect.objectContaining({
      reason: 'fee_invalid',
      status: 422,
      detail: expect.objectContaining({ param }),
    }),
  )
})

test('fees are shown with at least two digits', () => {
  expect(renderFee(parseFee('1', '2.5'))).toEqual({ fixed_fee: '1.00', percentage_fee: '2.50' })
  expect(renderFee(parseFee('0.300', '0.125'))).toEqual({ fixed_fee: '0.30', percentage_fee: '0.125' })
})
