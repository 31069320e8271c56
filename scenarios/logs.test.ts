import pg from 'pg'
import { expect, test } from 'vitest'
import { runInProcess } from '../src/commands/testing/run-in-process.ts'
import { PAYMENTS } from './harness/client.ts'
import { runCommand } from './harness/command-line.ts'
import { startScenario } from './harness/scenario.ts'

const { client, service, databaseUrl } = await startScenario()
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

// Proves reference/logs#money-moved-by-api, reference/timelines#past.
test('who moved money by API, when and by which request is on the order for ever, and in the request log before', async () => {
  const { api_key: cashier, secret } = await client.ok('POST', API_KEYS, {
    api_key: { name: 'Cashier', scopes: ['payments:write'], expires_in: 'P1D' },
  })
  const byCashier = (path: string, body: object) =>
    client.ok('POST', `${PAYMENTS}/${path}`, body, {
      headers: { authorization: `Bearer ${secret}`, 'x-request-id': path.replace('/', '-') },
    })
  const { uuid } = await client.createCustomer()
  const { token } = await client.bindCard(uuid, '4242424242424242')
  const [{ number }, { number: voided }] = [await client.createOrder(), await client.createOrder()]
  const { transaction: authorization } = await byCashier('orders/pay', {
    order: { number },
    transaction: { type: 'Authorization', payment_token: token },
  })
  await byCashier('transactions/capture', { transaction: { uuid: authorization.uuid } })
  const captured = (await client.ok('POST', `${PAYMENTS}/orders/check`, { order: { number } })).order
    .transactions
  await byCashier('transactions/refund', {
    transaction: { uuid: captured.find(({ type }: { type: string }) => type === 'Capture').uuid },
    amount: 10,
  })
  await client.pay(voided, token)
  await byCashier('orders/void', { order: { number: voided } })

  const [refund] = await listed(`object_id = ${number} route:refund`, 1)
  expect(refund).toMatchObject({
    actor: { type: 'api_key', id: cashier.id },
    request_id: 'transactions-refund',
  })
  const { audit_entries: audited } = await client.ok(
    'GET',
    `${LOGS}/audit_entries?filter=actor_id%20%3D%20${cashier.id}`,
  )
  expect(audited).toEqual([])

  const admin = new pg.Client({ connectionString: databaseUrl })
  await admin.connect()
  await admin.query('delete from request_log')
  await admin.query('delete from idempotency_keys')
  await admin.end()
  const actorsOf = async (order: string) => {
    const { timeline } = await client.ok('GET', `${PAYMENTS}/orders/${order}/timeline`)
    return (timeline.past as Record<string, unknown>[])
      .filter(({ event_id: eventId }) => eventId !== null)
      .map(({ kind, request_id: request, actor_id: actor }) => [kind, request, actor])
  }
  expect(await actorsOf(number)).toEqual([
    ['order.updated', 'transactions-refund', null],
    ['transaction.succeeded', 'transactions-refund', cashier.id],
    ['order.paid', 'transactions-capture', null],
    ['transaction.succeeded', 'transactions-capture', cashier.id],
    ['transaction.succeeded', 'orders-pay', cashier.id],
    ['order.created', expect.any(String), null],
  ])
  expect(await actorsOf(voided)).toEqual([
    ['order.voided', 'orders-void', cashier.id],
    ['transaction.voided', 'orders-void', cashier.id],
    ['order.paid', expect.any(String), null],
    ['transaction.succeeded', expect.any(String), expect.stringMatching(/^key_/)],
    ['order.created', expect.any(String), null],
  ])
  const { audit_entries: made } = await client.ok(
    'GET',
    `${LOGS}/audit_entries?filter=object_id%20%3D%20${cashier.id}`,
  )
  expect(made).toMatchObject([{ action: 'api_keys.create', after: { api_key: { name: 'Cashier' } } }])
})
