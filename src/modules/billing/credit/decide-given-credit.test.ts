import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { decideGivenCredit } from './decide-given-credit.ts'

const hkd = (minor: bigint) => Money.ofMinor('HKD', minor)
const at = Temporal.Instant.from('2026-01-01T00:00:00Z')
const gift = (planId: string, toCredit: bigint, sources: readonly (readonly [string, bigint])[]) => ({
  planId,
  order: { id: `${planId}-change`, referenceNumber: `${planId}-2` },
  toCredit: hkd(toCredit),
  sources: sources.map(([orderId, amount]) => ({ orderId, amount: hkd(amount) })),
  at,
})

// Proves reference/billing-changes#once.
test('orders give credit only as far as their payments cover it, over all gifts', () => {
  const { entries, given, takenOf } = decideGivenCredit(
    [gift('p', 100n, [['o', 70n]]), gift('q', 80n, [['o', 80n]])],
    new Map([['o', hkd(90n)]]),
  )
  expect(entries.map(({ planId, orderId, amount }) => [planId, orderId, amount.minor])).toEqual([
    ['p', 'o', 70n],
    ['p', null, 30n],
    ['q', 'o', 80n],
    ['q', 'o', -60n],
  ])
  expect(given).toEqual([{ orderId: 'o', amount: hkd(90n), taken: hkd(60n) }])
  expect([...takenOf].map(([planId, taken]) => [planId, taken.minor])).toEqual([
    ['p', 0n],
    ['q', 60n],
  ])
})
