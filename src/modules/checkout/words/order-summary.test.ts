import { describe, expect, test } from 'vitest'
import { Money, sumMoney } from '#kernel/money'
import { lineTotal, type NewLineItem, type Order, type Transaction } from '#modules/payments'
import { wordsOf } from './all-words.ts'
import { balanceOf, summaryOf } from './order-summary.ts'
import { exampleOrder, exampleTransaction, line } from '../testing/example-order.ts'

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
  return summaryOf({ ...exampleOrder({ lines }), initialTips }, wordsOf('en'))
}

// Proves reference/orders#totals, reference/orders#line-items.
test('the subtotal contains discounts, surcharges, taxes and rounding, but no tips', () => {
  const { items, adjustments, subtotal, tips, total } = summary([TIPS, ...EXTRAS, TEA])
  expect(items.map(({ label }) => label)).toEqual(['Tea'])
  expect(adjustments.map(({ label }) => label)).toEqual(['Discount', 'Surcharge', 'VAT 5%', 'Rounding'])
  expect(subtotal?.toString()).toBe('193.90')
  expect(tips.map(({ label }) => label)).toEqual(['Tips'])
  expect(total.toString()).toBe('223.90')
  const above = [...items, ...adjustments].map((one) => one.total)
  expect(sumMoney('HKD', above)).toEqual(subtotal)
})

test('without tips there is no subtotal, because it would equal the total', () => {
  expect(summary([TEA, ...EXTRAS]).subtotal).toBeNull()
  expect(summaryOf(exampleOrder(), wordsOf('en')).subtotal).toBeNull()
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
])('a tax stands below the items: %s', (label) => {
  const { adjustments } = summary([TEA, line('Charge', '9.00', 1, label)])
  expect(adjustments.map((one) => one.label)).toEqual([label])
})

test.each(['Tax return preparation', 'Duty and tax free bag', '免稅商品', '稅務諮詢', 'Taxi'])(
  'an item whose label only mentions taxes stays an item: %s',
  (label) => {
    const { items } = summary([TEA, line('Listing', '300.00', 1, label)])
    expect(items.map((one) => one.label)).toEqual(['Tea', label])
  },
)

test('quantity and price are always shown, and a document always has items', () => {
  const nights = line('Charge', '10.00', 3, 'City tax')
  expect(summary([TEA, nights]).items).toMatchObject([{ label: 'Tea' }, { label: 'City tax', quantity: 3 }])
  const { items, adjustments } = summary([line('Charge', '800.00', 1, 'Property tax')])
  expect([items.length, adjustments.length]).toEqual([1, 0])
})

describe('the balance adds up: total less payments, plus refunds, less payments in progress', () => {
  const hkd = (amount: string) => Money.ofDecimal('HKD', amount)
  const order = exampleOrder({ lines: [TEA] })
  const refund = exampleTransaction(order, { type: 'Refund', amount: hkd('-30.00') })
  const paid = (state: Order['state'], paidTotal: string, reservedTotal = '0.00') => ({
    ...order,
    state,
    paidTotal: hkd(paidTotal),
    reservedTotal: hkd(reservedTotal),
  })
  const balance = (of: Order, transactions: Transaction[] = []) => {
    const { lines, left } = balanceOf({ order: of, transactions }, wordsOf('en'))
    return [...lines.map(({ label, total }) => `${label} ${total.toString()}`), left?.toString() ?? null]
  }

  test.each([
    ['unpaid', order, [], [null]],
    ['part paid', paid('open', '50.00'), [], ['Already paid 50.00', '150.00']],
    [
      'part paid, some refunded',
      paid('open', '20.00'),
      [refund],
      ['Already paid 50.00', 'Refunded -30.00', '180.00'],
    ],
    [
      'part paid, some authorized',
      paid('open', '50.00', '40.00'),
      [],
      ['Already paid 50.00', 'Being processed 40.00', '110.00'],
    ],
    ['all under way', paid('open', '0.00', '200.00'), [], [null]],
    ['paid', paid('completed', '200.00'), [], ['Already paid 200.00', null]],
    [
      'paid, some refunded',
      paid('completed', '170.00'),
      [refund],
      ['Already paid 200.00', 'Refunded -30.00', null],
    ],
  ] as const)('%s', (_name, of, transactions, expected) => {
    expect(balance(of, [...transactions])).toEqual(expected)
  })
})
