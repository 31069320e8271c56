import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { binaryArray } from '#platform/postgres/wire/parameters'

const database = await createTestDatabase()
const { businessId } = await createTestBusiness(database)

function echo(statement: ReturnType<typeof sql>): Promise<{ value: unknown }[]> {
  return database.db.read<{ value: unknown }>(businessId, statement)
}

/** PostgreSQL's text holds every character but this one. */
const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'))
const special = fc.constantFrom(
  '',
  'NULL',
  'null',
  '"',
  '\\',
  ',',
  '{',
  '}',
  ' ',
  '\n',
  '"\\"',
  'ord_01kanq3x',
)

test('an array arrives as it was sent, whatever its elements hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(text, special, fc.constant(null))), async (values) => {
      const [row] = await echo(sql`select to_json(${values}::text[]) as value`)
      expect(JSON.parse(String(row?.value))).toEqual(values)
    }),
    { numRuns: 200 },
  )
})

test('so do arrays of numbers and of booleans', async () => {
  const values = [1, null, -20, 0]
  const [numbers] = await echo(sql`select to_json(${values}::integer[]) as value`)
  expect(JSON.parse(String(numbers?.value))).toEqual(values)
  const [flags] = await echo(sql`select to_json(${[true, null, false]}::boolean[]) as value`)
  expect(JSON.parse(String(flags?.value))).toEqual([true, null, false])
})

test('documents arrive as they were sent, in their order, null as null', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.record({ text, other: special })), { minLength: 1 }),
      async (values) => {
        const documents = values.map((value) => (value === null ? null : JSON.stringify(value)))
        const rows = await echo(
          sql`select value from unnest(${binaryArray('json', documents)}) with ordinality given (value, n) order by n`,
        )
        expect(rows.map(({ value }) => value)).toEqual(documents)
      },
    ),
    { numRuns: 100 },
  )
})

test('so do bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(fc.uint8Array()), { minLength: 1 }), async (values) => {
      const rows = await echo(
        sql`select value from unnest(${binaryArray('bytea', values)}) with ordinality given (value, n) order by n`,
      )
      expect(rows.map(({ value }) => value)).toEqual(values.map((value) => value && Buffer.from(value)))
    }),
    { numRuns: 100 },
  )
})
