import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { replyWith, startReceiver } from '#platform/testing/receiver'
import { until } from '#platform/testing/until'
import { createFixture } from '../testing/fixture.ts'
import { DeliveryWorker } from './delivery-worker.ts'

const fixture = await createFixture()
const { publish, deliveries, register, deps } = fixture

// Proves reference/events#deliveries, reference/events#ordering, reference/operations#stopping.

/** The sequences that a receiver got, by object, in the order of their first arrival. */
function firstArrivals(received: readonly { body: { data: Record<string, unknown>; sequence: number } }[]) {
  const byObject = new Map<string, number[]>()
  for (const { body } of received) {
    const { number } = body.data['order'] as { number: string }
    const sequences = byObject.get(number) ?? []
    byObject.set(number, sequences)
    if (!sequences.includes(body.sequence)) sequences.push(body.sequence)
  }
  return byObject
}

async function startDeliveringProcess(): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('../testing/delivering-process.ts', import.meta.url))
  const child = fork(script, [fixture.url, fixture.encryptionKey.toString('base64')], { execArgv: [] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await once(child, 'message')
  return child
}

test('SIGKILL during a thousand deliveries loses none: all arrive in order without a gap', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver((_message, response) => {
    setTimeout(() => response.end(), 30 * Math.random())
  })
  await register(caller, receiver.url)
  const objects = Array.from({ length: 250 }, (_, index) => `ord_${index}`)
  for (let round = 0; round < 4; round++) await publish(businessId, objects)

  // Two processes at a time, so that one also takes over from the other while both run.
  for (let kill = 0; kill < 3; kill++) {
    const [first, second] = await Promise.all([startDeliveringProcess(), startDeliveringProcess()])
    const before = receiver.received.length
    await until(() => receiver.received.length > before + 20 || receiver.received.length >= 1_000)
    await sleep(100 * Math.random())
    first.kill('SIGKILL')
    await sleep(100 * Math.random())
    second.kill('SIGKILL')
  }
  await startDeliveringProcess()
  await until(async () => (await pendingCount(businessId)) === 0)
  const byObject = firstArrivals(receiver.received)
  expect(byObject.size).toBe(250)
  for (const sequences of byObject.values()) expect(sequences).toEqual([1, 2, 3, 4])
})

async function pendingCount(businessId: string): Promise<number> {
  const { rows } = await fixture.admin.query<{ count: bigint }>(
    `select count(*) from deliveries where business_id = $1 and state = 'pending'`,
    [businessId],
  )
  return Number(rows[0]?.count)
}

test('a process that stops holds no leases, and the requests that it aborts use up no attempt', async () => {
  const { businessId, caller } = await fixture.business()
  let isSilent = true
  const receiver = await startReceiver((message, response) => {
    if (!isSilent) replyWith(200)(message, response)
  })
  await register(caller, receiver.url)
  await publish(businessId, ['ord_s'])
  const first = new DeliveryWorker({ ...deps, log: pino({ level: 'silent' }) })
  first.start()
  await until(() => receiver.received.length === 1)
  await first.stop()
  const [aborted] = await deliveries(caller)
  expect(aborted).toMatchObject({ state: 'pending', attempts: [] })
  const leased = await fixture.admin.query(
    'select from deliveries where business_id = $1 and lease_id is not null',
    [businessId],
  )
  expect(leased.rowCount).toBe(0)
  isSilent = false
  const second = new DeliveryWorker(deps)
  second.start()
  await until(async () => (await deliveries(caller))[0]?.state === 'delivered')
  await second.stop()
})

test('an event that is written while the one before it finishes is delivered too', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver()
  await register(caller, receiver.url)
  const delivering = new DeliveryWorker(deps)
  delivering.start()
  const objects = Array.from({ length: 8 }, (_, index) => `ord_race_${index}`)
  await Promise.all(
    objects.map(async (object) => {
      for (let sequence = 1; sequence <= 40; sequence++) await publish(businessId, [object])
    }),
  )
  await until(async () => (await deliveries(caller)).every(({ state }) => state === 'delivered'))
  await delivering.stop()
  const inOrder = Array.from({ length: 40 }, (_, index) => index + 1)
  for (const sequences of firstArrivals(receiver.received).values()) expect(sequences).toEqual(inOrder)
})
