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

test.each([
  'Tax',
  'VAT 5%',
  'GST (10%)',
  'Sales tax',
  '10% VAT',
  'VAT @ 7.5 %',
  '消費稅',
  '增值税 6%',
  '稅項（5%）',
])('a line of tax stands below the items: %s', (label) => {
  const { adjustments } = summary([TEA, line('Charge', '9.00', 1, label)])
  expect(adjustments.map((one) => one.label)).toEqual([label])
})

test.each(['Tax return preparation', 'Duty and tax free bag', '免稅商品', '稅務諮詢', 'Taxi'])(
  'what only speaks of taxes is sold like others: %s',
  (label) => {
    const { items } = summary([TEA, line('Listing', '300.00', 1, label)])
    expect(items.map((one) => one.label)).toEqual(['Tea', label])
  },
)

test('how many and at what price is never left out, and a document has items', () => {
  const nights = line('Charge', '10.00', 3, 'City tax')
  expect(summary([TEA, nights]).items).toMatchObject([{ label: 'Tea' }, { label: 'City tax', quantity: 3 }])
  const { items, adjustments } = summary([line('Charge', '800.00', 1, 'Property tax')])
  expect([items.length, adjustments.length]).toEqual([1, 0])
})
