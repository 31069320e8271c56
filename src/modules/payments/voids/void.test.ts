import { afterEach, expect, test } from 'vitest'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { withKey } from '#platform/testing/requests'
import { freezeClock } from '#platform/testing/clock'
import { check, createFixture, failure, followUp, newOrder, pay, voidOrder } from '../testing/fixture.ts'
import { verifyPayments } from '../audit/verify.ts'

const fixture = await createFixture()
const merchant = await fixture.newMerchant()

// Proves reference/orders#voiding, reference/payments#voiding, reference/payments#settlement.

afterEach(() => {
  fixture.between.acquirer = fixture.real
})

function refuseVoidOf(uuid: string): void {
  fixture.between.acquirer = {
    ...fixture.real,
    void: async (request) =>
      request.originalKey === uuid
        ? { kind: 'refused', responseCode: 'not_today', responseMessage: 'No.' }
        : fixture.real.void(request),
  }
}

test('the void of a transaction clears its success and reopens the order, which can be paid again', async () => {
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number)
  const voided = await followUp(fixture, merchant, 'voidTransaction', transaction.uuid)
  expect(voided).toMatchObject({
    transaction: { success: false, allow_void: false, payment_data: { transaction_state: 'voided' } },
    order: { state: 'open', paid_total: '0.00', unpaid_total: '100.00' },
  })
  const again = await followUp(fixture, merchant, 'voidTransaction', transaction.uuid)
  expect(again.transaction).toEqual(voided.transaction)
  expect((await pay(fixture, merchant, order.number)).order.state).toBe('completed')
  expect(await fixture.events(merchant.businessId, order.number)).toEqual([
    'order.created',
    'transaction.succeeded',
    'order.paid',
    'transaction.voided',
    'order.updated',
    'transaction.succeeded',
    'order.paid',
  ])
})

test('a refund on an open order does not count when a later void leaves the order short', async () => {
  const order = await newOrder(fixture, merchant)
  const returned = await pay(fixture, merchant, order.number, { amount: 60 })
  await followUp(fixture, merchant, 'refund', returned.transaction.uuid)
  await pay(fixture, merchant, order.number, { amount: 60 })
  const last = await pay(fixture, merchant, order.number, { amount: 40 })
  expect(last.order.state).toBe('completed')
  const short = await followUp(fixture, merchant, 'voidTransaction', last.transaction.uuid)
  expect(short.order).toMatchObject({ state: 'open', unpaid_total: '40.00' })
  const whole = await pay(fixture, merchant, order.number)
  expect(whole.order).toMatchObject({ state: 'completed', paid_total: '100.00' })
  expect((await fixture.events(merchant.businessId, order.number)).slice(-4)).toEqual([
    'transaction.voided',
    'order.updated',
    'transaction.succeeded',
    'order.paid',
  ])
})

test('the void of the only payment reopens an order that was refunded before', async () => {
  const order = await newOrder(fixture, merchant)
  for (let i = 0; i < 2; i++) {
    const { transaction } = await pay(fixture, merchant, order.number, { amount: 60 })
    await followUp(fixture, merchant, 'refund', transaction.uuid)
  }
  const { transaction } = await pay(fixture, merchant, order.number)
  const short = await followUp(fixture, merchant, 'voidTransaction', transaction.uuid)
  expect(short.order).toMatchObject({ state: 'open', paid_total: '0.00', correspondence_state: 'unpaid' })
  expect((await pay(fixture, merchant, order.number)).order.state).toBe('completed')
})

test('a repeated void gets the same reply, also when a payment has taken its reference_id meanwhile', async () => {
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number)
  const reference = { reference_id: `ref-${order.number}` }
  const voided = await followUp(fixture, merchant, 'voidTransaction', transaction.uuid, reference)
  await pay(fixture, merchant, order.number, reference)
  const again = await followUp(fixture, merchant, 'voidTransaction', transaction.uuid, reference)
  expect(again.transaction).toEqual(voided.transaction)
})

test('settled and refunded transactions cannot be voided', async () => {
  const other = await fixture.newMerchant()
  const [one, two] = [await newOrder(fixture, other), await newOrder(fixture, other)]
  expect(one.allow_void).toBe(true)
  const refunded = await pay(fixture, other, one.number)
  expect(refunded.order.allow_void).toBe(true)
  await followUp(fixture, other, 'refund', refunded.transaction.uuid, { amount: 1 })
  expect(await failure(followUp(fixture, other, 'voidTransaction', refunded.transaction.uuid))).toMatchObject(
    {
      status: 409,
      reason: 'transaction_not_voidable',
    },
  )
  expect(await failure(voidOrder(fixture, other, one.number))).toMatchObject({
    status: 409,
    reason: 'order_not_voidable',
  })
  expect((await check(fixture, other, one.number)).allow_void).toBe(false)
  const settling = await pay(fixture, other, two.number)
  const paidAt = Temporal.Instant.from(settling.order.updated_at)
  const cutOff = paidAt.toZonedDateTimeISO('Asia/Hong_Kong').add({ days: 1 }).startOfDay().toInstant()
  await freezeClock(fixture.db, other.businessId, cutOff.subtract({ milliseconds: 1 }))
  expect((await check(fixture, other, two.number)).transactions).toMatchObject([{ allow_void: true }])
  await freezeClock(fixture.db, other.businessId, cutOff)
  expect(await check(fixture, other, two.number)).toMatchObject({
    allow_void: false,
    transactions: [{ allow_void: false, allow_refund: true }],
  })
  expect(await failure(followUp(fixture, other, 'voidTransaction', settling.transaction.uuid))).toMatchObject(
    {
      status: 409,
      reason: 'already_settled',
    },
  )
  expect(await failure(voidOrder(fixture, other, two.number))).toMatchObject({
    status: 409,
    reason: 'already_settled',
  })
})

test('an order that is being voided takes no capture, and a payment that is being refunded is not voided', async () => {
  const shop = await fixture.newMerchant()
  const order = await newOrder(fixture, shop)
  await pay(fixture, shop, order.number, { amount: 20 })
  const { transaction } = await pay(fixture, shop, order.number, { type: 'Authorization' })
  const other = await pay(fixture, shop, (await newOrder(fixture, shop)).number)
  await fixture.setFaults({ fail_before: 1 })
  await failure(voidOrder(fixture, shop, order.number))
  await failure(followUp(fixture, shop, 'refund', other.transaction.uuid, { amount: 1 }))
  await fixture.setFaults({})
  const refused = { status: 409, reason: 'payment_in_progress' }
  expect(await failure(followUp(fixture, shop, 'capture', transaction.uuid))).toMatchObject(refused)
  expect(await failure(followUp(fixture, shop, 'voidTransaction', other.transaction.uuid))).toMatchObject(
    refused,
  )
})

test('the void of an order voids captures, sales and authorizations, and a repeated void gets the same reply', async () => {
  const order = await newOrder(fixture, merchant)
  await pay(fixture, merchant, order.number, { amount: 20 })
  const { transaction } = await pay(fixture, merchant, order.number, { type: 'Authorization' })
  await followUp(fixture, merchant, 'capture', transaction.uuid, { amount: 50 })
  const voided = await voidOrder(fixture, merchant, order.number)
  expect(voided).toMatchObject({ state: 'voided', paid_total: '0.00', correspondence_state: 'unpaid' })
  expect(voided.transactions.map((one) => one.payment_data.transaction_state)).toEqual([
    'voided',
    'voided',
    'voided',
  ])
  expect(await voidOrder(fixture, merchant, order.number)).toEqual(voided)
  expect((await fixture.events(merchant.businessId, order.number)).at(-1)).toBe('order.voided')
  expect(await failure(pay(fixture, merchant, order.number))).toMatchObject({ status: 409 })
})

test('a void that is abandoned halfway reopens a completed order that it leaves short, whatever was refunded before', async () => {
  const { number } = await newOrder(fixture, merchant)
  const returned = await pay(fixture, merchant, number, { amount: 60 })
  await followUp(fixture, merchant, 'refund', returned.transaction.uuid)
  await pay(fixture, merchant, number, { amount: 50 })
  const kept = await pay(fixture, merchant, number, { amount: 50 })
  refuseVoidOf(kept.transaction.uuid)
  expect(await failure(voidOrder(fixture, merchant, number))).toMatchObject({
    reason: 'acquirer_refused',
    data: { order: { state: 'open', paid_total: '50.00' } },
  })
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'open', paid_total: '50.00' })
  expect((await pay(fixture, merchant, number)).order.state).toBe('completed')
  expect(await Array.fromAsync(verifyPayments(fixture.db)(merchant.businessId))).toEqual([])
})

test('a void that is abandoned after its captures reopens the order instead of making it refunded', async () => {
  const { number } = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, number, { type: 'Authorization' })
  await followUp(fixture, merchant, 'capture', transaction.uuid)
  refuseVoidOf(transaction.uuid)
  expect(await failure(voidOrder(fixture, merchant, number))).toMatchObject({ reason: 'acquirer_refused' })
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'open', paid_total: '0.00' })
  expect(await Array.fromAsync(verifyPayments(fixture.db)(merchant.businessId))).toEqual([])
})

test('a void that is abandoned before its first step leaves a partly refunded order completed', async () => {
  const { number } = await newOrder(fixture, merchant)
  const returned = await pay(fixture, merchant, number, { amount: 40 })
  const kept = await pay(fixture, merchant, number)
  await followUp(fixture, merchant, 'refund', returned.transaction.uuid)
  refuseVoidOf(kept.transaction.uuid)
  expect(await failure(voidOrder(fixture, merchant, number))).toMatchObject({ reason: 'acquirer_refused' })
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'completed', paid_total: '60.00' })
})

test('a void that is abandoned ends for every waiting caller, and nobody starts another one', async () => {
  const { number } = await newOrder(fixture, merchant)
  await pay(fixture, merchant, number)
  const [sent, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let voids = 0
  fixture.between.acquirer = {
    ...fixture.real,
    void: async () => {
      voids++
      sent.resolve()
      await answered.promise
      return { kind: 'refused', responseCode: 'not_today', responseMessage: 'No.' }
    },
  }
  const voidWith = (key: string) =>
    failure(voidOrder(fixture, { ...merchant, caller: withKey(merchant.caller, key + number) }, number))
  const first = voidWith('first')
  await sent.promise
  const second = voidWith('second')
  const keys = async () => {
    const { rows } = await fixture.admin.query<{ keys: string }>(
      'select void_idempotency_id as keys from orders where id = $1',
      [number],
    )
    return rows[0]?.keys
  }
  await expect.poll(keys).toContain(' ')
  answered.resolve()
  for (const end of [await first, await second]) {
    expect(end).toMatchObject({ reason: 'acquirer_refused', data: { order: { state: 'completed' } } })
  }
  expect(voids).toBe(1)
})

test('the job resumes an open void, and starts none when the void was abandoned meanwhile', async () => {
  const { businessId } = merchant
  const { number } = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, number)
  await fixture.setFaults({ fail_before: 1 })
  await failure(voidOrder(fixture, merchant, number))
  await fixture.setFaults({})
  // The job has read that the void is due, and waits for the lock of the transaction that abandons the void.
  await fixture.admin.query('begin')
  await fixture.admin.query('update orders set void_mode = null, void_due_at = null where id = $1', [number])
  const read = Promise.withResolvers<void>()
  const until = await fixture.db.transact(businessId, async (tx) => tx.now.add({ hours: 2 }))
  const run = fixture.payments.jobs
    .find((job) => job.name === 'order_voids')
    ?.run({ businessId, until, timeOf: (at) => (read.resolve(), at) })
  await read.promise
  const end = `void_key = null, void_pending = false where id = $1`
  await fixture.admin.query(`update transactions set ${end}`, [transaction.uuid])
  await fixture.admin.query('delete from acquirer_operations where transaction_id = $1', [transaction.uuid])
  await fixture.admin.query('commit')
  expect(await run).toBe(1)
  expect(await check(fixture, merchant, number)).toMatchObject({
    state: 'completed',
    transactions: [{ success: true, void_is_pending: false }],
  })
})

test('an unpaid order is voided without a call to the acquirer, and once for 20 concurrent requests', async () => {
  const order = await newOrder(fixture, merchant)
  await Promise.all(Array.from({ length: 20 }, () => voidOrder(fixture, merchant, order.number)))
  expect(await fixture.events(merchant.businessId, order.number)).toEqual(['order.created', 'order.voided'])
})

test('20 concurrent voids of a paid order void its payment once', async () => {
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number)
  const ends = await Promise.all(Array.from({ length: 20 }, () => voidOrder(fixture, merchant, order.number)))
  expect(new Set(ends.map((end) => end.state))).toEqual(new Set(['voided']))
  const voids = (await fixture.books()).filter((line) => line.original_key === transaction.uuid)
  expect(voids).toHaveLength(1)
})

test('an expired order cannot be voided', async () => {
  const other = await fixture.newMerchant()
  const order = await newOrder(fixture, other, { timeout: { timer: 'PT5M' } })
  await fixture.advance(other.businessId, { minutes: 5 })
  expect(await check(fixture, other, order.number)).toMatchObject({ state: 'expired' })
  expect(await failure(voidOrder(fixture, other, order.number))).toMatchObject({
    status: 409,
    reason: 'order_not_voidable',
  })
})

test('a void with an unknown outcome is 504 with void_is_pending, and is completed without another request', async () => {
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number)
  await fixture.setFaults({ lose_answer: 1 })
  const lost = await failure(voidOrder(fixture, merchant, order.number))
  await fixture.setFaults({})
  expect(lost).toMatchObject({
    status: 504,
    data: { order: { state: 'completed', transactions: [{ void_is_pending: true, success: true }] } },
  })
  await fixture.advance(merchant.businessId, { seconds: 2 })
  expect(await check(fixture, merchant, order.number)).toMatchObject({
    state: 'voided',
    transactions: [{ void_is_pending: false, success: false }],
  })
  const voids = (await fixture.books()).filter((line) => line.original_key === transaction.uuid)
  expect(voids).toHaveLength(1)
})

test('a repeated request resumes a void with an unknown outcome, booked or not', async () => {
  for (const fault of ['lose_answer', 'fail_before']) {
    const order = await newOrder(fixture, merchant)
    const { transaction } = await pay(fixture, merchant, order.number)
    await fixture.setFaults({ [fault]: 1 })
    expect(await failure(voidOrder(fixture, merchant, order.number))).toMatchObject({ status: 504 })
    await fixture.setFaults({})
    expect(await voidOrder(fixture, merchant, order.number)).toMatchObject({
      state: 'voided',
      paid_total: '0.00',
    })
    const voids = (await fixture.books()).filter((line) => line.original_key === transaction.uuid)
    expect(voids).toHaveLength(1)
  }
})

test('a void that never arrives is sent again after 1 s, 10 s, 1 min and 10 min, then hourly', async () => {
  const other = await fixture.newMerchant()
  const order = await newOrder(fixture, other)
  await pay(fixture, other, order.number)
  const sent: Temporal.Instant[] = []
  fixture.between.acquirer = {
    ...fixture.real,
    void: async ({ at }) => {
      sent.push(at)
      return { kind: 'unknown', responseMessage: 'no answer' }
    },
  }
  expect(await failure(voidOrder(fixture, other, order.number))).toMatchObject({ status: 504 })
  await fixture.advance(other.businessId, { hours: 3 })
  fixture.between.acquirer = fixture.real
  const gaps = sent.slice(1).map((at, index) => Math.floor(sent[index]?.until(at).total('seconds') ?? 0))
  expect(gaps).toEqual([1, 10, 60, 600, 3600, 3600])
  await fixture.advance(other.businessId, { hours: 1 })
  expect(await check(fixture, other, order.number)).toMatchObject({ state: 'voided', paid_total: '0.00' })
})

test('after a step of a void has arrived, the next lost step is sent again after 1 s', async () => {
  const other = await fixture.newMerchant()
  const order = await newOrder(fixture, other)
  const { transaction } = await pay(fixture, other, order.number, { type: 'Authorization' })
  await followUp(fixture, other, 'capture', transaction.uuid)
  const sent: Temporal.Instant[] = []
  fixture.between.acquirer = {
    ...fixture.real,
    void: async (request) => {
      const isLost = sent.push(request.at) !== 3
      return isLost ? { kind: 'unknown', responseMessage: 'no answer' } : fixture.real.void(request)
    },
  }
  expect(await failure(voidOrder(fixture, other, order.number))).toMatchObject({ status: 504 })
  await fixture.advance(other.businessId, { seconds: 15 })
  const gaps = sent.slice(1).map((at, index) => Math.floor(sent[index]?.until(at).total('seconds') ?? 0))
  expect(gaps).toEqual([1, 10, 0, 1])
})

test.each(['lose_answer', 'fail_before'])(
  'a repeated request resumes the void of a transaction with an unknown outcome, after %s',
  async (fault) => {
    const order = await newOrder(fixture, merchant)
    const { transaction } = await pay(fixture, merchant, order.number)
    await fixture.setFaults({ [fault]: 1 })
    expect(await failure(followUp(fixture, merchant, 'voidTransaction', transaction.uuid))).toMatchObject({
      status: 504,
      data: { transaction: { void_is_pending: true } },
    })
    await fixture.setFaults({})
    // A refund could give the money back twice.
    expect(await failure(followUp(fixture, merchant, 'refund', transaction.uuid))).toMatchObject({
      reason: 'payment_in_progress',
    })
    const voided = await followUp(fixture, merchant, 'voidTransaction', transaction.uuid)
    expect(voided.transaction).toMatchObject({ success: false, void_is_pending: false })
    const voids = (await fixture.books()).filter((line) => line.original_key === transaction.uuid)
    expect(voids).toHaveLength(1)
    expect(await fixture.events(merchant.businessId, order.number)).toEqual([
      'order.created',
      'transaction.succeeded',
      'order.paid',
      'transaction.pending',
      'transaction.resolved',
      'transaction.voided',
      'order.updated',
    ])
  },
)

test.each(['order', 'transaction'])(
  'a void of an %s that was resumed under another key replays the current state under both keys',
  async (what) => {
    const order = await newOrder(fixture, merchant)
    const { transaction } = await pay(fixture, merchant, order.number)
    const voidWith = (key: string): Promise<unknown> => {
      const caller = withKey(merchant.caller, `${key}-${order.number}`)
      return what === 'order'
        ? voidOrder(fixture, { ...merchant, caller }, order.number)
        : followUp(fixture, { ...merchant, caller }, 'voidTransaction', transaction.uuid)
    }
    await fixture.setFaults({ lose_answer: 1 })
    expect(await failure(voidWith('first'))).toMatchObject({ status: 504 })
    await fixture.setFaults({})
    await voidWith('second')
    for (const key of ['first', 'second']) {
      const replayed: unknown = await voidWith(key).catch((thrown: unknown) => thrown)
      expect(replayed).toBeInstanceOf(StoredReply)
      expect(replayed).toMatchObject({ status: 200 })
    }
  },
)
