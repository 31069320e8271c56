import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { answering, neverAnswering, startReceiver } from '#platform/testing/receiver'
import { until } from '#platform/testing/until'
import { Dispatcher } from './dispatcher.ts'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { admin, happen, register } = fixture
// Alone: no runner looks after businesses that it forgets.
const dispatcher = new Dispatcher(fixture.deps)
afterAll(() => dispatcher.stop())

test('who is turned away while too many outcomes are not written is served once they are', async () => {
  const [busy, late] = [await fixture.business(), await fixture.business()]
  const held: ServerResponse[] = []
  const receiver = await startReceiver((_message, response) => held.push(response))
  const lateReceiver = await startReceiver()
  await register(busy.caller, receiver.url)
  await register(late.caller, lateReceiver.url)
  const numbers = Array.from({ length: 1_500 }, (_, index) => `ord_busy_${index}`)
  await happen(busy.businessId, numbers)
  await happen(late.businessId, ['ord_late'])

  await dispatcher.pull(busy.businessId)
  await until(() => held.length === 1)
  await admin.query('begin')
  const { rowCount } = await admin.query('select from deliveries where lease_id is not null for update')
  expect(rowCount).toBe(1)
  // From here on nothing of this business can be written, and all that it has is sent.
  receiver.reply = answering(200)
  held[0]?.writeHead(200).end()
  await until(async () => {
    const sent = receiver.received.length
    await sleep(200)
    return sent >= 1_000 && sent === receiver.received.length
  })
  const turnedAway = await dispatcher.pull(late.businessId)
  await admin.query('commit')
  expect(turnedAway).toBe(0)
  await until(() => lateReceiver.received.length === 1)
  await until(() => receiver.received.length === numbers.length)
})

test('who waits for a place gets one when an exchange turns out to be slow, before it is over', async () => {
  const [dead, late] = [await fixture.business(), await fixture.business()]
  // As many receivers as may be new at a time, eight on a host.
  const silent = await Promise.all(Array.from({ length: 12 }, () => startReceiver(neverAnswering)))
  const urls = silent.flatMap(({ url }) => Array.from({ length: 8 }, (_, index) => `${url}/${index}`))
  for (const url of urls) await register(dead.caller, url)
  const lateReceiver = await startReceiver()
  await register(late.caller, lateReceiver.url)
  await happen(dead.businessId, ['ord_dead'])
  await happen(late.businessId, ['ord_late'])

  expect(await dispatcher.pull(dead.businessId)).toBe(urls.length)
  expect(await dispatcher.pull(late.businessId)).toBe(0)
  // The exchanges under way time out after 15 s only.
  await until(() => lateReceiver.received.length === 1)
})
