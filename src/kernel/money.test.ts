import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CURRENCIES, isCurrency, minorDigits } from './currencies.ts'
import { compareDecimals, decimal, decimalToString, divideHalfUp, parseDecimal } from './decimal.ts'
import { type Json, parseJson } from './json.ts'
import { CurrencyMismatch, Money, parseMoney, sumMoney } from './money.ts'

const currency = fc.constantFrom('HKD', 'JPY', 'KWD', 'CLF')
const minor = fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n })
const positive = fc.bigInt({ min: 1n, max: 10n ** 9n })

function hkd(text: string): Money {
  return Money.ofDecimal('HKD', text)
}

// Proves reference/conventions#money.
test('currencies have the minor digits of ISO 4217', () => {
  expect(CURRENCIES.map((code) => [code, minorDigits(code)])).toEqual(
    expect.arrayContaining([
      ['HKD', 2],
      ['USD', 2],
      ['JPY', 0],
      ['KWD', 3],
      ['CLF', 4],
      ['ISK', 0],
      ['MGA', 2],
      ['XCG', 2],
    ]),
  )
  for (const code of CURRENCIES) expect(code).toMatch(/^[A-Z]{3}$/)
  expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length)
  for (const code of ['hkd', 'XAU', 'XXX', 'BGN', 'HRK', '', 'toString'])
    expect(isCurrency(code), code).toBe(false)
  expect(() => minorDigits('XAU')).toThrow(RangeError)
})

test('an amount keeps all decimals of its currency as text and as a JSON number', () => {
  fc.assert(
    fc.property(currency, fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }), (code, amount) => {
      const money = Money.ofMinor(code, amount)
      const text = money.toString()
      expect(text).toMatch(
        minorDigits(code) === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${minorDigits(code)}}$`),
      )
      expect(Money.ofDecimal(code, text).minor).toBe(amount)
      expect(JSON.stringify({ money })).toBe(`{"money":${text}}`)
      const read = parseJson(text)
      expect(typeof read === 'string' || isNumber(read) ? parseMoney(code, read) : read).toEqual(money)
    }),
  )
})

function isNumber(value: Json): value is Extract<Json, number> {
  return typeof value === 'number' || (value !== null && typeof value === 'object' && 'source' in value)
}

test('trailing zeros do not count as digits', () => {
  expect(Money.ofDecimal('JPY', '10.00').minor).toBe(10n)
  expect(Money.ofDecimal('JPY', '1e2').minor).toBe(100n)
  expect(Money.ofDecimal('HKD', '0.5000000').minor).toBe(50n)
  expect(Money.ofDecimal('HKD', '-0').minor).toBe(0n)
  expect(Money.ofDecimal('HKD', '0e999999').minor).toBe(0n)
  expect(parseMoney('HKD', 150.5)).toEqual(hkd('150.50'))
  expect(parseMoney('JPY', '10.5')).toEqual({
    problem: 'too_many_decimals',
    message: 'must be a whole number in JPY',
  })
  expect(parseMoney('HKD', '1.005')).toEqual({
    problem: 'too_many_decimals',
    message: 'must have at most 2 decimals in HKD',
  })
})

test('an amount has at most 15 digits before the point, and an absurd exponent costs nothing', () => {
  expect(Money.ofDecimal('HKD', '999999999999999.99').minor).toBe(99999999999999999n)
  for (const text of ['1000000000000000', '1e15', '1e999999', `1e${'9'.repeat(400)}`, '9'.repeat(100_000)]) {
    expect(parseMoney('HKD', text)).toMatchObject({ problem: 'too_many_digits' })
  }
  for (const text of ['1e-999999', `0.${'0'.repeat(100_000)}1`, '1e-3']) {
    expect(parseMoney('HKD', text)).toMatchObject({ problem: 'too_many_decimals' })
  }
  for (const text of ['', 'ten', '1,000', 'NaN', '1e', '--1', ' 1', '0x1']) {
    expect(parseMoney('HKD', text)).toMatchObject({ problem: 'not_a_number' })
  }
})

test('addition is associative and commutative, and subtraction undoes it', () => {
  fc.assert(
    fc.property(minor, minor, minor, (x, y, z) => {
      const [a, b, c] = [Money.ofMinor('HKD', x), Money.ofMinor('HKD', y), Money.ofMinor('HKD', z)]
      expect(a.plus(b).plus(c)).toEqual(a.plus(b.plus(c)))
      expect(a.plus(b)).toEqual(b.plus(a))
      expect(a.plus(b).minus(b)).toEqual(a)
      expect(a.plus(b).minor).toBe(x + y)
      expect(sumMoney('HKD', [a, b, c]).minor).toBe(x + y + z)
      expect(a.negated().negated()).toEqual(a)
    }),
  )
})

test('0.1 and 0.2 make 0.3', () => {
  expect(hkd('0.1').plus(hkd('0.2')).equals(hkd('0.3'))).toBe(true)
})

test('amounts compare by their minor units', () => {
  fc.assert(
    fc.property(minor, minor, (x, y) => {
      const [a, b] = [Money.ofMinor('HKD', x), Money.ofMinor('HKD', y)]
      expect(Math.sign(a.compare(b))).toBe(x < y ? -1 : x > y ? 1 : 0)
      expect([a.lessThan(b), a.equals(b), a.greaterThan(b)]).toEqual([x < y, x === y, x > y])
      expect([a.isNegative(), a.isZero(), a.isPositive()]).toEqual([x < 0n, x === 0n, x > 0n])
      expect(a.abs().isNegative()).toBe(false)
    }),
  )
})

test('two currencies are never combined', () => {
  const [a, b] = [Money.zero('HKD'), Money.zero('USD')]
  for (const mix of [
    () => a.plus(b),
    () => a.minus(b),
    () => a.compare(b),
    () => a.equals(b),
    () => a.lessThan(b),
    () => a.greaterThan(b),
    () => sumMoney('HKD', [b]),
  ]) {
    expect(mix).toThrow(CurrencyMismatch)
  }
})

test('a half rounds away from zero, above and below zero', () => {
  expect(hkd('0.05').prorate(1n, 2n).toString()).toBe('0.03')
  expect(hkd('-0.05').prorate(1n, 2n).toString()).toBe('-0.03')
  expect(hkd('0.05').prorate(49n, 100n).toString()).toBe('0.02')
  expect(hkd('10.00').prorate(255n, 10_000n).toString()).toBe('0.26')
  expect(hkd('10.00').prorate(254n, 10_000n).toString()).toBe('0.25')
  expect(() => hkd('1').prorate(1n, 0n)).toThrow(RangeError)
})

test('half-up division is off by at most a half, and exactly a half rounds away from zero', () => {
  fc.assert(
    fc.property(minor, positive, fc.boolean(), (n, d, flip) => {
      const denominator = flip ? -d : d
      const result = divideHalfUp(n, denominator)
      // |n/d − result| ≤ 1/2, multiplied out. For exactly a half, the sign of the difference decides.
      const difference = 2n * (n - result * denominator)
      const distance = difference < 0n ? -difference : difference
      expect(distance <= d).toBe(true)
      if (distance === d) {
        const away = result < 0n ? -result : result
        expect(away * d * 2n > (n < 0n ? -n : n) * 2n).toBe(true)
      }
      expect(divideHalfUp(-n, denominator)).toBe(result === 0n ? 0n : -result)
    }),
  )
})

test('a prorated share and the rest differ from the whole by at most one minor unit', () => {
  fc.assert(
    fc.property(minor, fc.integer({ min: 1, max: 366 }), fc.nat(366), (amount, days, part) => {
      const used = BigInt(Math.min(part, days))
      const whole = Money.ofMinor('HKD', amount)
      const shares = whole.prorate(used, BigInt(days)).plus(whole.prorate(BigInt(days) - used, BigInt(days)))
      expect(shares.minus(whole).abs().minor <= 1n).toBe(true)
    }),
  )
})

test('a decimal keeps its value through text, and decimals compare by value', () => {
  const value = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(10))
  fc.assert(
    fc.property(value, value, ([x, xs], [y, ys]) => {
      const a = decimal(`${x}e-${xs}`)
      const b = decimal(`${y}e-${ys}`)
      expect(parseDecimal(decimalToString(a))).toEqual(a)
      expect(parseDecimal(decimalToString(a, 12))).toEqual(a)
      const [left, right] = [x * 10n ** BigInt(ys), y * 10n ** BigInt(xs)]
      expect(compareDecimals(a, b)).toBe(left < right ? -1 : left > right ? 1 : 0)
    }),
  )
  expect(decimal('10.00')).toEqual({ unscaled: 10n, scale: 0 })
  expect(decimalToString(decimal('-0.050'), 2)).toBe('-0.05')
  expect(parseDecimal('1e31')).toMatchObject({ problem: 'too_many_digits' })
})
