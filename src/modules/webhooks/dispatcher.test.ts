import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { Dispatcher } from './dispatcher.ts'
import { createFixture, until } from './testing/fixture.ts'
import { answering, startReceiver } from './testing/receiver.ts'

const fixture = await createFixture()
const { admin, happen, register } = fixture
// Alone: no runner looks after businesses that it forgets.
const dispatcher = new Dispatcher(fixture.needs)
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
