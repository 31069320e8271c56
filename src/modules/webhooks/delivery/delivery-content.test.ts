import sql from 'sql-template-tag'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { replyWith, startReceiver } from '#platform/testing/receiver'
import { until } from '#platform/testing/until'
import { adminOf } from '#platform/testing/database'
import { createFixture } from '../testing/fixture.ts'
import { bodyOf } from './message.ts'

const fixture = await createFixture()
const { webhooks, append, publish, deliveries, register } = fixture
webhooks.start()

// Proves reference/events#payloads, reference/events#deliveries, reference/events#secrets.

test('each of many events that were written together is sent, listed and redelivered with its own object', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver()
  await register(caller, receiver.url)
  const orders = Array.from({ length: 100 }, (_, index) => `ord_${index}`)
  await publish(businessId, orders)
  await until(() => receiver.received.length === orders.length)
  const sent = receiver.received.map(({ body }) => body.data)
  expect(sent).toHaveLength(orders.length)
  for (const number of orders) expect(sent).toContainEqual({ order: { number, state: 'open' } })

  const page = { list: 'events', offset: 0, limit: 1_000, after: undefined }
  const { events } = await webhooks.events(caller, { objectId: undefined, type: undefined }, page)
  expect(events).toHaveLength(orders.length)
  for (const { object_id: id, data } of events) expect(data).toMatchObject({ order: { number: id } })

  await until(async () => (await deliveries(caller)).every(({ state }) => state === 'delivered'))
  const again = (await deliveries(caller))[70]
  await webhooks.redeliver(caller, again?.id ?? '')
  await until(() => receiver.received.length === orders.length + 1)
  expect(receiver.received.at(-1)?.text).toBe(again?.request?.body)
})

test('a delivery that waits for its first attempt says of which event it is, and a filter finds it', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver(replyWith(500))
  const endpoint = await register(caller, receiver.url)
  await publish(businessId, ['ord_1', 'ord_1', 'ord_2'])
  await until(() => receiver.received.length >= 2)
  const listed = async (filter: string) => {
    const page = { list: 'deliveries', offset: 0, limit: 100, after: undefined }
    const found = await webhooks.deliveries(caller, { eventId: undefined, state: undefined, filter }, page)
    return found.deliveries
  }
  const waiting = { event_type: 'order.updated', object_id: 'ord_1', request: null, attempts: [] }
  const [second, first] = await listed('object_id = ord_1 AND state = pending')
  expect(second).toMatchObject({ ...waiting, endpoint_id: endpoint.id, created_at: expect.any(String) })
  expect(first).toMatchObject({ event_type: 'order.updated', object_id: 'ord_1' })
  expect(await listed(`endpoint_id = ${endpoint.id}`)).toHaveLength(3)
  expect(await listed('endpoint_id = whe_other')).toEqual([])
  expect(await listed('created_at < "2020-01-01T00:00:00Z"')).toEqual([])
  await expect(listed('url = "x"')).rejects.toMatchObject({ reason: 'invalid_filter' })
})

test('deliveries of a damaged bundle are exhausted, and no other delivery waits for them', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver()
  await register(caller, receiver.url)
  const orders = Array.from({ length: 16 }, (_, index) => `ord_${index}`)
  await fixture.db.transact(businessId, async (tx) => {
    await append(tx, orders)
    await tx.execute(sql`
      update event_bundles set documents = substring(documents for 20) where business_id = ${businessId}`)
  })
  await publish(businessId, ['ord_0'])
  await until(() => receiver.received.length === 1)
  expect(receiver.received[0]?.body).toMatchObject({ data: { order: { number: 'ord_0' } }, sequence: 2 })

  await until(async () => (await deliveries(caller)).every(({ state }) => state !== 'pending'))
  const listed = await deliveries(caller)
  expect(listed.slice(0, 16)).toMatchObject(
    orders.map(() => ({
      state: 'exhausted',
      request: null,
      attempts: [{ status: null, error: 'event_unreadable' }],
    })),
  )
  const page = { list: 'events', offset: 0, limit: 1_000, after: undefined }
  const { events } = await webhooks.events(caller, { objectId: undefined, type: undefined }, page)
  expect(events.map(({ data }) => data)).toEqual([
    { order: { number: 'ord_0', state: 'open' } },
    ...orders.map(() => ({})),
  ])
  expect(await webhooks.redeliver(caller, listed[5]?.id ?? '')).toMatchObject({
    delivery: { state: 'pending' },
  })
})

test('a delivery shows the beginning of its request, without signature, secrets and card numbers', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver()
  await register(caller, `${receiver.url}/hook`)
  await publish(businessId, ['ord_shown'])
  await until(async () => (await deliveries(caller)).every(({ state }) => state === 'delivered'))
  const [message] = receiver.received
  const headerNames = ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp'] as const
  const sent = headerNames.map((name) => [name, message?.headers[name]])
  expect((await deliveries(caller))[0]?.request).toEqual({
    method: 'POST',
    url: `${receiver.url}/hook`,
    headers: { ...Object.fromEntries(sent), 'webhook-signature': '[redacted]' },
    body: message?.text,
  })

  const note = `4242424242424242 whsec_c2VjcmV0 ${'x'.repeat(2_000)}`
  await publish(businessId, ['ord_long'], 'order.updated', { order: { number: 'ord_long', note } })
  await until(async () => (await deliveries(caller)).every(({ state }) => state === 'delivered'))
  const { body = '' } = (await deliveries(caller))[1]?.request ?? {}
  expect(body).toHaveLength(1_000)
  expect(body).toContain('424242******4242 whsec_[redacted] xxx')
})

test('a message of more than 20 kB is truncated to the identifiers of its objects', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver()
  await register(caller, receiver.url)
  const lines = Array.from({ length: 700 }, (_, index) => ({ label: `一行 ${index}`, price: 1.5 }))
  const order = { number: 'ord_big', reference_number: 'R-1', currency: 'HKD', line_items: lines }
  const transaction = { uuid: 'txn_1', reference_id: null, amount: 1 }
  await publish(businessId, ['ord_big'], 'transaction.succeeded', { order, transaction })
  await until(() => receiver.received.length === 1)
  const [message] = receiver.received
  expect(message?.body).toEqual({
    type: 'transaction.succeeded',
    timestamp: expect.any(String),
    data: { order: { number: 'ord_big', reference_number: 'R-1' }, transaction: { uuid: 'txn_1' } },
    sequence: 1,
    object_id: 'ord_big',
    truncated: true,
  })
})

test('a message is truncated from its first byte above 20,000 on', () => {
  const message = (noteLength: number) => ({
    type: 'order.updated',
    timestamp: realClock.now(),
    sequence: 1,
    object_id: 'ord_1',
    data: JSON.stringify({ order: { number: 'ord_1', note: 'x'.repeat(noteLength) } }),
  })
  const fitting = 20_000 - bodyOf(message(0)).length
  expect(bodyOf(message(fitting))).toHaveLength(20_000)
  const truncated = JSON.parse(bodyOf(message(fitting + 1)).toString()) as object
  expect(truncated).toMatchObject({ data: { order: { number: 'ord_1' } }, truncated: true })
  expect(JSON.parse(bodyOf(message(fitting)).toString())).not.toHaveProperty('truncated')
})

test('after a rotation the previous secret also signs, until the next rotation', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver()
  const first = await register(caller, receiver.url)
  const rotate = async () => (await webhooks.rotateSecret(caller, first.id)).endpoint
  const second = await rotate()
  await publish(businessId, ['ord_r1'])
  await until(() => receiver.received.length === 1)
  const third = await rotate()
  await publish(businessId, ['ord_r2'])
  await until(() => receiver.received.length === 2)
  const accepts = (secret: string, index: number): boolean => {
    const { text = '', headers = {} } = receiver.received[index] ?? {}
    try {
      new Webhook(secret).verify(text, headers)
      return true
    } catch {
      return false
    }
  }
  expect([first, second, third].map(({ secret }) => accepts(secret, 0))).toEqual([true, true, false])
  expect([first, second, third].map(({ secret }) => accepts(secret, 1))).toEqual([false, true, true])
  const { rows } = await fixture.admin.query<object>('select * from webhook_endpoints')
  expect(JSON.stringify(rows)).not.toContain('whsec_')
})

test("a sealed secret that is moved to another endpoint's row signs nothing", async () => {
  const { businessId, caller } = await fixture.business()
  const [own, other] = await Promise.all([startReceiver(), startReceiver()])
  const from = await register(caller, own.url)
  const to = await register(caller, other.url)
  await publish(businessId, ['ord_before'])
  await until(() => own.received.length === 1 && other.received.length === 1)
  const node = await adminOf(fixture, businessId)
  await node.query(
    `update webhook_endpoints set sealed_secret = (select sealed_secret from webhook_endpoints where id = $1)
      where id = $2`,
    [from.id, to.id],
  )
  await publish(businessId, ['ord_after'])
  await until(() => own.received.length === 2)
  const soon = realClock.now().add({ seconds: 30 }).toString()
  // A message that cannot be signed is retried in a minute.
  await until(async () => {
    const waiting = (await deliveries(caller)).find(({ state }) => state === 'pending')
    return (waiting?.next_attempt_at ?? '') > soon
  })
  expect(other.received).toHaveLength(1)
})
