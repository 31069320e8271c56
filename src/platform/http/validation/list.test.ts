import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { filteredListQuery, type PageKey, pageOf, readPage, rowsOfPage } from '#platform/http/validation/list'
import { echoOrder } from '#platform/testing/test-server'
import { compileValidation } from '#platform/http/validation/validation'

const validation = compileValidation({ ...echoOrder, query: filteredListQuery({}) })
const read = (query: Record<string, string>) =>
  readPage('orders', validation.query(query) as Record<string, number>)

const rows: PageKey[] = Array.from({ length: 4 }, (_, index) => ({
  at: Temporal.Instant.from('2025-01-31T09:30:00.123456Z').subtract({ hours: index }),
  id: `ord_${index}`,
}))

test('offset is 0 and limit is 20 by default, and more than 100 is read as 100', () => {
  expect(read({})).toEqual({ list: 'orders', offset: 0, limit: 20, after: undefined })
  expect(read({ limit: '101' }).limit).toBe(100)
  for (const limit of ['100000000', '9'.repeat(20), '9'.repeat(400)]) expect(read({ limit }).limit).toBe(100)
  expect(read({ offset: '10000', limit: '1' })).toMatchObject({ offset: 10_000, limit: 1 })
})

test.each([
  [{ limit: '0' }, 'limit must be at least 1.'],
  [{ limit: '-5' }, 'limit must be at least 1.'],
  [{ limit: '1.5' }, 'limit must be a whole number.'],
  [{ limit: '' }, 'limit must be a whole number.'],
  [{ limit: 'ten' }, 'limit must be a whole number.'],
  [{ offset: '-1' }, 'offset must be at least 0.'],
  [{ offset: '10001' }, 'offset must be at most 10000.'],
  [{ offset: '9'.repeat(20) }, 'offset must be at most 10000.'],
  [{ limit: `-${'9'.repeat(20)}` }, 'limit must be at least 1.'],
  [{ filter: 'x'.repeat(16_001) }, 'filter must have at most 16000 characters.'],
])('the query %j is refused: %s', (query, message) => {
  expect(() => read(query)).toThrow(message)
})

test('an empty filter is a filter', () => {
  expect(validation.query({ filter: '' })).toEqual({ filter: '' })
})

test('an offset that is too deep points to the cursor', () => {
  expect(() => read({ offset: '10001' })).toThrow(
    expect.objectContaining({
      reason: 'offset_too_deep',
      definition: expect.objectContaining({
        recommendedAction: expect.stringContaining('cursor') as string,
      }) as object,
    }),
  )
})

test('a page has at most limit rows, says whether there are more, and its cursor goes on after its last row', () => {
  const request = read({ limit: '3' })
  const { rows: shown, page } = pageOf(request, rows, (row) => row)
  expect(shown).toEqual(rows.slice(0, 3))
  expect(page).toMatchObject({ offset: 0, limit: 3, has_more: true })
  const next = read({ cursor: page.next_cursor ?? '' })
  expect(next.after?.id).toBe('ord_2')
  expect(next.after?.at.equals(rows[2]?.at ?? '')).toBe(true)
  expect(pageOf(request, rows.slice(0, 3), (row) => row).page).toMatchObject({
    has_more: false,
    next_cursor: null,
  })
})

test('a cursor of another list, a forged one, and one with an offset are 400', () => {
  const cursor = pageOf({ ...read({ limit: '3' }), list: 'plans' }, rows, (row) => row).page.next_cursor ?? ''
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const forged of [
    cursor,
    'x',
    encode({}),
    encode(['orders', 'yesterday', 'ord_1']),
    encode(['orders', '+020000-01-01T00:00:00Z', 'ord_1']),
    encode(['orders', '0000-01-01T00:00:00Z', 'ord_1']),
    encode(['orders', '2025-01-31T09:30:00Z', "ord_1' or '1"]),
    encode(['orders', '2025-01-31T09:30:00Z', 7]),
  ]) {
    expect(() => read({ cursor: forged })).toThrow('cursor')
  }
  const good = encode(['orders', '2025-01-31T09:30:00Z', 'ord_1'])
  expect(read({ cursor: good }).after?.id).toBe('ord_1')
  expect(() => read({ cursor: good, offset: '5' })).toThrow('offset must not be sent with cursor.')
})

test('a list is read on from the row before to the digit of its time, newest first, one row more than the page', () => {
  const [last] = rows
  const { text, values } = rowsOfPage(
    { list: 'orders', offset: 0, limit: 2, after: last },
    sql`made_at`,
    sql`uuid`,
  )
  expect(text).toBe(
    'and (made_at, uuid) < ($1::timestamptz, $2) order by made_at desc, uuid desc limit $3 offset $4',
  )
  expect(values).toEqual(['2025-01-31T09:30:00.123456Z', 'ord_0', 3, 0])
})
