import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { freezeClock } from '#platform/testing/clock'
import { replyWith, type Received, startReceiver } from '#platform/testing/receiver'
import { until } from '#platform/testing/until'
import { adminOf } from '#platform/testing/database'
import { purgeJob } from '../jobs.ts'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { webhooks, publish, deliveries, register, moveClock, source } = fixture
webhooks.start()

// Proves reference/events#deliveries, reference/events#signatures, reference/events#ordering, reference/events#retries,
// reference/events#redelivery, reference/events#moved-clocks.

/** A busy machine records an attempt, from whose end its retry counts, this long after it began. */
const SLOW_SECONDS = 30

const numberOf = ({ data }: Received['body']) => (data['order'] as { number: string }).number

test('an event reaches every endpoint of its type, with a signature that the standardwebhooks library accepts', async () => {
  const { businessId, caller } = await fixture.business()
  const [all, some, none] = await Promise.all([startReceiver(), startReceiver(), startReceiver()])
  const allEndpoint = await register(caller, `${all.url}/hook?x=1`)
  const someEndpoint = await register(caller, some.url, ['order.paid'])
  await register(caller, none.url, ['plan.created'])
  await publish(businessId, ['ord_1'], 'order.created')
  await publish(businessId, ['ord_1'], 'order.paid')
  await until(() => all.received.length === 2 && some.received.length === 1)

  for (const [receiver, { secret }] of [[all, allEndpoint] as const, [some, someEndpoint] as const]) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    for (const { text, headers } of receiver.received) new Webhook(secret).verify(text, headers)
  }
  const [first, second] = all.received
  expect(first?.path).toBe('/hook?x=1')
  expect(first?.body).toEqual({
    type: 'order.created',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    data: { order: { number: 'ord_1', state: 'open' } },
    sequence: 1,
    object_id: 'ord_1',
  })
  expect(second?.body.sequence).toBe(2)
  expect(none.received).toEqual([])
  await until(async () => (await deliveries(caller)).every(({ state }) => state === 'delivered'))
  const [delivery] = await deliveries(caller)
  expect(delivery).toMatchObject({ url: `${all.url}/hook?x=1`, next_attempt_at: null })
  expect(delivery?.event_id).toBe(first?.headers['webhook-id'])
  expect(delivery?.attempts).toEqual([
    {
      at: expect.any(String),
      status: 200,
      duration_ms: expect.any(Number),
      webhook_timestamp: Number(first?.headers['webhook-timestamp']),
    },
  ])
})

test("an object's own URL gets each event once, signed with the business's secret", async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver()
  source.urls.set('ord_own', receiver.url)
  await publish(businessId, ['ord_own', 'ord_other', 'ord_own'])
  await until(async () => (await deliveries(caller)).every(({ state }) => state === 'delivered'))
  expect(receiver.received.map(({ body }) => body.sequence)).toEqual([1, 2])
  for (const { text, headers } of receiver.received) new Webhook(fixture.businessSecret).verify(text, headers)
})

test('one claim takes the deliveries of an event to a hundred receivers, whatever their limits', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver()
  for (let number = 0; number < 100; number++) await register(caller, `${receiver.url}/${number}`)
  for (let round = 1; round <= 5; round++) {
    await publish(businessId, [`ord_${round}`])
    await until(() => receiver.received.length === round * 100)
  }
  await until(async () => (await deliveries(caller)).every(({ state }) => state === 'delivered'))
  const last = (await deliveries(caller)).slice(-100)
  expect(new Set(last.map(({ attempts }) => attempts[0]?.at)).size).toBe(1)
})

test('deliveries whose month is not dropped are deleted 62 days after their creation, unless they are pending', async () => {
  const { businessId, caller } = await fixture.business()
  const [receiver, refusing] = await Promise.all([startReceiver(), startReceiver(replyWith(500))])
  await register(caller, receiver.url)
  await publish(businessId, ['ord_old', 'ord_new'])
  await until(async () => (await deliveries(caller)).every(({ state }) => state === 'delivered'))
  await register(caller, refusing.url)
  await publish(businessId, ['ord_refused'])
  await until(async () => (await deliveries(caller)).some(({ attempts }) => attempts[0]?.status === 500))
  const [old, kept] = await deliveries(caller)
  const node = await adminOf(fixture, businessId)
  await node.query(
    `update deliveries set created_at = created_at - interval '62 days' where business_id = $1 and id <> $2`,
    [businessId, kept?.id],
  )
  const purge = purgeJob(fixture.db)
  await purge.run({ businessId, until: realClock.now(), timeOf: () => realClock.now() })
  const left = await deliveries(caller)
  expect(left.map(({ id }) => id)).toContain(kept?.id)
  expect(left.map(({ id }) => id)).not.toContain(old?.id)
  expect(left.filter(({ state }) => state === 'pending')).toHaveLength(1)
})

test('a business without receivers has no deliveries and no scheduled jobs', async () => {
  const { businessId } = await fixture.business()
  await publish(businessId, ['ord_x'])
  const { rows } = await fixture.admin.query(
    'select 1 from deliveries where business_id = $1 union all select 1 from next_runs where business_id = $1',
    [businessId],
  )
  expect(rows).toEqual([])
})

test('later events of an object wait for the earlier ones, and events of other objects do not', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver((message, response) => {
    const isRefused = numberOf(message.body) === 'a' && receiver.received.length < 4
    response.writeHead(isRefused ? 500 : 200).end('no')
  })
  await register(caller, receiver.url)
  await publish(businessId, ['a', 'a', 'b', 'b'])
  await until(() => receiver.received.length === 3)
  await publish(businessId, ['a', 'b'])
  const pending = async () => (await deliveries(caller)).filter(({ state }) => state === 'pending')
  await until(async () => (await pending()).length === 3 && (await pending())[0]?.attempts.length === 1)
  expect(receiver.received).toHaveLength(4)
  expect((await pending()).map((delivery) => delivery.next_attempt_at === null)).toEqual([false, true, true])
  await moveClock(businessId, { seconds: 6 })
  await until(() => receiver.received.length === 7)
  const ofA = receiver.received.filter(({ body }) => numberOf(body) === 'a')
  expect(ofA.map(({ body }) => body.sequence)).toEqual([1, 1, 2, 3])
  expect(new Set(ofA.slice(0, 2).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('a receiver that fails for a day then gets all events in order without a gap', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver(replyWith(503))
  await register(caller, receiver.url)
  for (let hour = 0; hour < 24; hour++) {
    await publish(businessId, ['ord_day', `ord_${hour}`])
    await until(() => receiver.received.some(({ body }) => numberOf(body) === `ord_${hour}`))
    await moveClock(businessId, { hours: 1 })
  }
  // If the failure were recorded only after the moves, its retry would be due a day after them.
  await until(async () => {
    const attempts = (await deliveries(caller)).flatMap((delivery) => delivery.attempts)
    return attempts.length === receiver.received.length
  })
  const failed = receiver.received.length
  expect(failed).toBeGreaterThan(24)
  receiver.reply = replyWith(200)
  for (let day = 0; day < 2; day++) await moveClock(businessId, { hours: 25 })
  await until(async () => (await deliveries(caller)).every(({ state }) => state === 'delivered'))
  const accepted = receiver.received.slice(failed)
  const sequences = accepted.flatMap(({ body }) => (numberOf(body) === 'ord_day' ? body.sequence : []))
  expect(sequences.filter((sequence, index) => index === 0 || sequence !== sequences[index - 1])).toEqual(
    Array.from({ length: 24 }, (_, index) => index + 1),
  )
})

test('moving the clock makes a retry due once, and the next retry counts from the moved clock', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver(replyWith(500))
  await register(caller, receiver.url)
  await publish(businessId, ['ord_m'])
  await until(async () => (await deliveries(caller))[0]?.attempts.length === 1)
  await moveClock(businessId, { days: 365 })
  await until(async () => (await deliveries(caller))[0]?.attempts.length === 2)
  // The claim that sends this delivery would also find a third attempt of the first one.
  await publish(businessId, ['ord_n'])
  await until(async () => (await deliveries(caller))[1]?.attempts.length === 1)
  const [delivery] = await deliveries(caller)
  const [first, second] = delivery?.attempts ?? []
  expect(delivery?.attempts).toHaveLength(2)
  const gap = (from: string | undefined, to: string | null | undefined) =>
    Temporal.Instant.from(to ?? '')
      .since(Temporal.Instant.from(from ?? ''))
      .total('seconds')
  expect(gap(first?.at, second?.at)).toBeGreaterThan(364 * 86_400)
  expect(gap(second?.at, delivery?.next_attempt_at)).toBeGreaterThanOrEqual(300)
  expect(gap(second?.at, delivery?.next_attempt_at)).toBeLessThan(330 + SLOW_SECONDS)
})

test('retries follow the schedule, then the delivery is exhausted and the next event goes out', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver(replyWith(500, {}, 'broken: Bearer abcdefgh 4242424242424242'))
  await register(caller, receiver.url)
  await publish(businessId, ['ord_e', 'ord_e'])
  const gaps: number[] = []
  for (let attempt = 1; attempt <= 9; attempt++) {
    await until(async () => (await deliveries(caller))[0]?.attempts.length === attempt)
    const [delivery] = await deliveries(caller)
    const last = delivery?.attempts.at(-1)
    const next = Temporal.Instant.from(delivery?.next_attempt_at ?? '')
    gaps.push(next.since(Temporal.Instant.from(last?.at ?? '')).total('minutes'))
    await moveClock(businessId, { hours: 27 })
  }
  const scheduleMinutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1_200, 1_440]
  for (const [index, minutes] of scheduleMinutes.entries()) {
    expect(gaps[index]).toBeGreaterThanOrEqual(minutes)
    expect(gaps[index]).toBeLessThan(minutes * 1.1 + SLOW_SECONDS / 60)
  }
  await until(async () => (await deliveries(caller))[0]?.state === 'exhausted')
  const [first] = await deliveries(caller)
  expect(first).toMatchObject({ next_attempt_at: null })
  expect(first?.attempts).toHaveLength(10)
  expect(first?.attempts[0]).toMatchObject({
    status: 500,
    answer: 'broken: Bearer [redacted] 424242******4242',
  })
  await until(() => receiver.received.some(({ body }) => body.sequence === 2))

  receiver.reply = replyWith(200)
  const { delivery } = await webhooks.redeliver(caller, first?.id ?? '')
  expect(delivery).toMatchObject({ state: 'pending' })
  await until(async () => (await deliveries(caller))[0]?.state === 'delivered')
  expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(first?.event_id)
  expect((await deliveries(caller))[0]?.attempts).toHaveLength(11)
})

test('a redelivery that fails does not delay later events of its object', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver()
  await register(caller, receiver.url)
  await publish(businessId, ['ord_again'])
  await until(async () => (await deliveries(caller))[0]?.state === 'delivered')
  receiver.reply = ({ body }, response) => response.writeHead(body.sequence === 1 ? 500 : 200).end()
  await webhooks.redeliver(caller, (await deliveries(caller))[0]?.id ?? '')
  await until(async () => (await deliveries(caller))[0]?.attempts.length === 2)
  await publish(businessId, ['ord_again', 'ord_again'])
  await until(async () => (await deliveries(caller)).at(-1)?.state === 'delivered')
  expect((await deliveries(caller)).map(({ state }) => state)).toEqual(['pending', 'delivered', 'delivered'])
})

test('a Retry-After that is longer than the schedule is obeyed, up to the retention of 30 days', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver((message, response) => {
    const seconds = message.body.type === 'order.paid' ? '99999999' : '120'
    response.writeHead(429, { 'retry-after': seconds }).end()
  })
  await register(caller, receiver.url)
  await publish(businessId, ['ord_ra'], 'order.created')
  await publish(businessId, ['ord_rb'], 'order.paid')
  await until(async () => (await deliveries(caller)).every(({ attempts }) => attempts.length === 1))
  const waits = (await deliveries(caller)).map(({ attempts, next_attempt_at: next }) =>
    Temporal.Instant.from(next ?? '')
      .since(Temporal.Instant.from(attempts[0]?.at ?? ''))
      .total('seconds'),
  )
  expect(waits[0]).toBeGreaterThanOrEqual(120)
  expect(waits[0]).toBeLessThan(132 + SLOW_SECONDS)
  expect(waits[1]).toBeGreaterThanOrEqual(30 * 86_400)
  expect(waits[1]).toBeLessThan(30 * 86_400 * 1.1 + SLOW_SECONDS)
})

test('a redirect is never followed', async () => {
  const { businessId, caller } = await fixture.business()
  const inside = await startReceiver()
  const receiver = await startReceiver(replyWith(307, { location: inside.url }))
  await register(caller, receiver.url)
  await publish(businessId, ['ord_l'])
  await until(async () => (await deliveries(caller))[0]?.attempts.length === 1)
  const [delivery] = await deliveries(caller)
  expect(delivery?.attempts).toMatchObject([{ status: 307, error: 'redirect_refused' }])
  expect(inside.received).toEqual([])
})

test('while a clock is being advanced, first attempts are made and retries wait', async () => {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver(replyWith(500))
  await register(caller, receiver.url)
  await freezeClock(fixture.db, businessId, '2030-01-01T00:00:00Z')
  await publish(businessId, ['ord_f'])
  await until(async () => (await deliveries(caller))[0]?.attempts.length === 1)
  await freezeClock(fixture.db, businessId, '2031-01-01T00:00:00Z')
  await publish(businessId, ['ord_f2'])
  await until(async () => (await deliveries(caller))[1]?.attempts.length === 1)
  await publish(businessId, ['ord_f3'])
  await until(async () => (await deliveries(caller))[2]?.attempts.length === 1)
  const [first, second] = await deliveries(caller)
  expect(first?.attempts.map(({ at }) => at)).toEqual(['2030-01-01T00:00:00.000Z'])
  expect(second?.attempts.map(({ at }) => at)).toEqual(['2031-01-01T00:00:00.000Z'])
  await moveClock(businessId, realClock.now().until('2032-01-01T00:00:00Z'))
  await until(async () => (await deliveries(caller)).every(({ attempts }) => attempts.length === 2))
})
