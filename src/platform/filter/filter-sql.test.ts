import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#platform/testing/database'
import { type FilterFields, filterToSql } from './filter-sql.ts'
import { FilterProblem, parseFilter } from './filter.ts'

const FIELDS: FilterFields = {
  id: { type: 'text', column: sql`t.id` },
  'customer.name': { type: 'text', column: sql`t.name` },
  state: { type: 'enum', column: sql`t.state`, values: ['open', 'completed', 'voided'] },
  created_at: {
    type: 'time',
    column: sql`t.created_at`,
    second: sql`date_trunc('second', t.created_at)`,
  },
  initial_total: { type: 'decimal', column: sql`t.total` },
}
const database = await createTestDatabase()

/** The concatenated ids of the rows that the filter selects. */
async function found(filter: string): Promise<string> {
  const condition = filterToSql(parseFilter(filter), FIELDS, 'Asia/Hong_Kong')
  const query = sql`
    select t.id
      from (values ('a', 'École 50% off', 'open', timestamptz '2026-02-27T16:00:00Z', 0.3),
                   ('b', 'ecole_50', 'completed', timestamptz '2026-02-28T15:59:59.999Z', 150.50),
                   ('c', '', 'voided', timestamptz '2026-02-28T16:00:00Z', 9007199254740993),
                   ('d', null, null, null, null)) as t (id, name, state, created_at, total)
     where ${condition}
     order by t.id`
  const result = await database.admin.query<{ id: string }>({ text: query.text, values: query.values })
  return result.rows.map((row) => row.id).join('')
}

test('an unknown field is refused by its position, without its name', () => {
  const problem = () => filterToSql(parseFilter('id = 1 qk_live_abc = 1'), FIELDS)
  expect(problem).toThrow('at character 8: this field does not exist; fields: id, customer.name, state')
  expect(problem).not.toThrow('qk_live')
})

// Proves reference/conventions#filters.
test('each comparator selects the right rows for each type of field', async () => {
  for (const [filter, ids] of [
    ['', 'abcd'],
    ['id = b', 'b'],
    ['id != b', 'acd'],
    ['id > b', 'cd'],
    ['id <= b', 'ab'],
    ['customer.name = "École 50% off"', 'a'],
    ['customer.name = "École*"', 'a'],
    ['customer.name = "*_50"', 'b'],
    ['customer.name = "e*_*"', 'b'],
    ['customer.name = "école*"', ''],
    ['customer.name = "*"', 'abc'],
    [String.raw`customer.name = "\*"`, ''],
    [String.raw`customer.name = "e\*_*"`, ''],
    [String.raw`customer.name != "\*"`, 'abcd'],
    ['customer.name != "*off"', 'bcd'],
    ['customer.name < "e"', 'c'],
    ['customer.name : "éCOLE"', 'a'],
    ['customer.name : ECOLE', 'b'],
    ['customer.name : "0%"', 'a'],
    ['customer.name : "_"', 'b'],
    [String.raw`customer.name : "\\"`, ''],
    ['customer.name : ""', 'abc'],
    ['customer.name:*', 'ab'],
    ['NOT customer.name:*', 'cd'],
    ['state = open', 'a'],
    ['state : "PLET"', 'b'],
    ['state : e', 'abc'],
    ['state : zzz', ''],
    ['state:*', 'abc'],
    ['created_at >= "2026-02-28T15:59:59.999Z"', 'bc'],
    ['created_at = 2026-02-28T00:00:00+08:00', 'a'],
    ['created_at = 2026-02-28', 'ab'],
    ['created_at != 2026-02-28', 'cd'],
    ['created_at > 2026-02-28', 'c'],
    ['created_at >= 2026-02-28', 'abc'],
    ['created_at < "2026-03-01"', 'ab'],
    ['created_at <= 2026-02-28', 'ab'],
    ['initial_total = 0.30', 'a'],
    ['initial_total >= 1.505e2', 'bc'],
    ['initial_total > 9007199254740992', 'c'],
    ['initial_total < 9007199254740993', 'ab'],
    ['initial_total > -1', 'abc'],
  ] as const) {
    expect([filter, await found(filter)]).toEqual([filter, ids])
  }
})

test('a row without a value matches != and NOT, so that NOT is always the complement', async () => {
  for (const filter of [
    'state = open',
    'state != open',
    'state : o',
    'customer.name : e',
    'created_at < 2027-01-01',
    'initial_total > 1',
    'created_at != 2026-02-28',
    'state = open OR initial_total > 1',
    'state = open initial_total < 1',
  ]) {
    const both = (await found(filter)) + (await found(`NOT (${filter})`))
    expect([filter, both.split('').sort().join('')]).toEqual([filter, 'abcd'])
  }
  expect(await found('state != open')).toBe('bcd')
  expect(await found('NOT state = open')).toBe('bcd')
  expect(await found('NOT initial_total > 1')).toBe('ad')
})

test('an unknown field, a wrong comparator or a value of another type is refused with its position', () => {
  for (const [filter, position] of [
    ['state = open unknown = 1', 14],
    ['state = open __proto__ = 1', 14],
    ['constructor:*', 1],
    ['id = 1 state > open', 8],
    ['state < open', 1],
    ['state = paid', 9],
    ['created_at : 2026', 1],
    ['created_at > yesterday', 14],
    ['created_at = "2026-02-30"', 14],
    ['created_at = "10000-01-01"', 14],
    ['initial_total : 1', 1],
    ['initial_total = ten', 17],
    ['initial_total = 1e999999', 17],
  ] as const) {
    try {
      filterToSql(parseFilter(filter), FIELDS)
      expect.unreachable(filter)
    } catch (error) {
      expect(error, filter).toBeInstanceOf(FilterProblem)
      expect([filter, (error as FilterProblem).position]).toEqual([filter, position])
    }
  }
})

test('text from the caller is a bound parameter and never a part of the statement', () => {
  const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''))
  const comparator = fc.constantFrom('=', '!=', ':')
  fc.assert(
    fc.property(text, comparator, fc.nat(), (value, compare, amount) => {
      // An unescaped `*` makes the value a pattern, which needs another operator.
      const literal = `"${value.replace(/["\\*]/g, String.raw`\$&`)}"`
      fc.pre([...literal].length < 900)
      const statement = filterToSql(
        parseFilter(`id ${compare} ${literal} OR initial_total > ${amount} AND NOT created_at < 2026-01-01`),
        FIELDS,
      )
      const plain = filterToSql(
        parseFilter(`id ${compare} x OR initial_total > 1 AND NOT created_at < 2026-01-01`),
        FIELDS,
      )
      expect(statement.text).toBe(plain.text)
      expect(statement.values).toHaveLength(plain.values.length)
    }),
  )
})

test('PostgreSQL runs any valid filter over these fields', async () => {
  const part = fc.oneof(
    fc
      .tuple(
        fc.constantFrom('id', 'customer.name'),
        fc.constantFrom('=', '!=', ':'),
        fc.string({ unit: 'binary' }),
      )
      .map(([name, compare, value]) => `${name} ${compare} "${value.replace(/["\\]/g, String.raw`\$&`)}"`),
    fc
      .tuple(
        fc.constantFrom('=', '!=', '<', '>='),
        fc.date({ min: new Date('0001-01-05'), max: new Date('9999-12-28'), noInvalidDate: true }),
      )
      .map(([compare, date]) => `created_at ${compare} "${date.toISOString()}"`),
    fc
      .tuple(
        fc.constantFrom('=', '!=', '<', '>='),
        fc.bigInt({ min: -(10n ** 29n), max: 10n ** 29n }),
        fc.nat(20),
      )
      .map(([compare, digits, scale]) => `initial_total ${compare} ${digits}e-${scale}`),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 3 }), async (parts) => {
      const filter = parts.join(' ').replaceAll('\0', '')
      fc.pre([...filter].length <= 1000)
      expect(await found(filter)).toMatch(/^a?b?c?d?$/)
    }),
    { numRuns: 100 },
  )
})
