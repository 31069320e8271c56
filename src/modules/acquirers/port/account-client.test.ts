import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startHttpServer } from '#platform/testing/http-server'
import { AccountClient, type AccountClientOptions } from './account-client.ts'

/** The acquirer's server. Each test sets how it responds. */
let respond: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => {
  response.end('{}')
}
const seen: string[] = []
const url = await startHttpServer((request, response) => {
  request.resume()
  seen.push(request.url ?? '')
  respond(request, response)
})

const approve: typeof respond = (_request, response) => void response.end('{"approved":true}')
const fail: typeof respond = (_request, response) => void response.writeHead(500).end()
const POST = { method: 'POST', path: '/payments', body: '{}' } as const

function openClient(options: Partial<AccountClientOptions> = {}): AccountClient {
  seen.length = 0
  const client = new AccountClient({ baseUrl: url, headers: {}, connect: {}, timeoutMs: 30_000, ...options })
  onTestFinished(() => client.close())
  return client
}

async function beginTimes(client: AccountClient, count: number): Promise<string[]> {
  const results: string[] = []
  for (let index = 0; index < count; index++) {
    const result = await client.begin(POST)
    results.push(result.kind === 'answered' ? String(result.status) : result.kind)
  }
  return results
}

/** Every response waits until `release`. `most` is the highest number that waited at once. */
function holdResponses() {
  const held: ServerResponse[] = []
  const hold = { most: 0, release: () => held.splice(0).forEach((response) => response.end('{}')) }
  respond = (_request, response) => {
    held.push(response)
    hold.most = Math.max(hold.most, held.length)
  }
  return hold
}

const FAILURES: readonly (readonly [string, string, typeof respond])[] = [
  ['answers with 500', '500', fail],
  ['cuts the connection', 'unanswered', (request) => void request.socket.destroy()],
  ['never answers', 'unanswered', () => {}],
]

// Proves reference/acquirers#outages.
test.each(FAILURES)(
  'after 10 payments at which the acquirer %s, no more payments are sent',
  async (_, kind, failing) => {
    const client = openClient(kind === 'unanswered' ? { timeoutMs: 100 } : {})
    respond = failing
    expect(await beginTimes(client, 10)).toEqual(Array(10).fill(kind))
    expect(await beginTimes(client, 3)).toEqual(Array(3).fill('not_sent'))
    expect(seen).toHaveLength(10)
  },
)

test('an answer below 500 is no failure, and ends a row of failures', async () => {
  const client = openClient()
  const refuse: typeof respond = (_request, response) => void response.writeHead(402).end()
  for (const reply of [fail, refuse, fail, approve]) {
    respond = reply
    expect(await beginTimes(client, reply === fail ? 9 : 12)).not.toContain('not_sent')
  }
})

test('while the circuit is open, payments that began and inquiries still go out', async () => {
  const client = openClient()
  respond = fail
  await beginTimes(client, 10)
  respond = approve
  expect(await client.begin(POST)).toEqual({ kind: 'not_sent' })
  expect(await client.send({ ...POST, path: '/confirm' })).toMatchObject({ kind: 'answered', status: 200 })
  expect(await client.ask({ method: 'GET', path: '/inquiry' })).toMatchObject({
    kind: 'answered',
    status: 200,
  })
  expect(await client.begin(POST)).toEqual({ kind: 'not_sent' })
  expect(seen.slice(10)).toEqual(['/confirm', '/inquiry'])
})

test('failures of inquiries and of payments that began do not open the circuit', async () => {
  const client = openClient()
  respond = fail
  for (let index = 0; index < 12; index++) {
    await client.send(POST)
    await client.ask({ method: 'GET', path: '/inquiry' })
  }
  respond = approve
  expect(await beginTimes(client, 1)).toEqual(['200'])
})

test('2 s after the circuit opened a single payment is the trial: its failure keeps the circuit open, its success closes it', async () => {
  const client = openClient()
  respond = fail
  const clock = vi.spyOn(Date, 'now')
  onTestFinished(() => clock.mockRestore())
  let nowMs = Date.now()
  clock.mockImplementation(() => nowMs)
  await beginTimes(client, 10)
  nowMs += 1_900
  expect(await beginTimes(client, 1)).toEqual(['not_sent'])
  nowMs += 100
  seen.length = 0
  expect(await beginTimes(client, 2)).toEqual(['500', 'not_sent'])
  expect(seen).toHaveLength(1)

  nowMs += 2_000
  seen.length = 0
  const hold = holdResponses()
  const together = [client.begin(POST), client.begin(POST), client.begin(POST)]
  await expect.poll(() => hold.most).toBe(1)
  await sleep(100)
  expect(seen).toHaveLength(1)
  respond = approve
  hold.release()
  for (const result of await Promise.all(together)) expect(result).toMatchObject({ status: 200 })
  expect(await beginTimes(client, 3)).toEqual(['200', '200', '200'])
})

test('payments use at most 32 connections, inquiries 32 of their own, and all of them are answered', async () => {
  const client = openClient()
  const hold = holdResponses()
  const payments = Array.from({ length: 50 }, (_, index) =>
    index % 2 === 0 ? client.begin(POST) : client.send(POST),
  )
  await expect.poll(() => hold.most).toBe(32)
  await sleep(100)
  expect(hold.most).toBe(32)
  const inquiries = Array.from({ length: 50 }, () => client.ask({ method: 'GET', path: '/inquiry' }))
  await expect.poll(() => hold.most).toBe(64)
  await sleep(100)
  expect(hold.most).toBe(64)
  respond = approve
  hold.release()
  const results = await Promise.all([...payments, ...inquiries])
  expect(results.filter((result) => result.kind === 'answered')).toHaveLength(100)
})

test.each([
  ['sends nothing', () => {}],
  ['stops in the middle', (response: ServerResponse) => void response.write('{"approved":')],
])('a request to an acquirer that %s ends at its timeout, without an answer', async (_name, failing) => {
  const client = openClient({ timeoutMs: 1_000 })
  respond = (_request, response) => failing(response)
  const startedAt = performance.now()
  expect(await client.send(POST)).toEqual({ kind: 'unanswered', reason: 'no response in time' })
  expect(performance.now() - startedAt).toBeGreaterThan(990)
  expect(await client.ask({ method: 'GET', path: '/', timeoutMs: 50 })).toMatchObject({ kind: 'unanswered' })
})

test('a request that finds no free connection in time is not sent, not even later', async () => {
  const client = openClient()
  const hold = holdResponses()
  const busy = Array.from({ length: 32 }, () => client.send(POST))
  await expect.poll(() => hold.most).toBe(32)
  expect(await client.send({ ...POST, path: '/late', timeoutMs: 100 })).toEqual({
    kind: 'unanswered',
    reason: 'no connection became free in time',
  })
  respond = approve
  hold.release()
  await Promise.all(busy)
  expect(await client.send({ ...POST, path: '/next' })).toMatchObject({ kind: 'answered' })
  expect(seen).toContain('/next')
  expect(seen).not.toContain('/late')
})

test('the timeout of a request starts when it is sent, not while it waits for a connection', async () => {
  const client = openClient()
  const hold = holdResponses()
  const busy = Array.from({ length: 32 }, () => client.send(POST))
  await expect.poll(() => hold.most).toBe(32)
  // Only the timeout of the request uses this clock, which moves when the test says so.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const waiting = client.send({ ...POST, timeoutMs: 3_000 })
  vi.advanceTimersByTime(2_000)
  const sent = holdResponses()
  hold.release()
  await expect.poll(() => sent.most).toBe(1)
  vi.advanceTimersByTime(1_500)
  sent.release()
  expect(await waiting).toMatchObject({ kind: 'answered', status: 200 })
  await Promise.all(busy)
})

test('a request carries the headers of the account, and the path of its base', async () => {
  const client = openClient({ baseUrl: `${url}/v72`, headers: { 'x-api-key': 'k' } })
  respond = (request, response) => void response.end(JSON.stringify(request.headers))
  const result = await client.ask({ ...POST, headers: { 'idempotency-key': 'i' } })
  const sent = JSON.parse(result.kind === 'answered' ? result.text : '{}') as object
  expect(sent).toMatchObject({ 'x-api-key': 'k', 'idempotency-key': 'i', 'content-type': 'application/json' })
  expect(seen).toEqual(['/v72/payments'])
})
