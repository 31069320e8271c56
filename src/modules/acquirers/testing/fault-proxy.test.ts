import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startHttpServer } from '#platform/testing/http-server'
import type { FaultSettings } from '../../../../twins/common/faults.ts'
import { startFaultProxy } from './fault-proxy.ts'

const reached: string[] = []
const upstream = await startHttpServer((request, response) => {
  reached.push(`${request.method} ${request.url} ${String(request.headers['x-api-key'])}`)
  response.writeHead(201, { 'content-type': 'application/json', 'transient-error': 'false' }).end('{"id":1}')
})
const proxy = await startFaultProxy(`${upstream}/checkout/`)

async function post(path = '/v72/payments?a=b'): Promise<number | 'cut'> {
  const headers = { 'x-api-key': 'k', 'idempotency-key': 'txn_1' }
  const answer = await fetch(proxy.url + path, { method: 'POST', headers, body: '{"of":"mine"}' }).catch(
    () => null,
  )
  return answer === null ? 'cut' : answer.status
}

test('a request and its answer pass unchanged, and are seen', async () => {
  const answer = await fetch(`${proxy.url}/v72/payments?a=b`, {
    method: 'POST',
    headers: { 'x-api-key': 'k', 'idempotency-key': 'txn_0' },
    body: '{"of":"mine"}',
  })
  expect([answer.status, answer.headers.get('transient-error'), await answer.json()]).toEqual([
    201,
    'false',
    { id: 1 },
  ])
  expect(reached.splice(0)).toEqual(['POST /checkout/v72/payments?a=b k'])
  expect(proxy.seen.at(-1)).toEqual({
    method: 'POST',
    path: '/v72/payments',
    idempotencyKey: 'txn_0',
    body: '{"of":"mine"}',
    status: 201,
    answer: '{"id":1}',
  })
})

test.each<[keyof FaultSettings, number | 'cut', number]>([
  ['rate_limit', 429, 0],
  ['fail_before', 500, 0],
  ['fail_after', 500, 1],
  ['lose_answer', 'cut', 1],
])('%s answers %s after the acquirer was reached %s times', async (fault, answer, times) => {
  const seenBefore = proxy.seen.length
  proxy.setFaults({ [fault]: 1, times: 1 })
  expect(await post()).toBe(answer)
  expect(reached.splice(0)).toHaveLength(times)
  expect(proxy.seen.slice(seenBefore).map(({ status }) => status)).toEqual(times === 1 ? [201] : [])
  expect(await post()).toBe(201)
  reached.splice(0)
})

test('only requests that match meet a fault, until the faults are ended', async () => {
  proxy.setFaults({ fail_before: 1, match: '^POST /v72/payments/.*/captures$' })
  expect(await post()).toBe(201)
  expect(await post('/v72/payments/PSP/captures')).toBe(500)
  proxy.setFaults({})
  expect(await post('/v72/payments/PSP/captures')).toBe(201)
})

test('a late request reaches the acquirer late', async () => {
  reached.splice(0)
  proxy.setFaults({ latency_ms: 6_000 })
  const late = post()
  await sleep(300)
  proxy.setFaults({})
  expect(await post('/overtakes')).toBe(201)
  expect(await late).toBe(201)
  expect(reached.map((line) => line.split(' ')[1])).toEqual([
    '/checkout/overtakes',
    '/checkout/v72/payments?a=b',
  ])
})

test('an acquirer that cannot be reached cuts the connection', async () => {
  const nowhere = await startFaultProxy('http://127.0.0.1:9')
  await expect(fetch(nowhere.url)).rejects.toThrow('fetch failed')
  expect(nowhere.seen).toEqual([])
})
