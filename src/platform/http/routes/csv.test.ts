import { type IncomingMessage, request as httpRequest } from 'node:http'
import { once } from 'node:events'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { rawNumber } from '#kernel/json'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { filteredListQuery, PageSchema, readPage, renderPage } from '#platform/http/validation/list'
import { AmountOut, Nullable, Resource } from '#platform/http/validation/schemas'
import { startTestServer } from '#platform/testing/test-server'

const PATH = '/api/v1/openapi/things'

interface Thing {
  readonly id: string
  readonly note: string | null
  readonly amount?: string
}

const Row = Resource('Thing', {
  id: Type.String(),
  note: Nullable(Type.String()),
  amount: Type.Optional(AmountOut()),
  card: Type.Optional(Nullable(Resource('CardOfThing', { brand: Type.String() }))),
  lines: Type.Array(Type.String()),
  data: Type.Object({}),
})

/** A list of these things, which fails at the page `failAt`. */
function listOf(things: readonly Thing[], options: { failAt?: number; pages?: number[] } = {}): Route {
  let pages = 0
  return defineRoute({
    method: 'GET',
    path: PATH,
    scope: 'payments:read',
    summary: 'List things',
    tag: 'Things',
    query: filteredListQuery({}),
    data: Type.Object({ things: Type.Array(Row), page: PageSchema }),
    handle: async ({ query }) => {
      const page = readPage('things', query)
      if (++pages === options.failAt) throw new Error('the database is gone')
      const start = page.after === undefined ? 0 : things.findIndex(({ id }) => id === page.after?.id) + 1
      options.pages?.push(page.limit)
      const found = things.slice(start, start + page.limit + 1)
      const keyOf = ({ id }: Thing) => ({ at: Temporal.Instant.from('2026-01-31T09:30:00Z'), id })
      const { rows, page: rendered } = renderPage(page, found, keyOf, ({ id, note, amount }) => ({
        id,
        note,
        ...(amount !== undefined && { amount: rawNumber(amount) }),
        card: { brand: 'visa' },
        lines: [],
        data: { a: 1 },
      }))
      return { things: rows, page: rendered }
    },
  })
}

async function csv(things: readonly Thing[], path = PATH, options?: Parameters<typeof listOf>[1]) {
  const server = await startTestServer({ routes: [listOf(things, options)] })
  return server.send('GET', path, { headers: { accept: 'text/csv' } })
}

const some: Thing[] = [
  { id: 'a', note: 'Tea, "green"', amount: '20.00' },
  { id: 'b', note: null, amount: '-5.50' },
]

// Proves reference/conventions#csv.
test('a list is a CSV file with the scalar members of its rows, and amounts keep their digits', async () => {
  const response = await csv(some)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="things.csv"')
  expect(response.text).toBe(
    'id,note,amount,card.brand,data\r\na,"Tea, ""green""",20.00,visa,"{""a"":1}"\r\nb,,-5.50,visa,"{""a"":1}"\r\n',
  )
})

test('columns chooses and orders the columns', async () => {
  expect((await csv(some, `${PATH}?columns=card.brand,id`)).text).toBe(
    'card.brand,id\r\nvisa,a\r\nvisa,b\r\n',
  )
})

test.each([
  [
    'columns=id,nothing',
    'columns must be names of columns, separated by commas: id, note, amount, card.brand, data.',
  ],
  ['limit=5', 'limit must not be sent with Accept: text/csv, which returns the whole list.'],
  ['offset=5', 'offset must not be sent with Accept: text/csv, which returns the whole list.'],
])('%s is refused: %s', async (query, message) => {
  const response = await csv(some, `${PATH}?${query}`)
  expect(response.status).toBe(400)
  expect(response.body.message).toBe(message)
})

test('columns without the CSV is refused, and JSON is what other Accept headers get', async () => {
  const server = await startTestServer({ routes: [listOf(some)] })
  for (const accept of ['application/json', '*/*', 'text/csvx']) {
    const response = await server.send('GET', PATH, { headers: { accept } })
    expect(response.body.data).toMatchObject({ things: [{ id: 'a' }, { id: 'b' }] })
    expect((await server.send('GET', `${PATH}?columns=id`, { headers: { accept } })).status).toBe(400)
  }
})

test.each([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+1+1', `'+1+1`],
  ['-1+1', `'-1+1`],
  ['@sum', `'@sum`],
  ['\tx', `'\tx`],
  ['＝1', `'＝1`],
  ['-15.5', '-15.5'],
  ['a\r\nb', '"a\r\nb"'],
  ['a=b', 'a=b'],
  [';=1+1', `';'=1+1`],
  ['a;=1+1', `a;'=1+1`],
  ['a;"=1+1', `"a;""'=1+1"`],
  ['a; -1+1', `a; '-1+1`],
  ['a\t@sum', `a\t'@sum`],
  ['a\r\n=1+1', `"a\r\n'=1+1"`],
  ['a;b; c', 'a;b; c'],
])('the text %j becomes the cell %s', async (note, cell) => {
  expect((await csv([{ id: 'a', note }], `${PATH}?columns=note`)).text).toBe(`note\r\n${cell}\r\n`)
})

test('a long list is read page by page to its end, and every row is in it once', async () => {
  const things = Array.from({ length: 2_300 }, (_, index) => ({ id: `t${index}`, note: null }))
  const pages: number[] = []
  const response = await csv(things, `${PATH}?columns=id`, { pages })
  expect(response.text.split('\r\n')).toEqual(['id', ...things.map(({ id }) => id), ''])
  expect(pages).toEqual([500, 500, 500, 500, 500])
})

test('a failure on the first page is an error like any other', async () => {
  const response = await csv(some, PATH, { failAt: 1 })
  expect(response.status).toBe(500)
  expect(response.body.data.error.reason).toBe('internal_error')
})

test('a failure later cuts the connection after a whole line', async () => {
  const things = Array.from({ length: 1_000 }, (_, index) => ({ id: `t${index}`, note: null }))
  const server = await startTestServer({ routes: [listOf(things, { failAt: 2 })] })
  const sent = httpRequest(`${server.url}${PATH}?columns=id`, {
    headers: { accept: 'text/csv', authorization: 'Bearer good' },
  }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  const read = async () => {
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
  }
  await expect(read()).rejects.toThrow('aborted')
  expect(text.endsWith('t499\r\n')).toBe(true)
})
