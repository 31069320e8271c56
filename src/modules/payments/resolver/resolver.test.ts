import { expect, test } from 'vitest'
import type { Acquirer } from '#modules/acquirers'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { withKey } from '#platform/testing/requests'
import { runClock, freezeClock } from '#platform/testing/clock'
import { adminOf, untilWaiting } from '#platform/testing/database'
import {
  check,
  createFixture,
  failure,
  followUp,
  type Merchant,
  newOrder,
  pay,
  type ShownOrder,
  voidOrder,
} from '../testing/fixture.ts'

const fixture = await createFixture({ silenceMs: 2_000 })
// Proves reference/payments#unknown-outcomes, reference/payments#reservations.

const BOOKS_NOTHING = '4000000000000119'
const BOOKS = '4000000000000127'

/** The process dies at its call to the acquirer: the operation is initiated and committed, nothing else happens. */
async function dieAtCall(initiate: () => Promise<unknown>): Promise<void> {
  const dead = { ...fixture.real }
  const called = Promise.withResolvers<void>()
  const never = (): Promise<never> => {
    called.resolve()
    return new Promise(() => {})
  }
  for (const call of ['sale', 'authorize', 'capture', 'refund', 'void'] as const) dead[call] = never
  fixture.between.acquirer = dead
  await Promise.race([called.promise, initiate()])
  fixture.between.acquirer = fixture.real
  await fixture.endLeases()
}

function bookedOf(order: ShownOrder, books: { key: string; outcome: string }[]): number {
  const keys = new Set(order.transactions.map((transaction) => transaction.uuid))
  return books.filter((line) => keys.has(line.key) && line.outcome === 'approved').length
}

test('a payment that was booked without an answer is 504, and the resolver completes it once', async () => {
  const merchant = await fixture.newMerchant(BOOKS)
  const order = await newOrder(fixture, merchant)
  const unknown = await failure(pay(fixture, merchant, order.number))
  expect(unknown).toMatchObject({
    status: 504,
    data: {
      order: { state: 'open' },
      transaction: { success: false, is_pending: true, payment_data: { transaction_state: 'unknown' } },
    },
  })
  expect(await failure(pay(fixture, merchant, order.number))).toMatchObject({ reason: 'payment_in_progress' })
  expect(await failure(voidOrder(fixture, merchant, order.number))).toMatchObject({
    reason: 'payment_in_progress',
  })
  await fixture.advance(merchant.businessId, { seconds: 1 })
  const completed = await check(fixture, merchant, order.number)
  expect(completed).toMatchObject({ state: 'completed', paid_total: '100.00' })
  expect(bookedOf(completed, await fixture.books())).toBe(1)
  expect(await fixture.events(merchant.businessId, order.number)).toEqual([
    'order.created',
    'transaction.pending',
    'transaction.resolved',
    'transaction.succeeded',
    'order.paid',
  ])
})

test.each(['Sales', 'Authorization'] as const)(
  '%s: a payment that was not booked fails, and frees its amount, only when its key is closed',
  async (type) => {
    const merchant = await fixture.newMerchant(BOOKS_NOTHING)
    const order = await newOrder(fixture, merchant)
    expect(await failure(pay(fixture, merchant, order.number, { type }))).toMatchObject({ status: 504 })
    expect(await failure(pay(fixture, merchant, order.number))).toMatchObject({
      reason: 'payment_in_progress',
    })
    await fixture.advance(merchant.businessId, { seconds: 1 })
    const resolved = await check(fixture, merchant, order.number)
    expect(resolved.transactions).toMatchObject([
      {
        success: false,
        is_pending: false,
        payment_data: { transaction_state: 'failed', resp_code: 'not_processed' },
      },
    ])
    const good = await fixture.bind(merchant, '4242424242424242')
    expect((await pay(fixture, merchant, order.number, { payment_token: good })).order.state).toBe(
      'completed',
    )
  },
)

/** Runs `happen` after the acquirer has booked a sale, refund or void, and before the outcome is recorded. */
function onceBooked(happen: () => Promise<unknown>): void {
  const { between, real } = fixture
  const booked = async (outcome: ReturnType<Acquirer['sale']>) => {
    await outcome
    between.acquirer = real
    await happen()
    return outcome
  }
  between.acquirer = {
    ...real,
    sale: (request) => booked(real.sale(request)),
    refund: (request) => booked(real.refund(request)),
    void: (request) => booked(real.void(request)),
  }
}

test('an outcome that cannot be recorded is 504, so that nobody sends the payment again as after a 503', async () => {
  const merchant = await fixture.newMerchant()
  const order = await newOrder(fixture, merchant)
  const withoutRight = () => fixture.admin.query('revoke update on orders from quittance_service')
  const withRight = async ({ number } = order) => {
    await fixture.admin.query('grant update on orders to quittance_service')
    await fixture.endLeases()
    await fixture.advance(merchant.businessId, { minutes: 1 })
    return check(fixture, merchant, number)
  }
  onceBooked(withoutRight)
  expect(await failure(pay(fixture, merchant, order.number, { amount: 30 }))).toMatchObject({
    reason: 'outcome_unknown',
  })
  const [sale] = (await withRight()).transactions
  expect(sale).toMatchObject({ success: true })
  onceBooked(withoutRight)
  const refunding = followUp(fixture, merchant, 'refund', sale?.uuid ?? '', { amount: 10 })
  expect(await failure(refunding)).toMatchObject({ reason: 'outcome_unknown' })
  expect(await withRight()).toMatchObject({ paid_total: '20.00' })
  const unwanted = await newOrder(fixture, merchant)
  await pay(fixture, merchant, unwanted.number)
  onceBooked(withoutRight)
  expect(await failure(voidOrder(fixture, merchant, unwanted.number))).toMatchObject({
    reason: 'outcome_unknown',
  })
  expect(await withRight(unwanted)).toMatchObject({ state: 'voided' })
})

test('an outcome is recorded over another connection when the first one is cut', async () => {
  const merchant = await fixture.newMerchant()
  const order = await newOrder(fixture, merchant)
  const node = await adminOf(fixture, merchant.businessId)
  onceBooked(async () => {
    await node.query('begin')
    await node.query('select from orders where id = $1 for update', [order.number])
  })
  const paying = pay(fixture, merchant, order.number)
  await untilWaiting(node, 1)
  await node.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  )
  await node.query('commit')
  expect((await paying).order.state).toBe('completed')
})

test('a stored 504 reply is replaced by what the resolver finds, approved or absent', async () => {
  for (const [card, status] of [
    [BOOKS, 200],
    [BOOKS_NOTHING, 502],
  ] as const) {
    const merchant = await fixture.newMerchant(card)
    const order = await newOrder(fixture, merchant)
    const caller = withKey(merchant.caller, 'lost')
    const again = () => pay(fixture, { ...merchant, caller }, order.number).catch((error: unknown) => error)
    expect(await again()).toMatchObject({ status: 504 })
    const kept = await again()
    expect(kept).toBeInstanceOf(StoredReply)
    expect(kept).toMatchObject({ status: 504 })
    await fixture.advance(merchant.businessId, { seconds: 1 })
    expect(await again()).toMatchObject({ status })
  }
})

test('a replayed 504 shows the current state of its order', async () => {
  const merchant = await fixture.newMerchant(BOOKS)
  const order = await newOrder(fixture, merchant)
  const caller = withKey(merchant.caller, 'lost')
  const again = () => pay(fixture, { ...merchant, caller }, order.number).catch((error: unknown) => error)
  expect(await again()).toMatchObject({ status: 504 })
  await fixture.advance(merchant.businessId, { seconds: 1 })
  const [sale] = (await check(fixture, merchant, order.number)).transactions
  await followUp(fixture, merchant, 'refund', sale?.uuid ?? '', { amount: 40 })
  const { status, body } = (await again()) as StoredReply
  const { data } = JSON.parse(body) as { data: unknown }
  expect(status).toBe(200)
  const now = await check(fixture, merchant, order.number)
  expect(now.paid_total).toBe('60.00')
  expect(data).toEqual({ order: JSON.parse(JSON.stringify(now)), transaction: now.transactions[0] })
})

test('the resolver ends the payment of a process that died at its call, and stores the reply', async () => {
  const merchant = await fixture.newMerchant()
  const order = await newOrder(fixture, merchant)
  const caller = withKey(merchant.caller, 'died')
  const paying = { ...merchant, caller }
  await dieAtCall(() => pay(fixture, paying, order.number))
  expect(await pay(fixture, paying, order.number).catch((error: unknown) => error)).toMatchObject({
    status: 409,
  })
  expect((await check(fixture, merchant, order.number)).transactions).toMatchObject([
    { payment_data: { transaction_state: 'initiated' } },
  ])
  await fixture.advance(merchant.businessId, { minutes: 1 })
  const resolved = await check(fixture, merchant, order.number)
  expect(resolved.transactions).toMatchObject([{ payment_data: { transaction_state: 'failed' } }])
  expect(await pay(fixture, paying, order.number).catch((error: unknown) => error)).toMatchObject({
    status: 502,
  })
  expect(bookedOf(resolved, await fixture.books())).toBe(0)
})

test('a restarted service inquires at once about the operations that were open when it died', async () => {
  const merchant = await fixture.newMerchant()
  const order = await newOrder(fixture, merchant)
  await dieAtCall(() => pay(fixture, merchant, order.number))
  const { rows } = await fixture.admin.query(
    `select due_at <= now() as is_due from next_runs where business_id = $1 and job = 'payment_operations'`,
    [merchant.businessId],
  )
  expect(rows).toEqual([{ is_due: true }])
  await fixture.advance(merchant.businessId, { seconds: 0 })
  expect((await check(fixture, merchant, order.number)).transactions).toMatchObject([
    { payment_data: { transaction_state: 'failed', resp_code: 'not_processed' } },
  ])
})

test('a call that arrives after its key was closed books nothing', async () => {
  const merchant = await fixture.newMerchant()
  const order = await newOrder(fixture, merchant)
  const onItsWay: Parameters<Acquirer['sale']>[0][] = []
  fixture.between.acquirer = {
    ...fixture.real,
    sale: async (request) => {
      onItsWay.push(request)
      return { kind: 'unknown', responseMessage: 'slow' }
    },
  }
  await failure(pay(fixture, merchant, order.number))
  fixture.between.acquirer = fixture.real
  await fixture.advance(merchant.businessId, { seconds: 1 })
  const failed = await check(fixture, merchant, order.number)
  expect(failed.transactions).toMatchObject([{ payment_data: { transaction_state: 'failed' } }])
  const [request] = onItsWay
  if (request === undefined) throw new Error('nothing was sent')
  expect(await fixture.real.sale(request)).toMatchObject({ kind: 'refused' })
  expect(bookedOf(failed, await fixture.books())).toBe(0)
})

test('a capture, refund or void that was booked before its process died is found', async () => {
  const merchant = await fixture.newMerchant()
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number, { type: 'Authorization' })
  const bookThenDie = async (operation: 'capture' | 'refund' | 'void', initiate: () => Promise<unknown>) => {
    const booked = Promise.withResolvers<void>()
    const call: Acquirer['capture'] = async (request) => {
      await fixture.real[operation](request)
      booked.resolve()
      return new Promise(() => {})
    }
    fixture.between.acquirer = { ...fixture.real, [operation]: call }
    await Promise.race([booked.promise, initiate()])
    fixture.between.acquirer = fixture.real
    await fixture.endLeases()
    await fixture.advance(merchant.businessId, { minutes: 1 })
  }
  await bookThenDie('capture', () => followUp(fixture, merchant, 'capture', transaction.uuid, { amount: 60 }))
  const captured = await check(fixture, merchant, order.number)
  expect(captured.paid_total).toBe('60.00')
  const capture = captured.transactions[1]?.uuid ?? ''
  await bookThenDie('refund', () => followUp(fixture, merchant, 'refund', capture, { amount: 10 }))
  expect((await check(fixture, merchant, order.number)).paid_total).toBe('50.00')
  const second = await followUp(fixture, merchant, 'capture', transaction.uuid)
  await bookThenDie('void', () => followUp(fixture, merchant, 'voidTransaction', second.transaction.uuid))
  const end = await check(fixture, merchant, order.number)
  expect(end.paid_total).toBe('50.00')
  expect(end.transactions.at(-1)).toMatchObject({
    success: false,
    payment_data: { transaction_state: 'voided' },
  })
})

test('a job finishes the void of an order whose process died', async () => {
  const merchant = await fixture.newMerchant()
  const order = await newOrder(fixture, merchant)
  await pay(fixture, merchant, order.number)
  await dieAtCall(() => voidOrder(fixture, merchant, order.number))
  expect(await check(fixture, merchant, order.number)).toMatchObject({ state: 'completed' })
  await fixture.advance(merchant.businessId, { hours: 2 })
  expect(await check(fixture, merchant, order.number)).toMatchObject({ state: 'voided', paid_total: '0.00' })
})

test('the resolver inquires after 1 s, 10 s, 1 min and 10 min, then hourly', async () => {
  const merchant = await fixture.newMerchant(BOOKS)
  const order = await newOrder(fixture, merchant)
  await failure(pay(fixture, merchant, order.number))
  const inquiredAt: Temporal.Instant[] = []
  fixture.between.acquirer = {
    ...fixture.real,
    inquire: async ({ at }) => {
      inquiredAt.push(at)
      return { kind: 'unknown', responseMessage: 'no answer' }
    },
  }
  await fixture.advance(merchant.businessId, { hours: 3 })
  fixture.between.acquirer = fixture.real
  const gaps = inquiredAt.slice(1).map((at, index) => inquiredAt[index]?.until(at).total('seconds'))
  expect(gaps).toEqual([10, 60, 600, 3600, 3600])
  await fixture.advance(merchant.businessId, { hours: 1 })
  expect(await check(fixture, merchant, order.number)).toMatchObject({ state: 'completed' })
})

test('an acquirer that cannot close keys gets the same request again under the same key', async () => {
  const merchant = await fixture.newMerchant()
  const order = await newOrder(fixture, merchant)
  const cannotClose: Acquirer = {
    ...fixture.real,
    capabilities: { ...fixture.real.capabilities, closes: new Set() },
    closeKey: () => Promise.reject(new Error('it cannot')),
  }
  await dieAtCall(() => pay(fixture, merchant, order.number))
  fixture.between.acquirer = cannotClose
  await fixture.advance(merchant.businessId, { minutes: 1 })
  fixture.between.acquirer = fixture.real
  const completed = await check(fixture, merchant, order.number)
  expect(completed).toMatchObject({ state: 'completed' })
  expect(bookedOf(completed, await fixture.books())).toBe(1)
})

test('a payment that the acquirer refuses is 502 with the failed transaction, and its amount is free again', async () => {
  const merchant: Merchant = await fixture.newMerchant()
  const order = await newOrder(fixture, merchant)
  fixture.between.acquirer = {
    ...fixture.real,
    sale: async () => ({ kind: 'refused', responseCode: 'amount_not_supported', responseMessage: 'No.' }),
  }
  const refused = await failure(pay(fixture, merchant, order.number))
  fixture.between.acquirer = fixture.real
  expect(refused).toMatchObject({
    status: 502,
    data: {
      transaction: { payment_data: { transaction_state: 'failed', resp_code: 'amount_not_supported' } },
    },
  })
  expect((await pay(fixture, merchant, order.number)).order.state).toBe('completed')
})

test('a resolver that waits for a call during a clock advance ends when it is asked to stop', async () => {
  const merchant = await fixture.newMerchant()
  const { businessId } = merchant
  const order = await newOrder(fixture, merchant)
  const called = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<Awaited<ReturnType<Acquirer['sale']>>>()
  fixture.between.acquirer = {
    ...fixture.real,
    sale: () => {
      called.resolve()
      return answer.promise
    },
  }
  const paid = failure(pay(fixture, merchant, order.number))
  await called.promise
  fixture.between.acquirer = fixture.real
  const until = (await fixture.db.transact(businessId, async (tx) => tx.now)).add({ minutes: 1 })
  await freezeClock(fixture.db, businessId, until)
  const isStopping = () => true
  const resolver = fixture.payments.jobs.find((job) => job.name === 'payment_operations')
  expect(await resolver?.run({ businessId, until, timeOf: () => until, isStopping })).toBe(0)
  await runClock(fixture.db, businessId)
  answer.resolve({ kind: 'refused', responseCode: 'amount_not_supported', responseMessage: 'No.' })
  expect(await paid).toMatchObject({ status: 502 })
})

/** Runs the resolver once, for all open operations. */
async function resolveAll(merchant: Merchant): Promise<void> {
  const { businessId } = merchant
  const now = await fixture.db.transact(businessId, async (tx) => tx.now)
  const until = now.add({ seconds: 30 })
  const resolver = fixture.payments.jobs.find((job) => job.name === 'payment_operations')
  await resolver?.run({ businessId, until, timeOf: () => until })
}

test('an operation whose inquiry fails does not hold up the others', async () => {
  const merchant = await fixture.newMerchant(BOOKS)
  const [failing, other] = [await newOrder(fixture, merchant), await newOrder(fixture, merchant)]
  const refused = await failure(pay(fixture, merchant, failing.number))
  await failure(pay(fixture, merchant, other.number))
  const failingKey = refused.data.transaction.uuid
  fixture.between.acquirer = {
    ...fixture.real,
    inquire: (lookup) =>
      lookup.key === failingKey ? Promise.reject(new Error('a defect')) : fixture.real.inquire(lookup),
  }
  await expect(resolveAll(merchant)).rejects.toThrow('a defect')
  fixture.between.acquirer = fixture.real
  expect(await check(fixture, merchant, other.number)).toMatchObject({ state: 'completed' })
  expect(await check(fixture, merchant, failing.number)).toMatchObject({ state: 'open' })
})

test('an outcome that the handler of another module rejects does not hold up the others', async () => {
  const merchant = await fixture.newMerchant(BOOKS)
  const [failing, other] = [await newOrder(fixture, merchant), await newOrder(fixture, merchant)]
  await failure(pay(fixture, merchant, failing.number))
  await failure(pay(fixture, merchant, other.number))
  let broken = true
  fixture.payments.onOrdersChanged(async (_tx, changes) => {
    if (broken && changes.some((change) => change.order.id === failing.number))
      throw new Error('a handler failed')
  })
  await expect(resolveAll(merchant)).rejects.toThrow('a handler failed')
  broken = false
  expect(await check(fixture, merchant, other.number)).toMatchObject({ state: 'completed' })
  expect(await check(fixture, merchant, failing.number)).toMatchObject({ state: 'open' })
})
