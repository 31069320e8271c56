import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CURRENCIES } from '#kernel/currencies'
import { Money } from '#kernel/money'
import { fromAdyenAmount, toAdyenAmount } from './amounts.ts'

// Proves reference/acquirers#adyen.
test.each([
  ['EUR', '10.00', 1000],
  ['JPY', '10', 10],
  ['BHD', '10.000', 10_000],
  ['ISK', '10', 1000],
  ['CLP', '10', 1000],
  ['IDR', '10.00', 10],
  ['CVE', '10.00', 10],
])('%s %s is %i to Adyen', (currency, text, value) => {
  const amount = Money.ofDecimal(currency, text)
  expect(toAdyenAmount(amount)).toEqual({ currency, value })
  expect(fromAdyenAmount(currency, String(value))?.toString()).toBe(amount.toString())
})

test('a fraction that Adyen cannot express is not rounded', () => {
  expect(toAdyenAmount(Money.ofDecimal('IDR', '10.50'))).toBeNull()
  expect(fromAdyenAmount('ISK', '1050')).toBeNull()
  expect(fromAdyenAmount('XXX', '1')).toBeNull()
  expect(fromAdyenAmount('EUR', '1.5')).toBeNull()
})

test('every amount that Adyen takes comes back unchanged', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...CURRENCIES),
      fc.bigInt({ min: 0n, max: 10n ** 14n }),
      (currency, minor) => {
        const amount = Money.ofMinor(currency, minor)
        const sent = toAdyenAmount(amount)
        if (sent !== null) expect(fromAdyenAmount(currency, String(sent.value))?.equals(amount)).toBe(true)
      },
    ),
  )
})
