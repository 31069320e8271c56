import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import {
  filteredListQuery,
  type PageKey,
  readPage,
  renderPage,
  rowsOfPage,
} from '#platform/http/validation/list'
import { echoOrder } from '#platform/testing/test-server'
import { compileValidation } from '#platform/http/validation/validation'

const validation = compileValidation({ ...echoOrder, query: filteredListQuery({}) })
const read = (query: Record<string, string>) =>
  readPage('orders', validation.query(query) as Record<string, number>)

const rows: PageKey[] = Array.from({ length: 4 }, (_, index) => ({
  at: Temporal.Instant.from('2025-01-31T09:30:00.123456Z').subtract({ hours: index }),
  id: `ord_${index}`,
}))

const keyOf = (row: PageKey) => row
const render = ({ id }: PageKey) => ({ id })
const shown = rows.map(render)

// Proves reference/conventions#lists.
test('offset is 0 and limit is 20 by default, and a larger limit than 100 means 100', () => {
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

test('an empty filter is accepted', () => {
  expect(validation.query({ filter: '' })).toEqual({ filter: '' })
})

test('the error of a too deep offset recommends the cursor', () => {
  expect(() => read({ offset: '10001' })).toThrow(
    expect.objectContaining({
      reason: 'offset_too_deep',
      definition: expect.objectContaining({
        recommendedAction: expect.stringContaining('cursor') as string,
      }) as object,
    }),
  )
})

test('a page has at most limit rows, reports whether there are more, and its cursor continues after its last row', () => {
  const request = read({ limit: '3' })
  const { rows: rendered, page } = renderPage(request, rows, keyOf, render)
  expect(rendered).toEqual(shown.slice(0, 3))
  expect(page).toMatchObject({ offset: 0, limit: 3, has_more: true })
  const next = read({ cursor: page.next_cursor ?? '' })
  expect(next.after?.id).toBe('ord_2')
  expect(next.after?.at.equals(rows[2]?.at ?? '')).toBe(true)
  expect(renderPage(request, rows.slice(0, 3), keyOf, render).page).toMatchObject({
    limit: 3,
    has_more: false,
    next_cursor: null,
  })
})

test('a page of large rows ends before 1 MiB, and cursor and offset continue after its last row', () => {
  const large = ({ id }: PageKey) => ({ id, text: 'é'.repeat(200_000) })
  const { rows: rendered, page } = renderPage(read({ offset: '5', limit: '4' }), rows, keyOf, large)
  expect(rendered.map(({ id }) => id)).toEqual(['ord_0', 'ord_1'])
  expect(Buffer.byteLength(JSON.stringify(rendered))).toBeLessThan(1024 * 1024)
  expect(page).toMatchObject({ offset: 5, limit: 2, has_more: true })
  expect(read({ cursor: page.next_cursor ?? '' }).after?.id).toBe('ord_1')
})

test('a row that is larger than a page gets a page of its own', () => {
  const huge = ({ id }: PageKey) => ({ id, text: 'x'.repeat(2_000_000) })
  const request = read({ limit: '4' })
  const { rows: rendered, page } = renderPage(request, rows, keyOf, huge)
  expect(rendered.map(({ id }) => id)).toEqual(['ord_0'])
  expect(page).toMatchObject({ limit: 1, has_more: true })
  expect(renderPage(request, rows.slice(3), keyOf, huge).page).toMatchObject({ has_more: false })
})

test('pages of rows of any size add up to the whole list, by cursor and by offset', () => {
  const list = Array.from({ length: 30 }, (_, index) => ({
    at: Temporal.Instant.from('2025-01-31T09:30:00Z').subtract({ hours: index }),
    id: `ord_${index}`,
  }))
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(0, 1_000, 300_000, 900_000, 1_500_000), { minLength: 30, maxLength: 30 }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      (sizes, limit, byCursor) => {
        const large = ({ id }: PageKey) => ({ id, text: 'x'.repeat(sizes[Number(id.slice(4))] ?? 0) })
        const ids: string[] = []
        let request = readPage('orders', { limit })
        for (;;) {
          const { after, offset } = request
          const start = after === undefined ? offset : list.findIndex(({ id }) => id === after.id) + 1
          const found = list.slice(start, start + limit + 1)
          const { rows: rendered, page } = renderPage(request, found, keyOf, large)
          ids.push(...rendered.map(({ id }) => id))
          if (!page.has_more) break
          request = readPage('orders', {
            limit,
            ...(byCursor ? { cursor: page.next_cursor ?? '' } : { offset: page.offset + page.limit }),
          })
        }
        expect(ids).toEqual(list.map(({ id }) => id))
      },
    ),
    { numRuns: 30 },
  )
})

test('a cursor of another list, a forged one, and one with an offset are 400', () => {
  const plans = { ...read({ limit: '3' }), list: 'plans' }
  const cursor = renderPage(plans, rows, keyOf, render).page.next_cursor ?? ''
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const forged of [
    cursor,
    'x',
    encode({}),
    encode(['orders', 'yesterday', 'ord_1']),
    encode(['orders', '+020000-01-01T00:00:00Z', 'ord_1']),
    encode(['orders', '0000-01-01T00:00:00Z', 'ord_1']),
    encode(['orders', '2025-01-31T09:30:00Z', 'ord_1\u0000']),
    encode(['orders', '2025-01-31T09:30:00Z', 7]),
  ]) {
    expect(() => read({ cursor: forged })).toThrow('cursor')
  }
  const good = encode(['orders', '2025-01-31T09:30:00Z', 'ord_1'])
  expect(read({ cursor: good }).after?.id).toBe('ord_1')
  expect(() => read({ cursor: good, offset: '5' })).toThrow('offset must not be sent together with cursor')
})

test('a page continues after the exact time and id of its key, newest first, and reads one row more than it shows', () => {
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
