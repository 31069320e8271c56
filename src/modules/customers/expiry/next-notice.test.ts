import { expect, test } from 'vitest'
import { nextNoticeAt } from './next-notice.ts'

const ZONE = 'Europe/Berlin'
/** The card's last month is March 2027, in which daylight saving begins. */
const END = Temporal.Instant.from('2027-03-31T22:00:00Z')

// Proves reference/customers#expiring-cards.
test.each([
  ['2027-01-01T00:00:00Z', '2027-03-01T23:00:00Z'],
  ['2027-03-01T22:59:59Z', '2027-03-01T23:00:00Z'],
  ['2027-03-01T23:00:00Z', '2027-03-24T23:00:00Z'],
  ['2027-03-24T23:00:00Z', undefined],
  ['2027-04-20T00:00:00Z', undefined],
])('after %s the next notice is at %s', (after, notice) => {
  expect(nextNoticeAt(END, ZONE, Temporal.Instant.from(after))?.toString()).toBe(notice)
})

test('a wallet has no notice', () => {
  expect(nextNoticeAt(null, ZONE, END)).toBeNull()
})
