import { expect, test } from 'vitest'
import { parseHongKongTime } from './hong-kong-time.ts'

// Proves reference/wallets#listing.
test('a time is read as local time of Hong Kong', () => {
  expect(parseHongKongTime('2026-01-01 00:00:00')?.toString()).toBe('2025-12-31T16:00:00Z')
  expect(parseHongKongTime('2024-02-29 23:59:59')?.toString()).toBe('2024-02-29T15:59:59Z')
  // Hong Kong had daylight saving until 1979.
  expect(parseHongKongTime('1979-07-01 12:00:00')?.toString()).toBe('1979-07-01T03:00:00Z')
})

test.for([
  '2026-02-29 00:00:00',
  '2026-13-01 00:00:00',
  '2026-00-10 00:00:00',
  '2026-01-01 24:00:00',
  '2026-01-01 12:60:00',
  '2026-01-01 12:00:60',
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-01-01 00:00:00Z',
  '2026-1-1 0:0:0',
  '0000-01-01 00:00:00',
  '',
])('%j is not a time', (text) => {
  expect(parseHongKongTime(text)).toBeUndefined()
})
