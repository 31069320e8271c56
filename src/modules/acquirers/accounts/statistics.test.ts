import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { capabilitiesOf } from '../capabilities.ts'
import type { Acquirer } from '../port/port.ts'
import { AccountStatistics, addAccountGauges, observed } from './statistics.ts'

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

// Proves reference/operations#metrics.
test('metrics show rate and duration of accounts with enough payments, and drop those that had none for an hour', async () => {
  let now = 0
  const statistics = new AccountStatistics(() => now)
  const registry = new Registry()
  addAccountGauges(registry, statistics)
  const shown = async () =>
    (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('acquirer_'))
      .toSorted()
  for (let index = 0; index < 20; index++) {
    statistics.record('acc_1', index < 15 ? 'approved' : 'declined', 250)
    if (index > 0) statistics.record('acc_2', 'approved', 100)
  }
  expect(await shown()).toEqual([
    'acquirer_account_average_duration_seconds{account="acc_1"} 0.25',
    'acquirer_account_success_rate{account="acc_1"} 0.75',
  ])
  now += 1_800_000
  statistics.record('acc_2', 'unknown', 2_100)
  expect(await shown()).toEqual([
    'acquirer_account_average_duration_seconds{account="acc_1"} 0.25',
    'acquirer_account_average_duration_seconds{account="acc_2"} 0.2',
    'acquirer_account_success_rate{account="acc_1"} 0.75',
    'acquirer_account_success_rate{account="acc_2"} 0.95',
  ])
  now += 1_800_000
  expect(await shown()).toEqual([])
})

test('however many accounts there are, metrics show the 2,000 that were used last', async () => {
  const statistics = new AccountStatistics(() => 0)
  const registry = new Registry()
  addAccountGauges(registry, statistics)
  for (let account = 0; account < 2_100; account++) {
    for (let index = 0; index < 20; index++) statistics.record(`acc_${account}`, 'approved', 1)
  }
  const text = await registry.metrics()
  expect(text.match(/^acquirer_account_success_rate\{/gm)).toHaveLength(2_000)
  expect(text).toContain('"acc_2099"')
  expect(text).not.toContain('"acc_99"')
})

// Proves reference/customers#agreements.
test('what is observed of an acquirer can do everything that the acquirer can', () => {
  const done = async (): Promise<never> => {
    throw new Error('not part of this test')
  }
  const acquirer: Required<Acquirer> = {
    sale: done,
    authorize: done,
    capture: done,
    refund: done,
    void: done,
    verify: done,
    inquire: done,
    closeKey: done,
    name: 'all',
    merchantId: 'M1',
    capabilities: capabilitiesOf('airwallex'),
    bookings: done,
    agreements: { read: done, end: done },
    keysKeptHours: 24,
  }
  const seen = observed(acquirer, () => {})
  expect(Object.keys(seen).toSorted()).toEqual(Object.keys(acquirer).toSorted())
  expect(seen.agreements).toBe(acquirer.agreements)
})
