import { expect, test } from 'vitest'
import { AccountStatistics } from './statistics.ts'

function statisticsAt(start: number) {
  let now = start
  const statistics = new AccountStatistics(() => now)
  const record = (kind: Parameters<AccountStatistics['record']>[1], count: number, durationMs = 100) => {
    for (let index = 0; index < count; index++) statistics.record('acc_1', kind, durationMs)
  }
  const pass = (ms: number) => {
    now += ms
  }
  return { of: () => statistics.of('acc_1'), pass, record }
}

// Proves reference/acquirers#routing.
test('a rate needs 20 payments that ended, and those that wait for the payer do not count', () => {
  const { of, record } = statisticsAt(0)
  record('approved', 19)
  record('pending', 100)
  expect(of()).toEqual({ successRate: null, averageMs: null })
  record('declined', 1, 2_100)
  expect(of()).toEqual({ successRate: 0.95, averageMs: 200 })
})

test('a rate is of the last 200 payments within an hour', () => {
  const { of, pass, record } = statisticsAt(0)
  record('declined', 100)
  record('approved', 150)
  expect(of().successRate).toBe(0.75)
  pass(1_800_000)
  record('unknown', 50)
  expect(of().successRate).toBe(0.75)
  pass(1_800_000)
  expect(of().successRate).toBe(0)
  pass(1_800_000)
  expect(of().successRate).toBeNull()
})
