import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localDateOf, type TimeZone } from '#kernel/time-zone'
import { combineFacts } from './combine-facts.ts'
import { type Fact, NOTHING } from '../model/fact.ts'

const ZONES: readonly TimeZone[] = ['UTC', 'Asia/Kathmandu', 'Pacific/Chatham', 'America/St_Johns']
const FIRST_MS = Date.parse('2026-03-28T00:00:00Z')

const facts = fc.array(
  fc.record({
    minutes: fc.integer({ min: 0, max: 3_000 }),
    currency: fc.constantFrom('HKD', 'USD'),
    paid: fc.bigInt(-500n, 500n),
    approved: fc.integer({ min: -1, max: 1 }),
    declineCode: fc.constantFrom(null, 'card_declined', 'expired_card'),
  }),
)

test('facts that are combined add the same to every day in every time zone', () => {
  fc.assert(
    fc.property(facts, fc.constantFrom(...ZONES), (drawn, zone) => {
      const separate = drawn.map(({ minutes, ...measures }, index): Fact => {
        const dayAt = Temporal.Instant.fromEpochMilliseconds(FIRST_MS + minutes * 60_000)
        const declined = measures.declineCode === null ? 0 : 1
        return {
          ...NOTHING,
          id: String(index),
          dayAt,
          declined,
          declinedAmount: BigInt(minutes),
          ...measures,
        }
      })
      expect(totals(combineFacts(separate), zone)).toEqual(totals(separate, zone))
    }),
  )
})

test('what one payment changes is one fact', () => {
  const dayAt = Temporal.Instant.from('2026-03-28T10:00:00Z')
  const fact = { ...NOTHING, id: 'fct_1', dayAt, currency: 'HKD' } as const
  expect(
    combineFacts([
      { ...fact, paid: 5n },
      { ...fact, approved: 1 },
      { ...fact, ordersPaid: 1 },
    ]),
  ).toEqual([{ ...fact, paid: 5n, approved: 1, ordersPaid: 1 }])
})

function totals(added: readonly Fact[], zone: TimeZone): Record<string, (bigint | number)[]> {
  const sums: Record<string, (bigint | number)[]> = {}
  for (const { dayAt, currency, declineCode, paid, approved, declined, declinedAmount } of added) {
    const key = `${currency} ${localDateOf(dayAt, zone).toString()} ${declineCode}`
    const [a = 0n, b = 0, c = 0, d = 0n] = (sums[key] ?? []) as [bigint?, number?, number?, bigint?]
    sums[key] = [a + paid, b + approved, c + declined, d + declinedAmount]
  }
  return sums
}
