import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CURRENCIES, minorDigits } from '#kernel/currencies'
import { Money } from '#kernel/money'
import { currencyOf, fromStripeAmount, toStripeAmount } from './amounts.ts'

// Proves reference/acquirers#stripe.

test.each([
  ['USD', '10.99', 1099n],
  ['JPY', '500', 500n],
  ['HUF', '10.45', 1045n],
  ['ISK', '5', 500n],
  ['UGX', '5', 500n],
  ['MGA', '7.00', 7n],
  ['KWD', '5.120', 5120n],
])('%s %s is %s at Stripe', (currency, text, amount) => {
  const money = Money.ofDecimal(currency, text)
  expect(toStripeAmount(money)).toEqual({ amount })
  expect(fromStripeAmount(currency, amount)).toBe(money.minor)
})

test.each([
  ['MGA', '7.40', 'Stripe takes amounts in MGA only in steps of 1.00.'],
  ['KWD', '5.124', 'Stripe takes amounts in KWD only in steps of 0.010.'],
  ['CLF', '1.0000', 'Stripe does not take CLF.'],
])('%s %s is refused before it is sent', (currency, text, problem) => {
  expect(toStripeAmount(Money.ofDecimal(currency, text))).toEqual({ problem })
})

test('every amount that Stripe takes comes back as it was', () => {
  fc.assert(
    fc.property(fc.constantFrom(...CURRENCIES), fc.bigInt(1n, 10n ** 15n), (currency, minor) => {
      const sent = toStripeAmount(Money.ofMinor(currency, minor))
      if ('amount' in sent) expect(fromStripeAmount(currency, sent.amount)).toBe(minor)
      else expect(minorDigits(currency) > 2 || currency === 'MGA').toBe(true)
    }),
  )
})

test('currencies are read in lower case', () => {
  expect([currencyOf('usd'), currencyOf('xyz'), currencyOf(undefined)]).toEqual(['USD', null, null])
})
