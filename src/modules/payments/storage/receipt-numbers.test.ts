import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres'
import { migrate } from '#platform/postgres/migrations/migrate'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { eventually } from '#platform/testing/until'
import { ReceiptNumbers } from './receipt-numbers.ts'

const database = await createTestDatabase()
const { db } = database

// Proves reference/payments#receipt-numbers.

async function take(receipts: ReceiptNumbers, count: number): Promise<number[]> {
  const numbered = await receipts.number(Array.from({ length: count }, () => ({})))
  return numbered.map(({ receiptNumber }) => Number(receiptNumber))
}

test('one process numbers receipts in rising order', async () => {
  const receipts = new ReceiptNumbers(db)
  const numbers = [
    ...(await take(receipts, 1)),
    ...(await take(receipts, 40)),
    ...(await take(receipts, 2_000)),
    ...(await take(receipts, 1)),
  ]
  expect(numbers).toEqual(Array.from({ length: 2_042 }, (_, index) => 100_000 + index))
})

test('no number is issued twice, neither to concurrent callers nor by several processes', async () => {
  const processes = [new ReceiptNumbers(db), new ReceiptNumbers(db), new ReceiptNumbers(db)]
  const counts = Array.from({ length: 60 }, (_, index) => index + 1)
  const given = await Promise.all(
    counts.flatMap((count) => [...processes, ...processes].map((receipts) => take(receipts, count))),
  )
  const numbers = given.flat()
  expect(numbers).toHaveLength(6 * 1_830)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('the numbers of a rolled-back transaction are not reused', async () => {
  const { businessId } = await createTestBusiness(database)
  const receipts = new ReceiptNumbers(db)
  const lost: number[] = []
  const rolledBack = db.transact(businessId, async () => {
    lost.push(...(await take(receipts, 20)))
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  const [next = 0] = await take(new ReceiptNumbers(db), 1)
  expect(next).toBeGreaterThan(Math.max(...lost))
})

test('after a crash of the database no process gets numbers that another process holds', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-receipts-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  // A crash loses every commit that did not wait for the disk.
  const settings = { wal_writer_delay: '10s' }
  const postgres = await startEmbeddedPostgres({ dataDir, settings, log: () => {} })
  onTestFinished(() => postgres.stop())
  await migrate(postgres.url)
  const crashing = new PlainDatabase({ url: postgres.url, readers: 1 })
  onTestFinished(() => crashing.close())
  const survivor = new ReceiptNumbers(crashing)
  const numbers = await take(survivor, 1)
  const [postmaster] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(postmaster), 'SIGKILL')
  const byAnother = await eventually(
    () => take(new ReceiptNumbers(crashing), 16).catch(() => undefined),
    (taken) => taken !== undefined,
  )
  numbers.push(...(await take(survivor, 15)), ...(byAnother ?? []))
  expect(new Set(numbers).size).toBe(32)
})
