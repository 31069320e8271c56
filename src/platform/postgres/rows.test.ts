import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { rowsAs } from '#platform/postgres/rows'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'

interface Sample {
  readonly id: string
  readonly amount: string
  readonly count: number | null
  readonly height: bigint
  readonly done: boolean
  readonly document: string | null
  readonly bytes: Buffer | null
}

const database = await createTestDatabase()
const { businessId } = await createTestBusiness(database)
const samples = rowsAs<Sample>('s', {
  id: ['text', (sample) => sample.id],
  amount: ['numeric', (sample) => sample.amount],
  count: ['integer', (sample) => sample.count],
  height: ['bigint', (sample) => sample.height.toString()],
  done: ['boolean', (sample) => sample.done],
  document: ['json', (sample) => sample.document],
  bytes: ['bytea', (sample) => sample.bytes],
})
const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'))
const sample: fc.Arbitrary<Sample> = fc.record({
  id: text,
  amount: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  count: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  height: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  done: fc.boolean(),
  document: fc.option(fc.dictionary(text, text).map((value) => JSON.stringify(value))),
  bytes: fc.option(fc.uint8Array().map((value) => Buffer.from(value))),
})

test('rows arrive unchanged, whatever their number', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sample, { maxLength: 8 }), async (rows) => {
      const found = await database.db.read(
        businessId,
        sql`select s.id, s.amount::text, s.count, s.height, s.done, s.document, s.bytes from ${samples(rows)}`,
      )
      expect(found).toEqual(rows)
    }),
    { numRuns: 60 },
  )
})

test('a single row of a nearly empty table is looked up by the index', async () => {
  const plan = (count: number) =>
    database.db.read<{ 'QUERY PLAN': string }>(
      businessId,
      sql`explain update events e set type = s.id
            from ${samples(Array.from({ length: count }, () => ({ id: 'a', amount: '1', count: 1, height: 1n, done: true, document: null, bytes: null })))}
           where e.business_id = ${businessId} and e.object_id = s.id and e.sequence = s.count`,
    )
  const [first, ...rest] = (await plan(1)).map((row) => row['QUERY PLAN'])
  expect(first).toContain('Update on events')
  expect(rest.join('\n')).toContain('Index')
  expect(rest.join('\n')).not.toContain('Join')
})
