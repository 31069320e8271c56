import { afterEach, describe, expect, test } from 'vitest'
import { type ApiReply, cardToBind, PAYMENTS } from '../harness/client.ts'
import { startScenario } from '../harness/scenario.ts'
import { ADYEN } from '../harness/twin-of-adyen.ts'
import { STRIPE } from '../harness/twin-of-stripe.ts'
import { ROUTING, startBank, stateOf } from '../harness/twins.ts'

const { client } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })
const [stripe, adyen] = await Promise.all([startBank(STRIPE), startBank(ADYEN)])
const atStripe = await stripe.connect(client)
const atAdyen = await adyen.connect(client)

const APPROVES = '4242424242424242'
/** Stripe's card. The twin of Adyen approves it. */
const INSUFFICIENT_FUNDS = '4000000000009995'
const STOLEN = '4000000000009979'

const SOON = { timeout: 60_000, interval: 200 }
/** Cards are verified at the simulator, so that their numbers can go to either account. */
const VERIFY_AT_SIMULATOR = { when: { max_amount: 0 }, accounts: [{ id: 'simulator' }] }

async function putRules(...rules: object[]): Promise<void> {
  await client.ok('PUT', ROUTING, { routing: { rules: [VERIFY_AT_SIMULATOR, ...rules] } })
}

const STRIPE_THEN_ADYEN = { when: {}, accounts: [{ id: atStripe.id }], fallback: [atAdyen.id] }

async function bind(number: string): Promise<{ uuid: string; token: string }> {
  const { uuid } = await client.createCustomer()
  const { token, state } = await client.bind(uuid, cardToBind(number))
  expect(state).toBe('active')
  return { uuid, token }
}

async function payNew(token: string, members: object = {}): Promise<ApiReply> {
  const order = await client.createOrder({ ...members })
  return client.pay(order.number, token)
}

const acquirersOf = (order: ApiReply['data']): [string, string][] =>
  order.transactions.map((transaction: ApiReply['data']) => [
    transaction.payment_data.acquirer_name,
    stateOf(transaction),
  ])

// Proves reference/acquirers#routing, reference/acquirers#routing-preview.
describe('rules', () => {
  test('currency, amount and source choose between the simulator and two acquirers', async () => {
    await putRules(
      { when: { source: 'recurring' }, accounts: [{ id: atAdyen.id }] },
      { when: { currency: 'USD' }, accounts: [{ id: atAdyen.id }] },
      { when: { currency: 'HKD', min_amount: 500 }, accounts: [{ id: 'simulator' }] },
      { when: { currency: 'HKD', max_amount: 499.99 }, accounts: [{ id: atStripe.id }] },
    )
    const { uuid, token } = await bind(APPROVES)
    const payments = [
      { currency: 'USD', initial_total: 100 },
      { currency: 'HKD', initial_total: 500 },
      { currency: 'HKD', initial_total: 499.99 },
    ]
    const names = []
    for (const payment of payments) {
      const paid = await payNew(token, payment)
      expect(paid.status).toBe(200)
      const preview = await client.ok('POST', `${ROUTING}/preview`, {
        amount: payment.initial_total,
        currency: payment.currency,
        payment_method: 'payment_token',
        raw_card_number: true,
      })
      names.push([paid.data.transaction.payment_data.acquirer_name, preview.rule])
    }
    expect(names).toEqual([
      ['adyen', 2],
      ['simulator', 3],
      ['stripe', 4],
    ])
    const plan = await subscribe(uuid)
    await client.advanceBy('PT1M')
    const order = await client.checkOrder((await client.getPlan(plan)).current_order.order_number)
    expect(acquirersOf(order)).toEqual([['adyen', 'succeeded']])
  })

  test('weights hold exactly', async () => {
    await putRules({
      when: {},
      accounts: [
        { id: atStripe.id, weight: 3 },
        { id: atAdyen.id, weight: 1 },
      ],
    })
    const { token } = await bind(APPROVES)
    const names: string[] = []
    for (let n = 0; n < 8; n++) {
      names.push((await payNew(token)).data.transaction.payment_data.acquirer_name)
    }
    expect(names.filter((name) => name === 'stripe')).toHaveLength(6)
    expect(names.filter((name) => name === 'adyen')).toHaveLength(2)
  })

  test('a preview says why an account is left out', async () => {
    await putRules({ when: { currency: 'EUR' }, accounts: [{ id: atAdyen.id }], fallback: [atStripe.id] })
    const preview = (currency: string) =>
      client.ok('POST', `${ROUTING}/preview`, { amount: 1, currency, payment_method: 'wallet_b' })
    const decided = await client.ok('POST', `${ROUTING}/preview`, { amount: 1, currency: 'EUR' })
    expect(decided).toMatchObject({ rule: 1, account: atAdyen.id, fallback: [atStripe.id] })
    expect(decided.reason).toContain('Rule 1')
    const wallet = await preview('EUR')
    expect(wallet).toMatchObject({ rule: null, account: 'simulator' })
    expect(wallet.candidates).toMatchObject([
      { id: atStripe.id, left_out: 'it does not take wallet_b' },
      { id: atAdyen.id, left_out: 'it does not take wallet_b' },
      { id: 'simulator', left_out: null },
    ])
  })
})

async function subscribe(customerUuid: string): Promise<string> {
  const plan = await client.createPlan({
    customer_uuid: customerUuid,
    recurring_cycles: [
      {
        billing_count: 1,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ recurring_item_id: await client.createItem(100), quantity: 1 }],
      },
    ],
  })
  return plan.id as string
}

// Proves reference/acquirers#fallbacks.
describe('fallbacks', () => {
  afterEach(() => stripe.twin.setFaults({}))

  const moved = async (order: ApiReply['data']) => {
    const { transactions } = await client.checkOrder(order.number)
    const uuids: string[] = transactions.map(({ uuid }: { uuid: string }) => uuid)
    const sales = async (bank: typeof stripe) =>
      (await Promise.all(uuids.map((uuid) => bank.moved(uuid, 'sale')))).flat()
    return { stripe: await sales(stripe), adyen: await sales(adyen) }
  }

  test('after a soft decline the next account is tried, and the order is paid once', async () => {
    await putRules(STRIPE_THEN_ADYEN)
    const { token } = await bind(INSUFFICIENT_FUNDS)
    const paid = await payNew(token)
    expect(paid).toMatchObject({
      status: 200,
      data: {
        order: { state: 'completed', paid_total: '100.00' },
        transaction: { payment_data: { acquirer_name: 'adyen', merchant_id: atAdyen.merchantId } },
      },
    })
    expect(acquirersOf(paid.data.order)).toEqual([
      ['stripe', 'failed'],
      ['adyen', 'succeeded'],
    ])
    expect(await moved(paid.data.order)).toEqual({ stripe: [], adyen: ['100.00'] })
    const refunded = await client.ok('POST', `${PAYMENTS}/transactions/refund`, {
      transaction: { uuid: paid.data.transaction.uuid },
    })
    expect(refunded.order).toMatchObject({ state: 'refunded' })
    expect(await adyen.moved(refunded.transaction.uuid, 'refund')).toEqual(['100.00'])
  })

  test('after an explicit refusal the next account is tried', async () => {
    await putRules(STRIPE_THEN_ADYEN)
    const { token } = await bind(APPROVES)
    await stripe.twin.setFaults({ rate_limit: 1, match: '^POST ', times: 1 })
    const paid = await payNew(token)
    expect(paid.status).toBe(200)
    expect(acquirersOf(paid.data.order)).toEqual([
      ['stripe', 'failed'],
      ['adyen', 'succeeded'],
    ])
    expect(await moved(paid.data.order)).toEqual({ stripe: [], adyen: ['100.00'] })
  })

  test('an authorization falls back too, and is captured where it is held', async () => {
    await putRules(STRIPE_THEN_ADYEN)
    const { token } = await bind(INSUFFICIENT_FUNDS)
    const order = await client.createOrder()
    const held = await client.pay(order.number, token, { type: 'Authorization' })
    expect(acquirersOf(held.data.order)).toEqual([
      ['stripe', 'failed'],
      ['adyen', 'authorized'],
    ])
    const captured = await client.ok('POST', `${PAYMENTS}/transactions/capture`, {
      transaction: { uuid: held.data.transaction.uuid },
    })
    expect(captured.order).toMatchObject({ state: 'completed', paid_total: '100.00' })
    expect(await adyen.moved(captured.transaction.uuid, 'capture')).toEqual(['100.00'])
  })

  test('after a hard decline no other account is tried', async () => {
    await putRules(STRIPE_THEN_ADYEN)
    const { token } = await bind(STOLEN)
    const declined = await payNew(token)
    expect(declined).toMatchObject({ status: 402, data: { error: { decline_code: 'stolen_card' } } })
    expect(acquirersOf(declined.data.order)).toEqual([['stripe', 'failed']])
    expect(await moved(declined.data.order)).toEqual({ stripe: [], adyen: [] })
  })

  test.each(['lose_answer', 'fail_after', 'fail_before'] as const)(
    'after %s nobody knows the outcome, and no other account is tried',
    async (fault) => {
      await putRules(STRIPE_THEN_ADYEN)
      const { token } = await bind(APPROVES)
      const before = (await adyen.twin.books()).length
      await stripe.twin.setFaults({ [fault]: 1, match: STRIPE.paths.sale, times: 1 })
      const lost = await payNew(token)
      expect([lost.status, acquirersOf(lost.data.order)]).toEqual([504, [['stripe', 'unknown']]])
      const { number } = lost.data.order
      const pending = async () => (await client.checkOrder(number)).transactions[0].is_pending
      await expect.poll(pending, SOON).toBe(false)
      const { transactions, paid_total: paid } = await client.checkOrder(number)
      expect(transactions).toHaveLength(1)
      expect((await moved(lost.data.order)).stripe).toEqual(paid === '0.00' ? [] : [paid])
      expect(await adyen.twin.books()).toHaveLength(before)
    },
  )

  test('a recurring attempt falls back, as one attempt', async () => {
    await putRules(STRIPE_THEN_ADYEN)
    const { uuid } = await bind(INSUFFICIENT_FUNDS)
    const plan = await subscribe(uuid)
    await client.advanceBy('PT1M')
    const { state, current_order: current } = await client.getPlan(plan)
    const order = await client.checkOrder(current.order_number)
    expect(acquirersOf(order)).toEqual([
      ['stripe', 'failed'],
      ['adyen', 'succeeded'],
    ])
    expect([order.state, order.paid_total]).toEqual(['completed', '100.00'])
    expect(state).not.toBe('past_due')
    expect(await moved(order)).toEqual({ stripe: [], adyen: ['100.00'] })
  })
})
