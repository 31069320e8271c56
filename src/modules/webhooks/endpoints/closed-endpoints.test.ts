import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { readPage } from '#platform/http/validation/list'
import { replyWith, startReceiver } from '#platform/testing/receiver'
import { until } from '#platform/testing/until'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { webhooks, publish, deliveries, register } = fixture
webhooks.start()

// Proves reference/events#endpoints.

test('a 410 disables the endpoint, which gets no further requests', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver(replyWith(410))
  await register(caller, receiver.url)
  await publish(businessId, ['ord_g', 'ord_g'])
  await until(async () => (await deliveries(caller)).every(({ state }) => state === 'exhausted'))
  await publish(businessId, ['ord_g'])
  const all = await deliveries(caller)
  expect(all).toHaveLength(2)
  expect(all.map(({ attempts }) => attempts.length)).toEqual([1, 0])
  expect(receiver.received).toHaveLength(1)
  const { endpoints } = await webhooks.endpoints(caller, undefined, readPage('endpoints', { limit: 20 }))
  expect(endpoints).toMatchObject([{ state: 'disabled' }])
  await expect(webhooks.redeliver(caller, all[0]?.id ?? '')).rejects.toMatchObject({
    reason: 'endpoint_not_active',
  })
})

const retryInAnHour = replyWith(503, { 'retry-after': '3600' })

test('pending deliveries of a deleted endpoint are exhausted at once, without a request', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver(retryInAnHour)
  const endpoint = await register(caller, receiver.url)
  await publish(businessId, ['ord_d'])
  await until(async () => (await deliveries(caller))[0]?.attempts.length === 1)
  await webhooks.deleteEndpoint(caller, endpoint.id)
  await until(async () => (await deliveries(caller))[0]?.state === 'exhausted')
  expect(receiver.received).toHaveLength(1)
  await expect(webhooks.deleteEndpoint(caller, endpoint.id)).rejects.toMatchObject({ status: 404 })
})

test('an endpoint at the URL of a deleted one does not wait for deliveries of the deleted one', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver(retryInAnHour)
  const first = await register(caller, receiver.url)
  await publish(businessId, ['ord_again'])
  await until(async () => (await deliveries(caller))[0]?.attempts.length === 1)
  receiver.reply = replyWith(200)
  await webhooks.deleteEndpoint(caller, first.id)
  await register(caller, receiver.url)
  await publish(businessId, ['ord_again'])
  await until(async () => (await deliveries(caller)).every(({ state }) => state !== 'pending'))
  expect((await deliveries(caller)).map(({ state }) => state)).toEqual(['exhausted', 'delivered'])
  expect(receiver.received.map(({ body }) => body.sequence)).toEqual([1, 2])
})

test('a 410 for one event exhausts the pending retries of other events at once', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver(retryInAnHour)
  await register(caller, receiver.url)
  await publish(businessId, ['ord_waits'])
  await until(async () => (await deliveries(caller))[0]?.attempts.length === 1)
  receiver.reply = replyWith(410)
  await publish(businessId, ['ord_gone'])
  await until(async () => (await deliveries(caller)).every(({ state }) => state === 'exhausted'))
  expect(receiver.received).toHaveLength(2)
})

test('an attempt that fails after its endpoint was deleted is not retried', async () => {
  const { businessId, caller } = await fixture.business()
  const held: ServerResponse[] = []
  const receiver = await startReceiver((_message, response) => held.push(response))
  const endpoint = await register(caller, receiver.url)
  await publish(businessId, ['ord_held'])
  await until(() => held.length === 1)
  await webhooks.deleteEndpoint(caller, endpoint.id)
  held[0]?.writeHead(503, { 'retry-after': '3600' }).end()
  await until(async () => (await deliveries(caller))[0]?.state === 'exhausted')
  expect((await deliveries(caller))[0]?.attempts).toMatchObject([{ status: 503 }])
  expect(receiver.received).toHaveLength(1)
})
