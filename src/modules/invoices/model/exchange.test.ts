import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal } from '#kernel/decimal'
import { Money, sumMoney } from '#kernel/money'
import { convert, type ExchangeRate, type TaxGroup } from '#modules/taxes'
import { exchangeOf } from './exchange.ts'

// Proves reference/billing-tax#tax-in-the-sellers-currency.

const DATE = '2031-06-15'
const usd = (text: string) => Money.ofDecimal('USD', text)

function rateOf(rate: string, [base, quote]: readonly [string, string] = ['EUR', 'USD']): ExchangeRate {
  return { date: DATE, base, quote, rate: decimal(rate) }
}

function group(amount: Money, treatment: TaxGroup['treatment'] = 'taxed'): TaxGroup {
  return { name: 'VAT', percentage: decimal(19), treatment, base: amount.times(5n), amount }
}

test.each([
  [usd('19.00'), rateOf('1.0835'), '17.54'],
  [usd('19.00'), rateOf('0.9', ['USD', 'EUR']), '17.10'],
  [usd('-0.01'), rateOf('2'), '-0.01'],
  [usd('1.00'), rateOf('150.25', ['USD', 'JPY']), '150'],
  [Money.ofDecimal('JPY', '150'), rateOf('150.25', ['USD', 'JPY']), '1.00'],
  [Money.ofDecimal('KWD', '1.005'), rateOf('3', ['KWD', 'EUR']), '3.02'],
])('%s is converted in either direction of a rate, and rounded once', (amount, rate, expected) => {
  expect(convert(amount, rate).toString()).toBe(expected)
})

test('a document that is not taxed needs no rate', () => {
  const wanted = { currency: 'EUR', date: DATE, rate: rateOf('1.1') }
  expect(exchangeOf([group(usd('0.00'), 'reverse_charge')], wanted)).toBeUndefined()
  expect(exchangeOf([group(usd('0.00'))], undefined)).toBeUndefined()
})

const rates = fc.tuple(fc.integer({ min: 1, max: 10_000_000 }), fc.boolean()).map(([unscaled, isDirect]) => ({
  ...rateOf('1', isDirect ? ['USD', 'EUR'] : ['EUR', 'USD']),
  rate: { unscaled: BigInt(unscaled), scale: 4 },
}))
const amounts = fc.array(fc.bigInt({ min: -1_000_000n, max: 1_000_000n }), { minLength: 1, maxLength: 6 })

test('taxes in the currency of the seller sum to the total, which is rounded once', () => {
  fc.assert(
    fc.property(rates, amounts, (rate, minors) => {
      const groups = minors.map((minor) => group(Money.ofMinor('USD', minor)))
      const converted = exchangeOf(groups, { currency: 'EUR', date: DATE, rate })?.converted
      const whole = convert(
        sumMoney(
          'USD',
          groups.map(({ amount }) => amount),
        ),
        rate,
      )
      expect(converted?.total).toEqual(whole)
      const shares = converted?.groups.map(({ amount }) => amount) ?? []
      expect(sumMoney('EUR', shares)).toEqual(whole)
    }),
  )
})

test('all credit notes of an invoice take back its tax in the currency of the seller, to the cent', () => {
  fc.assert(
    fc.property(rates, amounts, (rate, minors) => {
      const parts = minors.map((minor) => Money.ofMinor('USD', minor))
      const notes = parts.map((amount, index) => {
        const tax = sumMoney('USD', parts.slice(0, index))
        const before = { base: tax.times(5n), tax }
        return exchangeOf([group(amount)], { currency: 'EUR', date: DATE, rate }, before)?.converted
      })
      const totals = notes.flatMap((note) => (note == null ? [] : note.total))
      expect(sumMoney('EUR', totals)).toEqual(convert(sumMoney('USD', parts), rate))
    }),
  )
})
