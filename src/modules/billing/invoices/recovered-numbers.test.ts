import { expect, test } from 'vitest'
import { findNumberGaps, numbersToSkip, skipDocumentNumbers } from '#modules/invoices'
import { advanceTo } from '#platform/testing/clock'
import { createFixture } from '../testing/fixture.ts'
import { openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-invoices#numbers.

const fixture = await createFixture()

async function openShop(environment: 'live' | 'test') {
  const { caller, customer } = await openInvoiceShop(fixture, '2031-06-15T02:00:00Z')
  const { db } = fixture
  const lines = [{ label: 'Set-up', quantity: 1, unit_amount: 100 }]
  return {
    numberAt: async (at: string) => {
      await advanceTo(db, fixture.jobs, caller.businessId, Temporal.Instant.from(at))
      const request = { customer_uuid: customer, currency: 'EUR', lines }
      return (await fixture.invoices.create(caller, request)).invoice.number
    },
    recover: (count: number) =>
      db.transact(caller.businessId, (tx) =>
        skipDocumentNumbers(
          tx,
          { timeZone: 'Europe/Berlin', environment },
          { since: tx.now.subtract({ minutes: 1 }), count },
        ),
      ),
    gaps: async () =>
      (await db.transact(caller.businessId, (tx) => findNumberGaps(tx))).map(({ year, from, to }) => [
        year,
        Number(from),
        Number(to),
      ]),
  }
}

test('in live the next year begins at 1, because the lost time did not reach it', async () => {
  const shop = await openShop('live')
  await shop.numberAt('2031-06-15T02:00:00Z')
  await shop.recover(1_000)
  expect(await shop.numberAt('2031-06-16T00:00:00Z')).toBe('INV-2031-001002')
  expect(await shop.numberAt('2032-06-16T00:00:00Z')).toBe('INV-2032-000001')
  expect(await shop.gaps()).toEqual([[2031, 2, 1_001]])
})

test('a second recovery skips again, behind the first or where documents stand between them', async () => {
  const shop = await openShop('live')
  await shop.numberAt('2031-06-15T02:00:00Z')
  await shop.recover(1_000)
  await shop.recover(500)
  expect(await shop.gaps()).toEqual([[2031, 2, 1_501]])
  expect(await shop.numberAt('2031-06-16T00:00:00Z')).toBe('INV-2031-001502')
  await shop.recover(10)
  expect(await shop.numberAt('2031-06-17T00:00:00Z')).toBe('INV-2031-001513')
  expect(await shop.gaps()).toEqual([
    [2031, 2, 1_501],
    [2031, 1_503, 1_512],
  ])
})

test('a sequence that the backup did not have skips what every recovery skipped, in test also of later years', async () => {
  const shop = await openShop('test')
  await shop.recover(1_000)
  await shop.recover(500)
  expect(await shop.numberAt('2031-06-15T02:00:00Z')).toBe('INV-2031-001501')
  expect(await shop.numberAt('2034-06-15T02:00:00Z')).toBe('INV-2034-001501')
  await shop.recover(10)
  expect(await shop.gaps()).toEqual([
    [2031, 1, 1_500],
    [2034, 1, 1_500],
    [2034, 1_502, 1_511],
  ])
})

test.each([
  ['PT0S', 1_000],
  ['PT1.2S', 4_000],
  ['PT1M', 120_000],
  ['PT24H', 1_000_000],
])('a loss of %s skips %i numbers of each sequence', (lost, count) => {
  const until = Temporal.Instant.from('2031-06-15T02:00:00Z')
  expect(numbersToSkip(until.subtract(lost), until)).toBe(count)
})
