import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Simulator, startSimulator } from './server.ts'
import { temporaryDirectory } from '../../testing/simulator.ts'

let temporary: Awaited<ReturnType<typeof temporaryDirectory>>
let simulator: Simulator
beforeAll(async () => {
  temporary = await temporaryDirectory()
  simulator = await startSimulator({ port: 0, dir: temporary.dir, log: pino({ level: 'silent' }) })
})
afterAll(async () => {
  await simulator.close()
  await temporary.remove()
})

const CARD = { number: '4242424242424242', exp_month: 1, exp_year: 2040, holder_name: 'A B', cvc: '123' }
const SALE = { key: 'k1', at: '2031-01-01T00:00:00Z', amount: '10.00', currency: 'HKD', card: CARD }

function post(path: string, body: unknown): Promise<Response> {
  return fetch(simulator.url + path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

test.each([
  ['key', { ...SALE, key: 'a/b' }],
  ['key', { ...SALE, key: undefined }],
  ['at', { ...SALE, at: 'yesterday' }],
  ['amount', { ...SALE, amount: 10 }],
  ['amount', { ...SALE, amount: '10.001' }],
  ['amount', { ...SALE, amount: '0.00' }],
  ['amount', { ...SALE, amount: '-1.00' }],
  ['currency', { ...SALE, currency: 'XXY' }],
  ['card', { ...SALE, card: undefined }],
  ['card', { ...SALE, wallet: { type: 'wallet_b' } }],
  ['card.number', { ...SALE, card: { ...CARD, number: '4242 4242 4242 4242' } }],
  ['card.number', { ...SALE, card: { ...CARD, number: '4539578763621486' } }],
  ['card.exp_month', { ...SALE, card: { ...CARD, exp_month: 13 } }],
  ['card.exp_year', { ...SALE, card: { ...CARD, exp_year: 40 } }],
  ['card.holder_name', { ...SALE, card: { ...CARD, holder_name: 1 } }],
  ['card.cvc', { ...SALE, card: { ...CARD, cvc: '12' } }],
  ['card.pin', { ...SALE, card: { ...CARD, pin: '1234' } }],
  ['wallet.type', { ...SALE, card: undefined, wallet: { type: 'cash' } }],
  ['wallet.auto_debit', { ...SALE, card: undefined, wallet: { type: 'wallet_b', auto_debit: 1 } }],
  ['payer_present', { ...SALE, payer_present: 'yes' }],
  ['return_url', { ...SALE, return_url: 'javascript:alert(1)' }],
  ['original_key', { ...SALE, original_key: 'k0' }],
])('an invalid %s is refused by name and books nothing', async (param, body) => {
  const response = await post('/sales', body)
  expect([400, 422]).toContain(response.status)
  const answer = await response.text()
  expect(JSON.parse(answer)).toMatchObject({ error: { param } })
  expect(answer).not.toContain('4539578763621486')
  expect(await (await fetch(`${simulator.url}/books`)).text()).toBe('')
})

test.each([
  ['POST', '/sales', 'not json', 400],
  ['POST', '/sales', '[]', 400],
  ['POST', '/sales', `{"key":"${'k'.repeat(1_100_000)}"}`, 413],
  ['GET', '/sales', undefined, 405],
  ['DELETE', '/payments/k', undefined, 405],
  ['GET', '/nothing', undefined, 404],
  ['GET', '/payments/k/nothing', undefined, 404],
  ['GET', '/payments/k?at=now', undefined, 400],
  ['POST', '/payments/nobody/confirm', undefined, 404],
])('%s %s is refused with a client error', async (method, path, body, status) => {
  const response = await fetch(simulator.url + path, { method, body: body ?? null })
  expect(response.status).toBe(status)
  expect(await response.json()).toHaveProperty('error.code')
})

test('amounts are booked with the decimals of their currency', async () => {
  await post('/sales', { ...SALE, key: 'jpy', amount: '1200.00', currency: 'JPY' })
  await post('/sales', { ...SALE, key: 'kwd', amount: '1.5', currency: 'KWD' })
  await post('/sales', { ...SALE, key: 'big', amount: '999999999999999.99' })
  const text = await (await fetch(`${simulator.url}/books`)).text()
  const amounts = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { amount: string }).amount)
  expect(amounts).toEqual(['1200', '1.500', '999999999999999.99'])
})

test('a second simulator on the same books is refused with a clear message', async () => {
  const second = startSimulator({ port: 0, dir: temporary.dir, log: pino({ level: 'silent' }) })
  await expect(second).rejects.toThrow(`Another simulator is using the books in ${temporary.dir}.`)
})

test('a port in use is refused, and the books are released for the next try', async () => {
  const other = await temporaryDirectory()
  const log = pino({ level: 'silent' })
  const port = Number(new URL(simulator.url).port)
  await expect(startSimulator({ port, dir: other.dir, log })).rejects.toThrow(/EADDRINUSE/)
  const again = await startSimulator({ port: 0, dir: other.dir, log })
  await again.close()
  await other.remove()
})
