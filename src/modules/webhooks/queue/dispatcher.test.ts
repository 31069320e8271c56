import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { replyWith, neverReply, startReceiver } from '#platform/testing/receiver'
import { until } from '#platform/testing/until'
import { adminOf } from '#platform/testing/database'
import { Dispatcher } from './dispatcher.ts'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { publish, register } = fixture
// No job runner polls here, so a business that the dispatcher forgets is never served.
const dispatcher = new Dispatcher(fixture.deps)
afterAll(() => dispatcher.stop())

// Proves reference/events#deliveries.

test('a business that is refused while too many results are unwritten is served once they are written', async () => {
  const [busy, late] = [await fixture.business(), await fixture.business()]
  const held: ServerResponse[] = []
  const receiver = await startReceiver((_message, response) => held.push(response))
  const lateReceiver = await startReceiver()
  await register(busy.caller, receiver.url)
  await register(late.caller, lateReceiver.url)
  const numbers = Array.from({ length: 1_500 }, (_, index) => `ord_busy_${index}`)
  await publish(busy.businessId, numbers)
  await publish(late.businessId, ['ord_late'])

  await dispatcher.claim(busy.businessId)
  await until(() => held.length === 1)
  const node = await adminOf(fixture, busy.businessId)
  await node.query('begin')
  const { rowCount } = await node.query('select from deliveries where lease_id is not null for update')
  expect(rowCount).toBe(1)
  // The lock keeps all results of this business from being written.
  receiver.reply = replyWith(200)
  held[0]?.writeHead(200).end()
  await until(async () => {
    const sent = receiver.received.length
    await sleep(200)
    return sent >= 1_000 && sent === receiver.received.length
  })
  const refused = await dispatcher.claim(late.businessId)
  await node.query('commit')
  expect(refused).toBe(0)
  await until(() => lateReceiver.received.length === 1)
  // On a busy machine a lease may end while the lock is held, and its delivery is sent again.
  const arrived = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size
  await until(() => arrived() === numbers.length)
})

test('a waiting business gets a slot when a request turns out to be slow, before that request ends', async () => {
  const [dead, late] = [await fixture.business(), await fixture.business()]
  // 96 new receivers, eight on each host: the limit of new ones.
  const silent = await Promise.all(Array.from({ length: 12 }, () => startReceiver(neverReply)))
  const urls = silent.flatMap(({ url }) => Array.from({ length: 8 }, (_, index) => `${url}/${index}`))
  for (const url of urls) await register(dead.caller, url)
  const lateReceiver = await startReceiver()
  await register(late.caller, lateReceiver.url)
  await publish(dead.businessId, ['ord_dead'])
  await publish(late.businessId, ['ord_late'])

  expect(await dispatcher.claim(dead.businessId)).toBe(urls.length)
  expect(await dispatcher.claim(late.businessId)).toBe(0)
  // The running requests time out only after 15 s.
  await until(() => lateReceiver.received.length === 1, 14_000)
})
