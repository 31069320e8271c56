import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { type Received, startReceiver } from '#platform/testing/receiver'
import { until } from '#platform/testing/until'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { webhooks, publish, deliveries, register, source } = fixture
webhooks.start()

// Proves reference/events#ordering.

/** Responds like a receiver that knows only the secrets of other endpoints. */
async function receiverRefusing(type: string) {
  const accepted: Received['body'][] = []
  const receiver = await startReceiver(({ body }, response) => {
    const isRefused = body.type === type
    if (!isRefused) accepted.push(body)
    response.writeHead(isRefused ? 401 : 200, isRefused ? { 'retry-after': '3600' } : {}).end()
  })
  return { receiver, accepted }
}

test('an endpoint gets its events while another endpoint of the same URL is retried', async () => {
  const { businessId, caller } = await fixture.business()
  const { receiver, accepted } = await receiverRefusing('order.created')
  await register(caller, receiver.url, ['order.created'])
  await register(caller, receiver.url, ['order.paid', 'order.refunded'])
  await publish(businessId, ['ord_q'], 'order.created')
  await until(async () => (await deliveries(caller))[0]?.attempts.length === 1)
  await publish(businessId, ['ord_q'], 'order.paid')
  await publish(businessId, ['ord_q'], 'order.refunded')
  await until(() => accepted.length === 2)
  expect(accepted.map(({ sequence }) => sequence)).toEqual([2, 3])
  await until(async () => (await deliveries(caller)).slice(1).every(({ state }) => state === 'delivered'))
})

test('an endpoint gets its events while the notify_url of the same address is retried', async () => {
  const { businessId, caller } = await fixture.business()
  const { receiver, accepted } = await receiverRefusing('order.created')
  source.urls.set('ord_n', receiver.url)
  await publish(businessId, ['ord_n'], 'order.created')
  await until(async () => (await deliveries(caller))[0]?.attempts.length === 1)
  await register(caller, receiver.url)
  await publish(businessId, ['ord_n'], 'order.paid')
  await until(async () => (await deliveries(caller)).some(({ state }) => state === 'delivered'))
  expect(accepted.map(({ sequence }) => sequence)).toEqual([2])
  const [, ...later] = await deliveries(caller)
  const states = new Map(later.map(({ endpoint_id: id, state }) => [typeof id === 'string', state]))
  expect(states).toEqual(
    new Map([
      [true, 'delivered'],
      [false, 'pending'],
    ]),
  )
})

test('a delivery that the version before made wait for another endpoint of its URL goes out after that one', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver((_message, response) => {
    response.writeHead(401, { 'retry-after': '3600' }).end()
  })
  const first = await register(caller, receiver.url, ['order.created'])
  const second = await register(caller, receiver.url, ['order.paid'])
  await publish(businessId, ['ord_w'], 'order.created')
  await until(async () => (await deliveries(caller))[0]?.attempts.length === 1)
  await publishAsBefore(businessId, second.id)
  await webhooks.deleteEndpoint(caller, first.id)
  receiver.reply = (_message, response) => response.end()
  await until(async () => (await deliveries(caller))[1]?.state === 'delivered')
})

/** Stores the delivery of an event as the version before did: not due while another endpoint's is pending. */
async function publishAsBefore(businessId: string, endpointId: string): Promise<void> {
  const changed = await fixture.db.transact(businessId, async (tx) => {
    await fixture.append(tx, ['ord_w'], 'order.paid')
    return tx.execute(sql`
      update deliveries set due_at = null where business_id = ${businessId} and endpoint_id = ${endpointId}`)
  })
  expect(changed).toBe(1)
}
