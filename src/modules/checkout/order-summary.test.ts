import { expect, test } from 'vitest'
import { sumMoney } from '#kernel/money'
import { lineTotal, type NewLineItem } from '#modules/payments'
import { WORDS } from './all-words.ts'
import { summaryOf } from './order-summary.ts'
import { exampleOrder, line } from './testing/example-order.ts'

const TEA = line('Charge', '100.00', 2, 'Tea')
const EXTRAS = [
  line('Charge', '-20.00', 1, 'Discount'),
  line('SurchargeFee', '5.00', 1, null),
  line('Charge', '9.00', 1, 'VAT 5%'),
  line('Rounding', '-0.10', 1, null),
]
const TIPS = line('RearTips', '30.00', 1, null)

function summary(lines: readonly NewLineItem[]) {
  const tips = lines.filter(({ purchasableType }) => purchasableType === 'RearTips')
  const initialTips = sumMoney('HKD', tips.map(lineTotal))
  return summaryOf({ ...exampleOrder({ lines }), initialTips }, WORDS.en)
}

test('the subtotal is the order’s: discounts, surcharges, taxes and rounding are in it, tips are not', () => {
  const { items, adjustments, subtotal, tips, total } = summary([TIPS, ...EXTRAS, TEA])
  expect(items.map(({ label }) => label)).toEqual(['Tea'])
  expect(adjustments.map(({ label }) => label)).toEqual(['Discount', 'Surcharge', 'VAT 5%', 'Rounding'])
  expect(subtotal?.toString()).toBe('193.90')
  expect(tips.map(({ label }) => label)).toEqual(['Tips'])
  expect(total.toString()).toBe('223.90')
  const above = [...items, ...adjustments].map((one) => one.total)
  expect(sumMoney('HKD', above)).toEqual(subtotal)
})

test('without tips there is no subtotal, which would be the total', () => {
  expect(summary([TEA, ...EXTRAS]).subtotal).toBeNull()
  expect(summaryOf(exampleOrder(), WORDS.en).subtotal).toBeNull()
})
