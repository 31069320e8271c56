import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTwin, type TwinProcess } from '../common/twin-process.ts'
import { connectSdk, listenForNotices } from './testing.ts'

let dir: string
let twin: TwinProcess

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'twin-kill-'))
})
afterAll(async () => {
  await twin.stop('SIGKILL')
  await rm(dir, { recursive: true, force: true })
})

const PARAMS = { currency: 'usd', payment_method_types: ['card'], payment_method: 'pm_card_visa' }

test('a kill amid payments loses nothing that was answered, and every key still gives its answer', async () => {
  const answered = new Map<string, string>()
  let sent = 0
  for (let kill = 0; kill < 3; kill++) {
    twin = await startTwin('stripe', { dir })
    const stripe = connectSdk(twin)
    const before = answered.size
    const payers = Array.from({ length: 16 }, async () => {
      for (;;) {
        const key = `pay-${++sent}`
        try {
          const made = await stripe.paymentIntents.create(
            { ...PARAMS, amount: 1000 },
            { idempotencyKey: key },
          )
          await stripe.paymentIntents.confirm(made.id)
          answered.set(key, made.id)
        } catch {
          return
        }
      }
    })
    await vi.waitUntil(() => answered.size >= before + 30, { timeout: 60_000, interval: 5 })
    await twin.stop('SIGKILL')
    await Promise.all(payers)
  }

  twin = await startTwin('stripe', { dir })
  const stripe = connectSdk(twin)
  const books = await twin.books()
  const byKey = Map.groupBy(books, ({ key }) => key)
  expect(sent).toBeGreaterThan(answered.size)
  for (const [key, id] of answered) {
    expect(byKey.get(key)).toMatchObject([
      { operation: 'sale', outcome: 'approved', amount: '10.00', reference: id },
    ])
  }
  expect([...byKey.values()].every((lines) => lines.length === 1)).toBe(true)

  const [[key, id] = ['', '']] = answered
  const repeated = await stripe.paymentIntents.create({ ...PARAMS, amount: 1000 }, { idempotencyKey: key })
  expect([repeated.id, repeated.lastResponse.headers['idempotent-replayed']]).toEqual([id, 'true'])
  const lines = await Array.fromAsync(stripe.balanceTransactions.list({ limit: 100 }))
  expect(lines).toHaveLength(books.length)
})

test('a torn last line is dropped', async () => {
  await twin.stop('SIGKILL')
  const before = (await readFile(join(dir, 'books.ndjson'))).length
  await appendFile(join(dir, 'books.ndjson'), '{"change":{"account":"acct_')
  twin = await startTwin('stripe', { dir })
  expect((await readFile(join(dir, 'books.ndjson'))).length).toBe(before)
})

test('notices that were not delivered are sent after a restart', async () => {
  const endpoint = await listenForNotices()
  await twin.setNotices({ url: endpoint.url, secret: 'whsec_kill', delay_ms: 60_000 })
  await connectSdk(twin, 'sk_test_noticed').customers.create({ name: 'Ann Lee' })
  await twin.stop('SIGKILL')
  expect(endpoint.received).toEqual([])
  twin = await startTwin('stripe', { dir })
  await twin.setNotices({ url: endpoint.url, secret: 'whsec_kill' })
  await twin.stop('SIGKILL')
  twin = await startTwin('stripe', { dir })
  await vi.waitFor(
    () => expect(endpoint.received.some(({ body }) => body.includes('customer.created'))).toBe(true),
    {
      timeout: 60_000,
    },
  )
  endpoint.close()
})
