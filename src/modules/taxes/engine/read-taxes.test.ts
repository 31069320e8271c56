import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type JsonObject, parseJson } from '#kernel/json'
import { Money } from '#kernel/money'
import { assessTaxes, type TaxRules } from '../assessment/assess-taxes.ts'
import type { TaxBehavior } from '../model/tax.ts'
import type { EngineTaxes, TaxQuestion } from '../model/tax-answers.ts'
import { readTaxes } from './read-taxes.ts'

const question = (behavior: TaxBehavior, ...amounts: bigint[]): TaxQuestion => ({
  key: '',
  body: {},
  lines: amounts.map((minor, index) => ({
    id: String(index + 1),
    line: { amount: Money.ofMinor('EUR', minor), taxCategory: 'standard', taxBehavior: behavior },
  })),
})
const read = (text: string, asked: TaxQuestion) => readTaxes(parseJson(text) as JsonObject, asked)
const taxes = (...list: unknown[]) => JSON.stringify({ lines: [{ id: '1', taxes: list }] })
const tax = (percentage: unknown, amount: unknown, name: unknown = 'VAT') => ({ name, percentage, amount })
const HUNDRED = question('exclusive', 10_000n)

// Proves reference/billing-tax#engine.
test('an amount is the exact tax, rounded up or down to the minor unit', () => {
  for (const [percentage, amount, isRight] of [
    [10, 10, true],
    [10, -10, false],
    [10, -1_000, false],
    [10, 900_000_000_000, false],
    [10, 9.99, false],
    [9.9755, 9.97, true],
    [9.9755, 9.98, true],
    [9.9755, 9.96, false],
    [9.9755, 9.99, false],
    [0, 0, true],
    [0, 0.01, false],
  ] as const) {
    expect(read(taxes(tax(percentage, amount)), HUNDRED) !== null, `${percentage} % ${amount}`).toBe(isRight)
  }
  const inclusive = question('inclusive', 11_900n)
  expect(read(taxes(tax(19, 19)), inclusive)).toHaveLength(1)
  expect(read(taxes(tax(19, 22.61)), inclusive)).toBeNull()
  const cent = question('inclusive', 1n)
  expect(read(taxes(tax(1, 0.01, 'A')), cent)).toHaveLength(1)
  expect(read(taxes(tax(1, 0.01, 'A'), tax(1, 0.01, 'B')), cent)).toBeNull()
})

// Proves reference/billing-tax#engine.
test.each([
  ['no lines', '{}'],
  ['a line without taxes', '{"lines":[{"id":"1"}]}'],
  ['a line that was not asked for', '{"lines":[{"id":"2","taxes":[]}]}'],
  ['a line twice', '{"lines":[{"id":"1","taxes":[]},{"id":"1","taxes":[]}]}'],
  ['another line beside', '{"lines":[{"id":"1","taxes":[]},{"id":"2","taxes":[]}]}'],
  ['a number as id', '{"lines":[{"id":1,"taxes":[]}]}'],
  ['21 taxes', taxes(...Array.from({ length: 21 }, (_, at) => tax(1, 1, `T${at}`)))],
  ['a tax twice', taxes(tax(1, 1), tax(1, 1))],
  ['an amount as text', taxes(tax(10, '10'))],
  [
    'an amount with three decimals',
    '{"lines":[{"id":"1","taxes":[{"name":"T","percentage":10,"amount":10.001}]}]}',
  ],
  ['an amount of 400 digits', `{"lines":[{"id":"1","taxes":[{"name":"T","percentage":10,"amount":1e400}]}]}`],
  ['a negative percentage', taxes(tax(-10, -10))],
  ['a percentage above 100', taxes(tax(101, 101))],
  ['a percentage of seven decimals', taxes(tax(1.1234567, 1.12))],
  ['no name', taxes(tax(10, 10, ''))],
  ['a blank name', taxes(tax(10, 10, ' '))],
  ['a name of a line break', taxes(tax(10, 10, 'a\nb'))],
  ['a name of a line separator', taxes(tax(10, 10, 'a\u2028b'))],
  ['a name that changes the direction', taxes(tax(10, 10, 'a\u202eb'))],
  ['a long name', taxes(tax(10, 10, 'a'.repeat(256)))],
  ['a tax that is a list', taxes([10, 10])],
])('an answer with %s is silence', (_, text) => {
  expect(read(text, HUNDRED)).toBeNull()
})

// Proves reference/billing-tax#engine.
test('whatever an engine answers, it is silence or an order whose taxes are right', () => {
  const random = fc.record({
    percentage: fc.constantFrom(0, 5, 9.975, 19, 100),
    off: fc.constantFrom(-100n, -1n, 0n, 0n, 0n, 1n),
  })
  const line = fc.record({ minor: fc.bigInt(0n, 1_000_000n), taxes: fc.array(random, { maxLength: 3 }) })
  let believed = 0
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 4 }),
      fc.constantFrom<TaxBehavior>('exclusive', 'inclusive'),
      (drawn, behavior) => {
        const asked = question(behavior, ...drawn.map(({ minor }) => minor))
        const lines = drawn.map(({ minor, taxes: answered }, index) => {
          const all = answered.reduce((sum, one) => sum + one.percentage * 1_000, 0)
          const whole = behavior === 'inclusive' ? 100_000 + all : 100_000
          return {
            id: String(index + 1),
            taxes: answered.map(({ percentage, off }, at) => {
              const exact = (minor * BigInt(percentage * 1_000)) / BigInt(whole)
              return { name: `T${at}`, percentage, amount: Money.ofMinor('EUR', exact + off) }
            }),
          }
        })
        const answer = read(JSON.stringify({ lines }), asked)
        if (answer === null) return
        believed += 1
        expectRight(asked, answer, behavior)
      },
    ),
    { numRuns: 1_000 },
  )
  expect(believed).toBeGreaterThan(50)
})

function expectRight({ lines }: TaxQuestion, answer: EngineTaxes, behavior: TaxBehavior): void {
  const rules: TaxRules = { behavior, rounding: 'document', currency: 'EUR' }
  const taxable = lines.map(({ line: { amount } }, index) => {
    const rates = answer[index] ?? []
    return {
      amount,
      taxedAs: { treatment: 'taxed' as const, rates },
      amounts: rates.map((one) => one.amount),
    }
  })
  const { order } = assessTaxes(taxable, rules)
  for (const { base, percentage, amount } of order.groups) {
    expect(base.isNegative()).toBe(false)
    expect(amount.isNegative()).toBe(false)
    const exact = base.toDecimal()
    const difference =
      amount.minor * 100n * 10n ** BigInt(percentage.scale) - exact.unscaled * percentage.unscaled
    // A cent for each line, and one for each of up to three taxes that are taken out of an inclusive price.
    const bound = BigInt(lines.length * 4) * 100n * 10n ** BigInt(percentage.scale)
    expect(difference < bound && difference > -bound).toBe(true)
  }
  expect(
    order.total.equals(order.groups.reduce((sum, group) => sum.plus(group.amount), Money.zero('EUR'))),
  ).toBe(true)
}
