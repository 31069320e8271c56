import { expect, test } from 'vitest'
import { parseFilter } from '../../../src/platform/filter/filter.ts'
import { type Condition, readFilter, writeFilter } from '../src/components/list/filter-language.ts'

const WRITTEN: readonly (readonly [Condition[], string])[] = [
  [[], ''],
  [[{ field: 'state', comparator: '=', values: ['open'] }], 'state = open'],
  [
    [
      { field: 'state', comparator: '=', values: ['open', 'voided'] },
      { field: 'initial_total', comparator: '>=', values: ['100.50'] },
    ],
    '(state = open OR state = voided) AND initial_total >= 100.50',
  ],
  [
    [{ field: 'reference_number', comparator: ':', values: ['say "hi" \\ (1)'] }],
    'reference_number : "say \\"hi\\" \\\\ (1)"',
  ],
  [[{ field: 'customer.uuid', comparator: '!=', values: ['AND'] }], 'customer.uuid != "AND"'],
  [
    [{ field: 'created_at', comparator: '>=', values: ['2026-02-28T10:00:00+08:00'] }],
    'created_at >= "2026-02-28T10:00:00+08:00"',
  ],
]

test.each(WRITTEN)('conditions %j are written as a filter and read back', (conditions, text) => {
  expect(writeFilter(conditions)).toBe(text)
  expect(readFilter(text)).toEqual(conditions)
  expect(() => parseFilter(text)).not.toThrow()
})

test('the forms that people type are read', () => {
  expect(readFilter('state:open AND initial_total>100')).toEqual([
    { field: 'state', comparator: ':', values: ['open'] },
    { field: 'initial_total', comparator: '>', values: ['100'] },
  ])
  expect(readFilter('state = open OR state = voided')).toEqual([
    { field: 'state', comparator: '=', values: ['open', 'voided'] },
  ])
})

test.each([
  'NOT state = open',
  '-state = open',
  'state = open OR currency = HKD',
  'number = "a*"',
  'state:*',
  '(state = open',
])('a filter beyond the filter bar is left as it is: %s', (text) => expect(readFilter(text)).toBeUndefined())
