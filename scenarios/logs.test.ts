import { expect, test } from 'vitest'
import { runInProcess } from '../src/commands/testing/run-in-process.ts'
import { PAYMENTS } from './harness/client.ts'
import { runCommand } from './harness/command-line.ts'
import { startScenario } from './harness/scenario.ts'

const { client, service } = await startScenario()
const LOGS = '/svc/log/api/v1/openapi'
const API_KEYS = '/svc/account/api/v1/openapi/api_keys'

async function listed(filter: string, count: number): Promise<Record<string, unknown>[]> {
  const path = `${LOGS}/requests?filter=${encodeURIComponent(filter)}`
  await expect.poll(async () => (await client.ok('GET', path)).requests.length).toBe(count)
  const { requests } = await client.ok('GET', path)
  return requests
}

// Proves reference/logs#requests, reference/logs#redaction.
test('every request of an order is found by the order, with redacted bodies', async () => {
  const customer = await client.createCustomer()
  const { token } = await client.bindCard(customer.uuid, '4242424242424242')
  const order = await client.createOrder({ customer_uuid: customer.uuid })
  const options = { idempotencyKey: 'pay-once', headers: { 'x-request-id': 'the-payment' } }
  const pay = () =>
    client.call(
      'POST',
      `${PAYMENTS}/orders/pay`,
      { order: { number: order.number }, transaction: { type: 'Sales', payment_token: token } },
      options,
    )
  await pay()
  await pay()
  await client.call('POST', `${PAYMENTS}/orders/void`, { order: { number: order.number } })
  const requests = await listed(`object_id = ${order.number}`, 4)
  expect(
    requests.map(({ route, status, idempotent_replayed: replayed }) => [route, status, replayed]),
  ).toEqual([
    [`${PAYMENTS}/orders/void`, expect.any(Number), false],
    [`${PAYMENTS}/orders/pay`, 200, true],
    [`${PAYMENTS}/orders/pay`, 200, false],
    [`${PAYMENTS}/orders`, 200, false],
  ])
  expect(await listed('idempotency_key = "pay-once"', 2)).toHaveLength(2)
  const { request } = await client.ok('GET', `${LOGS}/requests/the-payment`)
  expect(JSON.parse(request.response_body)).toMatchObject({ data: { order: { number: order.number } } })
  const [binding] = await listed(`object_id = ${customer.uuid} route:payment_tokens`, 1)
  const { request: bound } = await client.ok('GET', `${LOGS}/requests/${String(binding?.['request_id'])}`)
  expect(bound.request_body).not.toContain('4242424242424242')
  expect(JSON.parse(bound.request_body)).toMatchObject({
    payment_token: { credit_card: { number: '424242******4242', cvc: '[redacted]' } },
  })
})

// Proves reference/logs#audit-entries, reference/logs#chain.
test('a key made by API is in the audit log without its secret, and verify finds every chain unbroken', async () => {
  const { api_key: key, secret } = await client.ok('POST', API_KEYS, {
    api_key: { name: 'Report', scopes: ['logs:read'], expires_in: 'P1D' },
  })
  await client.ok('DELETE', `${API_KEYS}/${key.id}`)
  await runCommand(service, ['businesses', 'create', '--name', 'Another'])
  const { audit_entries: entries } = await client.ok(
    'GET',
    `${LOGS}/audit_entries?filter=action%3A%22api_keys%22`,
  )
  expect(entries).toMatchObject([
    { action: 'api_keys.delete', state: 'completed', object: { type: 'api_keys', id: key.id }, before: null },
    { action: 'api_keys.create', state: 'completed', object: { type: 'api_keys', id: key.id } },
  ])
  const csv = await fetch(`${client.sandbox.base_url}${LOGS}/audit_entries/export.csv`, {
    headers: { authorization: `Bearer ${client.sandbox.api_key}` },
  })
  const text = await csv.text()
  expect(text.split('\r\n').length).toBeGreaterThanOrEqual(5)
  for (const shown of [text, JSON.stringify(entries)]) expect(shown).not.toContain(secret)
  const { exitCode, stdout } = await runInProcess(service.env, ['verify', '--json'])
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { breaches: [] }])
})
