import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { realClock } from '#kernel/clock'
import { derivedId, newId } from '#kernel/ids'
import { businessesOf } from '#modules/businesses'
import { readConfig } from '#platform/config'
import { createLog } from '#platform/observability/log'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import { startOwnSimulator } from './acquirer-books.ts'
import { recovered } from './recovered-command.ts'

const database = await createTestDatabase()
const { db, url, admin } = database
const { keyring } = createTestKeyring()
const context = {
  db,
  terminal: process,
  migrations: [],
  config: readConfig({ DATABASE_URL: url, DATA_DIR: '/nonexistent' }),
  businesses: businessesOf({ db, keyring }),
  keyring,
  keyFile: undefined,
  keyIdsInUse: [],
}

async function nextReceipt(): Promise<bigint> {
  const { rows } = await admin.query<{ next_number: bigint }>('select next_number from receipt_numbers')
  return rows[0]?.next_number ?? 0n
}

// Proves reference/operations#recovery.
test('numbers that may be in use are skipped once, and the period is recorded', async () => {
  const since = realClock.now().subtract({ minutes: 10 }).toString()
  const before = await nextReceipt()
  await createTestBusiness(database)
  const first = await recovered({ since })(context)
  expect(first.json).toMatchObject({
    skipped: { receipt_numbers: 1_000_000, document_numbers: 1_000_000 },
    unknown_bookings: [],
    not_compared: ['The simulator: set SIMULATOR_URL to that of the service.'],
  })
  expect(await nextReceipt()).toBe(before + 1_000_000n)
  expect((await recovered({ since })(context)).json).toMatchObject({ skipped: null })
  expect(await nextReceipt()).toBe(before + 1_000_000n)
  const { rows } = await admin.query('select since from recoveries where since is not null')
  expect(rows).toHaveLength(1)
})

test('a command that ended halfway skips numbers again when it is repeated', async () => {
  const since = realClock.now().subtract({ minutes: 20 }).toString()
  vi.spyOn(context.businesses, 'tenants').mockImplementationOnce(() => {
    throw new Error('killed')
  })
  await expect(recovered({ since })(context)).rejects.toThrow('killed')
  expect((await recovered({ since })(context)).json).toMatchObject({ skipped: { wallet_numbers: 1_000 } })
})

test('what the acquirer booked and nobody knows is listed with its time', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-recovered-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const simulator = await startOwnSimulator(readConfig({ DATA_DIR: dataDir }), createLog({ level: 'silent' }))
  onTestFinished(() => simulator.close())
  const payment = newId('txn')
  const renewal = derivedId('txn', Date.UTC(2026, 10, 1), 'ord_1 1')
  const card = { number: '4242424242424242', exp_month: 1, exp_year: 2040, holder_name: 'A B' }
  for (const key of [payment, renewal, 'elsewhere']) {
    const sale = { key, at: '2031-01-01T00:00:00Z', amount: '10.00', currency: 'HKD', card }
    const sold = await fetch(`${simulator.url}/sales`, { method: 'POST', body: JSON.stringify(sale) })
    expect(sold.status).toBe(200)
  }
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, SIMULATOR_URL: simulator.url })
  const since = realClock.now().subtract({ minutes: 5 }).toString()
  const { json, text } = await recovered({ since })({ ...context, config })
  const { unknown_bookings: listed } = json as { unknown_bookings: { key: string; begun_at: string }[] }
  const of = (key: string) => listed.find((booking) => booking.key === key)
  expect(of(payment)).toMatchObject({ is_renewal: false, amount: 'HKD 10.00' })
  expect(Temporal.Instant.compare(of(payment)?.begun_at ?? '', since)).toBe(1)
  expect(of(renewal)).toMatchObject({ is_renewal: true, begun_at: '2026-11-01T00:00:00.000Z' })
  expect(of('elsewhere')).toMatchObject({ is_renewal: false, begun_at: null })
  expect(text).toContain('2026-11-01T00:00:00.000Z simulator sale HKD 10.00')
})

test.each([
  ['yesterday', '--since must be an RFC 3339 time with its offset'],
  ['2999-01-01T00:00:00Z', '--since must not be in the future.'],
])('the time %s is refused', async (since, message) => {
  await expect(recovered({ since })(context)).rejects.toThrow(message)
})
