import { expect, test } from 'vitest'
import { withKey } from '#platform/testing/requests'
import { freezeClock } from '#platform/testing/clock'
import { check, createFixture, failure, followUp, newOrder, pay, voidOrder } from '../testing/fixture.ts'

const fixture = await createFixture()
// Proves reference/payments#next-actions, reference/payments#wallets, reference/payments#late-money, reference/orders#timeouts.

const THREE_D_SECURE = '4000002500003155'

async function confirm(key: string): Promise<void> {
  const response = await fetch(`${fixture.simulator.url}/payments/${key}/confirm`, {
    method: 'POST',
    body: '{}',
  })
  expect(response.status).toBe(200)
}

/** A card with 3-D Secure becomes a token only when its payer confirms. */
async function merchantWithChallenge() {
  const merchant = await fixture.newMerchant()
  const token = await fixture.bind(merchant, THREE_D_SECURE)
  const { rows } = await fixture.admin.query<{ verify_uuid: string }>(
    'select verify_uuid from payment_tokens where token = $1',
    [token],
  )
  await confirm(rows[0]?.verify_uuid ?? '')
  await fixture.advance(merchant.businessId, { seconds: 5 })
  return { ...merchant, token }
}

test('a payment that needs the payer returns next_action, and completes the order when the payer confirms', async () => {
  const merchant = await merchantWithChallenge()
  const order = await newOrder(fixture, merchant)
  const waiting = await pay(fixture, merchant, order.number)
  expect(waiting).toMatchObject({
    next_action: { type: 'three_d_secure' },
    order: { state: 'open' },
    transaction: { is_pending: true, success: false, payment_data: { transaction_state: 'requires_action' } },
  })
  expect(waiting.next_action?.url).toMatch(/^http/)
  expect(await failure(pay(fixture, merchant, order.number))).toMatchObject({ reason: 'payment_in_progress' })
  await confirm(waiting.transaction.uuid)
  await fixture.advance(merchant.businessId, { seconds: 2 })
  const paid = await check(fixture, merchant, order.number)
  expect(paid).toMatchObject({ state: 'completed' })
  expect(paid.transactions[0]?.next_action).toBeUndefined()
  expect(await fixture.events(merchant.businessId, order.number)).toEqual([
    'order.created',
    'transaction.pending',
    'transaction.succeeded',
    'order.paid',
  ])
})

test('a check sees the payment as soon as the payer has confirmed, however long that took', async () => {
  const merchant = await merchantWithChallenge()
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number)
  await fixture.advance(merchant.businessId, { hours: 12 })
  await confirm(transaction.uuid)
  expect(await check(fixture, merchant, order.number)).toMatchObject({ state: 'completed' })
})

test('a check waits at most two seconds for the acquirer', async () => {
  const merchant = await merchantWithChallenge()
  const order = await newOrder(fixture, merchant)
  await pay(fixture, merchant, order.number)
  const silence = Promise.withResolvers<never>()
  fixture.between.acquirer = { ...fixture.real, inquire: () => silence.promise }
  expect((await check(fixture, merchant, order.number)).transactions).toMatchObject([{ is_pending: true }])
  fixture.between.acquirer = fixture.real
  silence.reject(new Error('the connection was cut'))
  await expect
    .poll(() => fixture.logged.join(''))
    .toContain('could not ask the acquirer about the payments of an order')
})

test('a replayed 504 shows the current state: while the payer is asked, after a failed inquiry, and at the end', async () => {
  const merchant = await merchantWithChallenge()
  const order = await newOrder(fixture, merchant)
  const paying = { ...merchant, caller: withKey(merchant.caller, 'lost') }
  const replay = () => pay(fixture, paying, order.number).catch((error: unknown) => error)
  await fixture.setFaults({ lose_answer: 1 })
  expect(await failure(pay(fixture, paying, order.number))).toMatchObject({ status: 504 })
  await fixture.setFaults({})
  await fixture.advance(merchant.businessId, { seconds: 2 })
  const requiresAction = { status: 200, body: expect.stringContaining('requires_action') as string }
  expect(await replay()).toMatchObject(requiresAction)
  let failedInquiries = 0
  fixture.between.acquirer = {
    ...fixture.real,
    inquire: async () => ({ kind: 'unknown', responseMessage: `inquiry ${++failedInquiries} failed` }),
  }
  await fixture.advance(merchant.businessId, { seconds: 5 })
  fixture.between.acquirer = fixture.real
  expect(failedInquiries).toBeGreaterThan(0)
  expect(await replay()).toMatchObject(requiresAction)
  const [transaction] = (await check(fixture, merchant, order.number)).transactions
  await confirm(transaction?.uuid ?? '')
  await fixture.advance(merchant.businessId, { seconds: 10 })
  expect(await check(fixture, merchant, order.number)).toMatchObject({ state: 'completed' })
  expect(await replay()).toMatchObject({ body: expect.stringContaining('"state":"completed"') })
})

test.each(['gives up', 'waits'])(
  'a payment that is not confirmed within 24 hours fails, also when the acquirer %s then',
  async (does) => {
    const merchant = await merchantWithChallenge()
    const order = await newOrder(fixture, merchant)
    await pay(fixture, merchant, order.number)
    if (does === 'waits') {
      const early = Temporal.Instant.from(order.created_at)
      fixture.between.acquirer = {
        ...fixture.real,
        inquire: (lookup) => fixture.real.inquire({ ...lookup, at: early }),
      }
    }
    await fixture.advance(merchant.businessId, { hours: 24 })
    const ended = await check(fixture, merchant, order.number)
    fixture.between.acquirer = fixture.real
    expect(ended).toMatchObject({
      state: 'open',
      transactions: [
        { is_pending: false, payment_data: { transaction_state: 'failed', resp_code: 'expired' } },
      ],
    })
  },
)

test('the void of an order first cancels payments that wait for their payer, so that a late payer pays nothing', async () => {
  const merchant = await merchantWithChallenge()
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number)
  expect(await voidOrder(fixture, merchant, order.number)).toMatchObject({
    state: 'voided',
    transactions: [{ payment_data: { transaction_state: 'failed', resp_code: 'canceled' } }],
  })
  const late = await fetch(`${fixture.simulator.url}/payments/${transaction.uuid}/confirm`, {
    method: 'POST',
    body: '{}',
  })
  expect(late.status).toBe(409)
})

test('a payer who confirmed just before the void gets the money back', async () => {
  const merchant = await merchantWithChallenge()
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number)
  await confirm(transaction.uuid)
  const voided = await voidOrder(fixture, merchant, order.number)
  expect(voided).toMatchObject({ state: 'voided', paid_total: '0.00' })
  const lines = (await fixture.books()).filter(
    (line) => line.key === transaction.uuid || line.original_key === transaction.uuid,
  )
  expect(lines.map((line) => line.operation)).toEqual(['sale', 'void'])
  expect(await fixture.events(merchant.businessId, order.number)).not.toContain('order.paid')
})

test('an auto-debit wallet needs no payer and is paid after a second', async () => {
  const merchant = await fixture.newMerchant()
  const token = await fixture.bind(merchant, 'WalletAPayAutoDebit')
  const order = await newOrder(fixture, merchant)
  const waiting = await pay(fixture, merchant, order.number, { payment_token: token })
  expect(waiting).toMatchObject({
    transaction: {
      is_pending: true,
      payment_data: { transaction_state: 'pending', acquirer_type: 'wallet' },
    },
  })
  expect(waiting.next_action).toBeUndefined()
  await fixture.advance(merchant.businessId, { seconds: 2 })
  expect(await check(fixture, merchant, order.number)).toMatchObject({ state: 'completed' })
})

test.each(['voided', 'expired'])(
  'money that arrives for a %s order is recorded and reversed at once, with events for both',
  async (state) => {
    const merchant = await merchantWithChallenge()
    const order = await newOrder(fixture, merchant)
    const { transaction } = await pay(fixture, merchant, order.number)
    // Only an acquirer that books under a closed key gets us here.
    await fixture.admin.query('update orders set state = $2 where id = $1', [order.number, state])
    await confirm(transaction.uuid)
    await fixture.advance(merchant.businessId, { seconds: 3 })
    expect(await check(fixture, merchant, order.number)).toMatchObject({
      state,
      paid_total: '0.00',
      transactions: [{ payment_data: { transaction_state: 'voided' } }],
    })
    expect(await fixture.events(merchant.businessId, order.number)).toEqual([
      'order.created',
      'transaction.pending',
      'transaction.succeeded',
      'order.updated',
      'transaction.voided',
      'order.updated',
    ])
  },
)

test('a reversal that never arrives is sent again, with growing pauses', async () => {
  const merchant = await merchantWithChallenge()
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number)
  await fixture.admin.query(`update orders set state = 'voided' where id = $1`, [order.number])
  await confirm(transaction.uuid)
  let sent = 0
  fixture.between.acquirer = {
    ...fixture.real,
    void: async () => {
      sent++
      return { kind: 'unknown', responseMessage: 'no answer' }
    },
  }
  await fixture.advance(merchant.businessId, { hours: 1 })
  fixture.between.acquirer = fixture.real
  expect(sent).toBe(5)
  await fixture.advance(merchant.businessId, { hours: 1 })
  expect(await check(fixture, merchant, order.number)).toMatchObject({ state: 'voided', paid_total: '0.00' })
})

test('money that the acquirer refuses to void is refunded, and refunded an hour later when it refuses that too', async () => {
  const merchant = await merchantWithChallenge()
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number)
  await fixture.admin.query(`update orders set state = 'voided' where id = $1`, [order.number])
  await confirm(transaction.uuid)
  const refused = { kind: 'refused', responseCode: 'not_today', responseMessage: 'No.' } as const
  let refunds = 0
  fixture.between.acquirer = {
    ...fixture.real,
    void: async () => refused,
    refund: async (request) => (++refunds === 1 ? refused : fixture.real.refund(request)),
  }
  await fixture.advance(merchant.businessId, { minutes: 59 })
  expect(refunds).toBe(1)
  expect(await check(fixture, merchant, order.number)).toMatchObject({ paid_total: '100.00' })
  await fixture.advance(merchant.businessId, { minutes: 2 })
  fixture.between.acquirer = fixture.real
  expect(refunds).toBe(2)
  expect(await check(fixture, merchant, order.number)).toMatchObject({ state: 'voided', paid_total: '0.00' })
})

test('a late authorization that the acquirer refuses to void is voided an hour later', async () => {
  const merchant = await merchantWithChallenge()
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number, { type: 'Authorization' })
  await fixture.admin.query(`update orders set state = 'voided' where id = $1`, [order.number])
  await confirm(transaction.uuid)
  let voids = 0
  fixture.between.acquirer = {
    ...fixture.real,
    void: async (request) =>
      ++voids === 1
        ? { kind: 'refused', responseCode: 'not_today', responseMessage: 'No.' }
        : fixture.real.void(request),
  }
  await fixture.advance(merchant.businessId, { minutes: 59 })
  expect(voids).toBe(1)
  await fixture.advance(merchant.businessId, { minutes: 2 })
  fixture.between.acquirer = fixture.real
  expect((await check(fixture, merchant, order.number)).transactions).toMatchObject([
    { payment_data: { transaction_state: 'voided' } },
  ])
})

test('an order can be voided just after its payer has declined', async () => {
  const merchant = await merchantWithChallenge()
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number)
  const declined = await fetch(`${fixture.simulator.url}/payments/${transaction.uuid}/decline`, {
    method: 'POST',
  })
  expect(declined.status).toBe(200)
  expect((await voidOrder(fixture, merchant, order.number)).state).toBe('voided')
})

test('an unpaid order expires on time; an order with an open payment expires when that payment fails', async () => {
  const merchant = await merchantWithChallenge()
  const idle = await newOrder(fixture, merchant, { timeout: { timer: '600' } })
  const busy = await newOrder(fixture, merchant, { timeout: { timer: '600' } })
  await pay(fixture, merchant, busy.number)
  await fixture.advance(merchant.businessId, { hours: 1 })
  const expired = await check(fixture, merchant, idle.number)
  expect(expired.state).toBe('expired')
  const created = Temporal.Instant.from(expired.created_at)
  expect(created.until(expired.updated_at).total('seconds')).toBe(600)
  expect(await check(fixture, merchant, busy.number)).toMatchObject({ state: 'open' })
  await fixture.advance(merchant.businessId, { hours: 24 })
  expect(await check(fixture, merchant, busy.number)).toMatchObject({ state: 'expired' })
  expect((await fixture.events(merchant.businessId, busy.number)).at(-1)).toBe('order.expired')
})

test('an order takes no payment once its time has run out, even if the expiry job is late', async () => {
  const merchant = await fixture.newMerchant()
  const order = await newOrder(fixture, merchant, { timeout: { timer: '600' } })
  const runsOut = Temporal.Instant.from(order.created_at).add({ seconds: 600 })
  await freezeClock(fixture.db, merchant.businessId, runsOut)
  expect(await failure(pay(fixture, merchant, order.number))).toMatchObject({ reason: 'order_not_payable' })
})

test('the timeout counts from creation, also when a payment of the order is voided before or after it', async () => {
  const merchant = await fixture.newMerchant()
  const timed = () => newOrder(fixture, merchant, { timeout: { timer: '600' } })
  const voidOf = (uuid: string) => followUp(fixture, merchant, 'voidTransaction', uuid)
  const before = await timed()
  await voidOf((await pay(fixture, merchant, before.number)).transaction.uuid)
  expect(await check(fixture, merchant, before.number)).toMatchObject({ state: 'open' })
  const after = await timed()
  const payments = [
    await pay(fixture, merchant, after.number, { amount: 40 }),
    await pay(fixture, merchant, after.number, { type: 'Authorization' }),
  ]
  await fixture.advance(merchant.businessId, { minutes: 11 })
  expect(await check(fixture, merchant, before.number)).toMatchObject({ state: 'expired' })
  const states: string[] = []
  for (const { transaction } of payments) states.push((await voidOf(transaction.uuid)).order.state)
  expect(states).toEqual(['open', 'expired'])
  expect((await fixture.events(merchant.businessId, after.number)).at(-1)).toBe('order.expired')
})
