import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { realNowMs } from '#kernel/clock'
import { Egress } from '#platform/security/egress'
import { neverReply, startReceiver } from '#platform/testing/receiver'
import { until } from '#platform/testing/until'
import { createFixture } from '../testing/fixture.ts'

const TIMEOUT_MS = 4_000
const fixture = await createFixture({ timeoutMs: TIMEOUT_MS })
const { webhooks, publish, deliveries, register, source } = fixture
webhooks.start()

// Proves reference/events#deliveries, reference/events#receiver-addresses.

/** How many times the requests to one host can have timed out since then. */
function roundsSince(startedAtMs: number): number {
  return 1 + Math.ceil((realNowMs() - startedAtMs) / TIMEOUT_MS)
}

test('an endpoint that never responds delays no other endpoint, however many deliveries wait for it', async () => {
  const { businessId, caller } = await fixture.business()
  const dead = await startReceiver(neverReply)
  const healthy = await startReceiver()
  await register(caller, dead.url)
  await register(caller, healthy.url)
  const startedAtMs = realNowMs()
  for (let batch = 0; batch < 45; batch++) {
    const numbers = Array.from({ length: 10 }, (_, index) => `ord_${batch}_${index}`)
    await publish(businessId, numbers)
    await sleep(20)
  }
  // Deliveries that wait for those of the dead endpoint would take minutes.
  await until(() => healthy.received.length === 450)
  expect(dead.received.length).toBeLessThanOrEqual(12 * roundsSince(startedAtMs))
  await until(async () => (await deliveries(caller)).some(({ attempts }) => attempts[0]?.error === 'timeout'))
})

test('a thousand URLs that never respond delay no other business', async () => {
  const dead = await fixture.business()
  const healthy = await fixture.business()
  const silent = await startReceiver(neverReply)
  const receiver = await startReceiver()
  for (let order = 0; order < 1_000; order++) {
    source.urls.set(`ord_dead_${order}`, `${silent.url}/hook/${order % 100}?order=${order}`)
  }
  await register(healthy.caller, receiver.url)
  await publish(
    dead.businessId,
    Array.from({ length: 1_000 }, (_, order) => `ord_dead_${order}`),
  )
  await until(() => silent.received.length > 0)
  const firstAtMs = realNowMs()
  for (let order = 0; order < 100; order++) {
    await publish(healthy.businessId, [`ord_ok_${order}`])
    await sleep(10)
  }
  // Deliveries that wait for those of the dead URLs would take minutes.
  await until(() => receiver.received.length === 100)
  // A host that never answers has eight requests at a time.
  expect(silent.received.length).toBeLessThanOrEqual(8 * roundsSince(firstAtMs))
})

test('a host name that resolves to a private address is never connected to, and the attempt says so', async () => {
  const egress = new Egress({
    allowPrivate: false,
    resolve: async () => [{ address: '10.0.0.7', family: 4 }],
  })
  const guarded = await createFixture({ egress })
  guarded.webhooks.start()
  const { businessId, caller } = await guarded.business()
  await guarded.register(caller, 'https://hook.example.com/in')
  await guarded.publish(businessId, ['ord_p'])
  await until(async () => (await guarded.deliveries(caller))[0]?.attempts.length === 1)
  const [delivery] = await guarded.deliveries(caller)
  expect(delivery?.attempts).toMatchObject([{ status: null, error: 'address_not_allowed' }])
  await egress.close()
})

test('a receiver that responds with 200 after 14 seconds gets its event once', async () => {
  const real = await createFixture()
  real.webhooks.start()
  const { businessId, caller } = await real.business()
  const receiver = await startReceiver((_message, response) => {
    setTimeout(() => response.end(), 14_000)
  })
  await real.register(caller, receiver.url)
  await real.publish(businessId, ['ord_14'])
  await until(async () => (await real.deliveries(caller))[0]?.state === 'delivered')
  const [delivery] = await real.deliveries(caller)
  expect(delivery?.attempts).toMatchObject([{ status: 200 }])
  expect(delivery?.attempts[0]?.duration_ms).toBeGreaterThanOrEqual(13_900)
  expect(receiver.received).toHaveLength(1)
})
