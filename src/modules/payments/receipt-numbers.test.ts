import { expect, test } from 'vitest'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { ReceiptNumbers } from './receipt-numbers.ts'

const database = await createTestDatabase()
const { db } = database

async function take(receipts: ReceiptNumbers, businessId: string, count: number): Promise<number[]> {
  const given = await receipts.number(
    businessId,
    Array.from({ length: count }, () => ({})),
  )
  return given.map(({ receiptNumber }) => Number(receiptNumber))
}

test('each business counts from the first number without gaps, however many are asked for at once', async () => {
  const receipts = new ReceiptNumbers(db)
  for (const { businessId } of [await createTestBusiness(database), await createTestBusiness(database)]) {
    const numbers = [
      ...(await take(receipts, businessId, 1)),
      ...(await take(receipts, businessId, 40)),
      ...(await take(receipts, businessId, 2_000)),
    ]
    expect(numbers).toEqual(Array.from({ length: 2_041 }, (_, index) => 100_000 + index))
  }
})

test('no number is given twice, neither by callers at once nor by several processes', async () => {
  const { businessId } = await createTestBusiness(database)
  const processes = [new ReceiptNumbers(db), new ReceiptNumbers(db), new ReceiptNumbers(db)]
  const asked = Array.from({ length: 60 }, (_, index) => index + 1)
  const given = await Promise.all(
    asked.flatMap((count) => processes.map((receipts) => take(receipts, businessId, count))),
  )
  const numbers = given.flat()
  expect(numbers).toHaveLength(3 * 1_830)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('numbers that were given out stay so when the transaction they were for is undone', async () => {
  const { businessId } = await createTestBusiness(database)
  const receipts = new ReceiptNumbers(db)
  const undone = db.transact(businessId, async () => {
    await take(receipts, businessId, 20)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await take(new ReceiptNumbers(db), businessId, 1)).toEqual([100_020])
})
