import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { wire } from '#platform/postgres/wire/current-wire'

const database = await createTestDatabase()
const { businessId } = await createTestBusiness(database)

function echo(statement: ReturnType<typeof sql>): Promise<{ value: unknown }[]> {
  return database.db.read<{ value: unknown }>(businessId, statement)
}

// PostgreSQL's text holds every character but NUL.
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

test('an array of texts is stored unchanged, whatever its elements contain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(text, special, fc.constant(null))), async (values) => {
      const [row] = await echo(sql`select to_json(${values}::text[]) as value`)
      expect(JSON.parse(String(row?.value))).toEqual(values)
    }),
    { numRuns: 200 },
  )
})

test('arrays of numbers and booleans are stored unchanged', async () => {
  const values = [1, null, -20, 0]
  const [numbers] = await echo(sql`select to_json(${values}::integer[]) as value`)
  expect(JSON.parse(String(numbers?.value))).toEqual(values)
  const [flags] = await echo(sql`select to_json(${[true, null, false]}::boolean[]) as value`)
  expect(JSON.parse(String(flags?.value))).toEqual([true, null, false])
})

test('JSON documents arrive unchanged and in order, with null as null', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.record({ text, other: special })), { minLength: 1 }),
      async (values) => {
        const documents = values.map((value) => (value === null ? null : JSON.stringify(value)))
        const rows = await echo(
          sql`select value from unnest(${wire.arrayParameter('json', documents)}) with ordinality given (value, n) order by n`,
        )
        expect(rows.map(({ value }) => value)).toEqual(documents)
      },
    ),
    { numRuns: 100 },
  )
})

test('bytes arrive unchanged and in order, with null as null', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(fc.uint8Array()), { minLength: 1 }), async (values) => {
      const rows = await echo(
        sql`select value from unnest(${wire.arrayParameter('bytea', values)}) with ordinality given (value, n) order by n`,
      )
      expect(rows.map(({ value }) => value)).toEqual(values.map((value) => value && Buffer.from(value)))
    }),
    { numRuns: 100 },
  )
})
