import { expect, test } from 'vitest'
import { PAYMENTS } from './harness/client.ts'
import { startScenario } from './harness/scenario.ts'

const { client } = await startScenario()

const MAX_ANSWER_BYTES = 1024 * 1024 + 4_096
const LINE = { purchasable_type: 'Charge', price: 1, quantity: 1, label: '茶'.repeat(255) }

/** A document of about 400 kB. */
const largeOrder = { line_items: Array.from({ length: 500 }, () => LINE), initial_total: 500 }

type Row = Record<string, unknown>
interface ListPage {
  readonly rows: readonly Row[]
  readonly page: { offset: number; limit: number; has_more: boolean; next_cursor: string | null }
}

async function readPage(path: string, member: string, query: Record<string, string>): Promise<ListPage> {
  const url = `${client.sandbox.base_url}${path}?${new URLSearchParams(query).toString()}`
  const response = await fetch(url, { headers: { authorization: `Bearer ${client.sandbox.api_key}` } })
  const text = await response.text()
  expect(response.status).toBe(200)
  expect(Buffer.byteLength(text)).toBeLessThan(MAX_ANSWER_BYTES)
  const { data } = JSON.parse(text) as { data: Record<string, readonly Row[]> & ListPage }
  return { rows: data[member] ?? [], page: data.page }
}

async function readAll(path: string, member: string, by: 'cursor' | 'offset'): Promise<Row[]> {
  const rows: Row[] = []
  let query: Record<string, string> = {}
  for (;;) {
    const { rows: read, page } = await readPage(path, member, { limit: '100', ...query })
    rows.push(...read)
    if (!page.has_more) return rows
    query =
      by === 'cursor' ? { cursor: page.next_cursor ?? '' } : { offset: String(page.offset + page.limit) }
  }
}

// Proves reference/conventions#lists.
test('lists of large rows return at most 1 MiB a page, and their pages hold every row once', async () => {
  const numbers: string[] = []
  for (const members of [{}, largeOrder, largeOrder, {}, largeOrder, largeOrder, largeOrder, {}])
    numbers.push((await client.createOrder(members)).number)
  const newestFirst = numbers.toReversed()
  const orders = `${PAYMENTS}/orders`
  const events = '/svc/event/api/v1/openapi/events'
  const all = await readPage(orders, 'orders', { limit: '100' })
  expect(all.page.has_more).toBe(true)
  for (const by of ['cursor', 'offset'] as const) {
    expect((await readAll(orders, 'orders', by)).map(({ number }) => number)).toEqual(newestFirst)
    const read = await readAll(events, 'events', by)
    expect(read.map(({ object_id }) => object_id)).toEqual(newestFirst)
    for (const { data } of read) expect(data).toMatchObject({ order: { currency: 'HKD' } })
  }
})
