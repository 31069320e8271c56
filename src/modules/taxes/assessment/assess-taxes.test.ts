import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal, decimalToString } from '#kernel/decimal'
import { Money, sumMoney } from '#kernel/money'
import type { TaxBehavior, TaxedAs } from '../model/tax.ts'
import { assessTaxes, rateLabel, type TaxableLine, type TaxRules } from './assess-taxes.ts'

const euro = (text: string) => Money.ofDecimal('EUR', text)
const taxed = (...rates: [name: string, percentage: string][]): TaxedAs => ({
  treatment: 'taxed',
  rates: rates.map(([name, percentage]) => ({ name, percentage: decimal(percentage) })),
})
const VAT_19 = taxed(['VAT', '19'])
const lines = (taxedAs: TaxedAs, ...amounts: string[]): TaxableLine[] =>
  amounts.map((amount) => ({ amount: euro(amount), taxedAs }))
const rules = (behavior: TaxBehavior, rounding: TaxRules['rounding'] = 'document'): TaxRules => ({
  behavior,
  rounding,
  currency: 'EUR',
})
const assess = (...args: Parameters<typeof assessTaxes>) => {
  const { order, taxes } = assessTaxes(...args)
  return {
    total: order.total.toString(),
    taxes: taxes.map(String),
    groups: order.groups.map((group) => [rateLabel(group), group.base.toString(), group.amount.toString()]),
  }
}

// Proves reference/billing-tax#rounding.
test('the tax of a rate is rounded over the document, or line by line', () => {
  const three = lines(VAT_19, '1.03', '1.03', '1.03')
  expect(assess(three, rules('exclusive')).total).toBe('0.59')
  expect(assess(three, rules('exclusive', 'line'))).toMatchObject({
    total: '0.60',
    taxes: ['0.20', '0.20', '0.20'],
  })
  const inclusive = lines(VAT_19, '9.99', '9.99', '9.99')
  expect(assess(inclusive, rules('inclusive'))).toMatchObject({
    total: '4.79',
    groups: [['VAT 19%', '25.18', '4.79']],
  })
  expect(assess(inclusive, rules('inclusive', 'line')).total).toBe('4.80')
})

// Proves reference/billing-tax#rounding.
test('the taxes of lines are running shares of the tax of their rate', () => {
  const four = lines(taxed(['VAT', '20']), '68.33', '68.33', '57.50', '85.00')
  expect(assess(four, rules('exclusive'))).toEqual({
    total: '55.83',
    taxes: ['13.67', '13.66', '11.50', '17.00'],
    groups: [['VAT 20%', '279.16', '55.83']],
  })
})

// Proves reference/billing-tax#rounding.
test('a credit and a charge of two rates are two groups, and a line of two rates is in both', () => {
  const change = [...lines(VAT_19, '-33.33'), ...lines(taxed(['VAT', '16']), '66.67')]
  expect(assess(change, rules('exclusive'))).toEqual({
    total: '4.34',
    taxes: ['-6.33', '10.67'],
    groups: [
      ['VAT 19%', '-33.33', '-6.33'],
      ['VAT 16%', '66.67', '10.67'],
    ],
  })
  const quebec = taxed(['GST', '5'], ['QST', '9.975'])
  expect(assess(lines(quebec, '100.00'), rules('exclusive'))).toEqual({
    total: '14.98',
    taxes: ['14.98'],
    groups: [
      ['GST 5%', '100.00', '5.00'],
      ['QST 9.975%', '100.00', '9.98'],
    ],
  })
  // 114.98 × 5 ÷ 114.975 = 5.0002; 114.98 × 9.975 ÷ 114.975 = 9.9754
  expect(assess(lines(quebec, '114.98'), rules('inclusive')).groups).toEqual([
    ['GST 5%', '100.00', '5.00'],
    ['QST 9.975%', '100.00', '9.98'],
  ])
})

// Proves reference/billing-tax#treatments.
test('each treatment has its group, also at 0, and the payer of an inclusive price pays it whatever the treatment', () => {
  const untaxed = (treatment: TaxedAs['treatment']): TaxedAs => ({ treatment, rates: [] })
  const mixed = [
    ...lines(untaxed('reverse_charge'), '10.00'),
    ...lines(taxed(['VAT', '0']), '5.00'),
    ...lines(untaxed('no_rate'), '1.00'),
  ]
  expect(assess(mixed, rules('inclusive'))).toEqual({
    total: '0.00',
    taxes: ['0.00', '0.00', '0.00'],
    groups: [
      ['Reverse charge 0%', '10.00', '0.00'],
      ['VAT 0%', '5.00', '0.00'],
      ['No rate 0%', '1.00', '0.00'],
    ],
  })
})

// Proves reference/billing-tax#rounding.
test('the tax of lines costs in proportion to their rates', () => {
  const names = Array.from({ length: 10_000 }, (_, index): [string, string] => [`Tax ${index}`, '0.01'])
  const before = process.threadCpuUsage()
  const { total } = assess(lines(taxed(...names), '100', '200', '300'), rules('inclusive'))
  const { user, system } = process.threadCpuUsage(before)
  expect(total).toBe('300.00')
  expect((user + system) / 1_000).toBeLessThan(2_000)
})

const someRates = fc.constantFrom(
  VAT_19,
  taxed(['VAT', '7']),
  taxed(['VAT', '0']),
  taxed(['GST', '5'], ['QST', '9.975']),
  { treatment: 'exempt', rates: [] } as TaxedAs,
)
const someLines = fc.array(
  fc.record({ minor: fc.bigInt({ min: -10_000_000n, max: 10_000_000n }), taxedAs: someRates }),
  { minLength: 1, maxLength: 12 },
)

// Proves reference/billing-tax#rounding.
test('taxes of lines sum to the groups, groups to the total, and bases with an inclusive tax to the prices', () => {
  fc.assert(
    fc.property(
      someLines,
      fc.constantFrom('exclusive', 'inclusive'),
      fc.constantFrom('document', 'line'),
      (drawn, behavior, rounding) => {
        const taxable = drawn.map(({ minor, taxedAs }) => ({ amount: Money.ofMinor('EUR', minor), taxedAs }))
        const { order, taxes } = assessTaxes(taxable, { behavior, rounding, currency: 'EUR' })
        const sum = (amounts: Money[]) => sumMoney('EUR', amounts).toString()
        expect(sum([...taxes])).toBe(order.total.toString())
        expect(sum(order.groups.map(({ amount }) => amount))).toBe(order.total.toString())
        for (const { name, percentage, amount, base } of order.groups) {
          const key = `${name} ${decimalToString(percentage)}`
          const members = taxable.flatMap((line, index) =>
            line.taxedAs.rates.some((rate) => `${rate.name} ${decimalToString(rate.percentage)}` === key)
              ? [{ ...line, tax: taxes[index] ?? euro('0') }]
              : [],
          )
          if (members.length === 0) continue
          if (members.every(({ taxedAs }) => taxedAs.rates.length === 1)) {
            expect(sum(members.map(({ tax }) => tax))).toBe(amount.toString())
          }
          const nets = members.map(({ amount: price, tax }) =>
            behavior === 'inclusive' ? price.minus(tax) : price,
          )
          expect(sum(nets)).toBe(base.toString())
          if (behavior === 'exclusive' && rounding === 'document') {
            expect(
              Money.rounded('EUR', {
                unscaled: base.minor * percentage.unscaled,
                scale: 4 + percentage.scale,
              }).toString(),
            ).toBe(amount.toString())
          }
        }
      },
    ),
  )
})
