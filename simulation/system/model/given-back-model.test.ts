import { expect, test } from 'vitest'
import { creditOf, type GivingOrder, overGiven } from './given-back-model.ts'

function order(changes: Partial<GivingOrder> = {}): GivingOrder {
  return {
    number: 'ord_1',
    isOfChange: false,
    paid: 6_000n,
    refunded: 0n,
    used: 0n,
    gave: 0n,
    noted: 0n,
    ...changes,
  }
}

const CHANGE = order({ number: 'ord_2', isOfChange: true, paid: 0n, gave: 2_800n })

function overOf(orders: readonly GivingOrder[], shown = 0n, wasUndone = false): string {
  return overGiven(orders, { shown, wasUndone }).join('\n')
}

test('finds what was given back twice: by a note and a change, a refund and a note, a refund and a change', () => {
  expect(overOf([order({ noted: 3_200n }), CHANGE])).toBe('')
  expect(overOf([order({ noted: 6_000n }), CHANGE])).toContain('of the period of ord_1 2800 more')
  expect(overOf([order({ refunded: 6_000n }), CHANGE])).toContain('of the period of ord_1 2800 more')
  expect(overOf([order({ refunded: 2_000n, noted: 4_001n })])).toContain('of ord_1 1 more')
  expect(overOf([order({ paid: 0n }), CHANGE])).toContain('of the period of ord_1 2800 more')
})

test('the orders of one period pay for each other, and those of another do not', () => {
  const upgrade = order({ number: 'ord_2', isOfChange: true, paid: 3_000n })
  const twice = { ...CHANGE, number: 'ord_3', gave: 8_000n }
  expect(overOf([order(), upgrade, twice])).toBe('')
  expect(overOf([order(), order({ number: 'ord_2', paid: 3_000n }), twice])).toContain('ord_2 5000 more')
  expect(overOf([order({ paid: 1_000n, used: 5_000n, refunded: 1_000n, noted: 5_000n })])).toBe('')
})

test('of a payment that was undone only the credit that was spent may be missing', () => {
  const unpaid = order({ paid: 0n })
  expect(overOf([unpaid, CHANGE], 0n, true)).toBe('')
  expect(overOf([unpaid, CHANGE], 2_800n, true)).toContain('2800 more')
  const next = order({ number: 'ord_3', paid: 0n, used: 1_000n })
  expect(overOf([unpaid, CHANGE, next], 0n, true)).toBe('')
})

test('the credit of a plan is what was given less what was used, and nothing is taken back of what was not undone', () => {
  const orders = [order({ noted: 1_000n }), CHANGE, order({ number: 'ord_3', used: 3_000n })]
  expect(creditOf(orders, { shown: 800n, wasUndone: false })).toEqual([])
  expect(creditOf(orders, { shown: 799n, wasUndone: false })).toEqual(['the credit is 799, expected 800'])
  expect(creditOf(orders, { shown: 0n, wasUndone: true })).toEqual([])
  expect(creditOf(orders, { shown: 801n, wasUndone: true })).toHaveLength(1)
  expect(creditOf(orders, { shown: -1n, wasUndone: true })).toHaveLength(1)
})
