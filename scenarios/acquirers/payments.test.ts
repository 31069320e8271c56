import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type ApiReply, PAYMENTS } from '../harness/client.ts'
import { startScenario } from '../harness/scenario.ts'
import { KINDS, openShop, stateOf } from '../harness/twins.ts'

const { service } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })
const ADYEN_CARD = {
  number: '4111111111111111',
  exp_month: '03',
  exp_year: '2030',
  cvc: '737',
  billing_currency: 'HKD',
}
const SOON = { timeout: 60_000, interval: 500 }
const shops = await Promise.all(KINDS.map((kind) => openShop(kind, service)))

// Proves reference/payments#paying, reference/payments#captures, reference/payments#refunds, reference/payments#declines,
// reference/payments#voiding, reference/payments#next-actions, reference/payments#payment-data, reference/payments#flags,
// reference/orders#voiding, reference/acquirers#stripe, reference/acquirers#adyen, reference/acquirers#airwallex, reference/acquirers#declines,
// reference/acquirers#settling-and-captures, reference/timelines#past, reference/reports#attention.
describe.each(shops)('payments at the twin of $kind.acquirer', ({ kind, client, account, bank }) => {
  async function orderFor(customerUuid: string, total = 100): Promise<string> {
    const order = await client.createOrder({ customer_uuid: customerUuid, initial_total: total })
    return order.number as string
  }

  const follow = (
    action: 'capture' | 'refund' | 'void',
    uuid: string,
    members: object = {},
  ): Promise<ApiReply> =>
    client.call('POST', `${PAYMENTS}/transactions/${action}`, { transaction: { uuid }, ...members })

  test('a sale is completed, names the account, and is settled at once', async () => {
    const { customer, token } = await bank.bind(client, account, 'approves')
    const number = await orderFor(customer.uuid, 100.5)
    const paid = await client.pay(number, token.token)
    expect(paid).toMatchObject({
      status: 200,
      data: {
        order: { state: 'completed', paid_total: '100.50' },
        transaction: {
          success: true,
          allow_void: false,
          allow_refund: true,
          payment_data: {
            acquirer_name: kind.acquirer,
            merchant_id: account.merchantId,
            transaction_state: 'succeeded',
          },
        },
      },
    })
    const { uuid, payment_data: data } = paid.data.transaction
    expect(data.new_gateway_txn_id).toMatch(kind.bound.reference)
    expect(await bank.moved(uuid, 'sale')).toEqual(['100.50'])
    expect((await follow('void', uuid)).status).toBe(409)
    const voided = await client.call('POST', `${PAYMENTS}/orders/void`, { order: { number } })
    expect(voided.status).toBe(409)
    expect(await bank.moved(uuid, 'sale')).toEqual(['100.50'])
  })

  test('amounts without minor units are moved as they are', async () => {
    const { customer, token } = await bank.bind(client, account, 'approves')
    const order = await client.createOrder({
      customer_uuid: customer.uuid,
      initial_total: 1200,
      currency: 'JPY',
    })
    const paid = await client.pay(order.number, token.token)
    expect(paid.status).toBe(200)
    expect((await bank.moved(paid.data.transaction.uuid, 'sale')).map(Number)).toEqual([1200])
  })

  test('after a partial capture the rest is released, and another payment pays the rest of the order', async () => {
    const { customer, token } = await bank.bind(client, account, 'approves')
    const number = await orderFor(customer.uuid, 100)
    const { data } = await client.pay(number, token.token, { type: 'Authorization' })
    const { uuid } = data.transaction
    expect(data.order).toMatchObject({ state: 'open', paid_total: '0.00' })
    expect(stateOf(data.transaction)).toBe('authorized')
    const captured = await follow('capture', uuid, { amount: 40.25 })
    expect(captured).toMatchObject({ status: 200, data: { order: { paid_total: '40.25', state: 'open' } } })
    expect(captured.data.transaction).toMatchObject({ allow_void: false, allow_refund: true })
    expect((await follow('capture', uuid)).status).toBe(409)
    const rest = await client.pay(number, token.token)
    expect(rest).toMatchObject({ status: 200, data: { order: { state: 'completed', paid_total: '100.00' } } })
    expect(rest.data.transaction.amount).toBe(59.75)
    expect(await bank.moved(captured.data.transaction.uuid, 'capture')).toEqual(['40.25'])
  })

  test('an authorization is captured whole, or voided and then holds nothing', async () => {
    const { customer, token } = await bank.bind(client, account, 'approves')
    const whole = await client.pay(await orderFor(customer.uuid), token.token, { type: 'Authorization' })
    const captured = await follow('capture', whole.data.transaction.uuid)
    expect(captured).toMatchObject({ status: 200, data: { order: { state: 'completed' } } })

    const number = await orderFor(customer.uuid)
    const held = await client.pay(number, token.token, { type: 'Authorization' })
    expect(held.data.transaction).toMatchObject({ allow_void: true })
    const voided = await follow('void', held.data.transaction.uuid)
    // Adyen replies "received", and its notice reports the outcome.
    if (kind.acquirer === 'adyen')
      expect(voided).toMatchObject({
        status: 200,
        data: { transaction: { success: true, void_is_pending: true } },
      })
    else expect(voided).toMatchObject({ status: 200, data: { transaction: { success: false } } })
    const state = async () => stateOf((await client.checkOrder(number)).transactions[0])
    await expect.poll(state, SOON).toBe('voided')
    expect((await follow('capture', held.data.transaction.uuid)).status).toBe(409)
    expect(await client.pay(number, token.token)).toMatchObject({
      status: 200,
      data: { order: { state: 'completed', paid_total: '100.00' } },
    })
  })

  test('an order with an authorization is voided', async () => {
    const { customer, token } = await bank.bind(client, account, 'approves')
    const number = await orderFor(customer.uuid)
    const { uuid } = (await client.pay(number, token.token, { type: 'Authorization' })).data.transaction
    const voidOrder = () => client.call('POST', `${PAYMENTS}/orders/void`, { order: { number } })
    expect((await voidOrder()).status).toBe(200)
    await expect.poll(async () => (await client.checkOrder(number)).state, SOON).toBe('voided')
    const { order } = (await voidOrder()).data
    expect(order).toMatchObject({ state: 'voided', paid_total: '0.00' })
    expect(order.transactions.map(stateOf)).toEqual(['voided'])
    expect(await bank.moved(uuid, 'capture')).toEqual([])
  })

  describe.runIf(kind.acquirer === 'adyen')('what the bank fails later', () => {
    async function payWith(holder: string) {
      const customer = await client.createCustomer()
      const card = { ...ADYEN_CARD, holder_name: holder }
      const token = await client.bind(customer.uuid, { token_type: 'CreditCard', credit_card: card })
      const number = await orderFor(customer.uuid)
      const { uuid } = (await client.pay(number, token.token)).data.transaction
      return { number, uuid: uuid as string, customer }
    }

    const kindsOf = async (path: string): Promise<string[]> => {
      const { timeline } = await client.ok('GET', `${PAYMENTS}/orders/${path}/timeline`)
      return timeline.past.map((entry: { kind: string; details: { cause?: string } }) =>
        [entry.kind, entry.details.cause].filter(Boolean).join(' '),
      )
    }

    async function attentionTo(uuid: string): Promise<unknown> {
      const { attention } = await client.ok('GET', '/svc/report/api/v1/openapi/attention')
      const { items } = attention.find((entry: { kind: string }) => entry.kind === 'late_failure') ?? {
        items: [],
      }
      return items.find((item: { id: string }) => item.id === uuid)
    }

    test('a refund is failed, and its order is paid again', async () => {
      const { number, uuid } = await payWith('refund failed')
      expect((await follow('refund', uuid)).status).toBe(200)
      await expect.poll(async () => (await client.checkOrder(number)).state, SOON).toBe('completed')
      const { paid_total: total, transactions } = await client.checkOrder(number)
      expect([total, ...transactions.map(stateOf)]).toEqual(['100.00', 'succeeded', 'failed'])
      expect(transactions[1].payment_data).toMatchObject({ resp_code: 'refund_failed', failed_later: true })
      expect(await kindsOf(number)).toContain('transaction.failed failed_later')
      expect(await attentionTo(transactions[1].uuid)).toMatchObject({ id: transactions[1].uuid })
    })

    test('a payment is failed once, however its notices arrive, and its order can be paid again', async () => {
      await bank.sendNotices(account, { delay_ms: 300, repeat: 2, shuffle: true })
      const { number, uuid, customer } = await payWith('capture failed')
      await expect.poll(async () => (await client.checkOrder(number)).state, SOON).toBe('open')
      const failed = await client.checkOrder(number)
      expect([failed.paid_total, ...failed.transactions.map(stateOf)]).toEqual(['0.00', 'failed'])
      expect(failed.transactions[0].payment_data).toMatchObject({
        resp_code: 'capture_failed',
        failed_later: true,
      })
      expect(await attentionTo(uuid)).toMatchObject({ id: uuid })
      await bank.sendNotices(account, {})
      const good = await kind.instrument(bank.twin.url, account, customer.uuid, 'approves')
      const second = await client.bind(customer.uuid, good)
      expect((await client.pay(number, second.token)).status).toBe(200)
      expect(await attentionTo(uuid)).toBeUndefined()
      const kinds = await kindsOf(number)
      expect(kinds.filter((entry) => entry === 'transaction.failed failed_later')).toHaveLength(1)
      expect(await client.checkOrder(number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
    })
  })

  test('a sale is refunded in part, then the rest, and no more', async () => {
    const { customer, token } = await bank.bind(client, account, 'approves')
    const { uuid } = (await client.pay(await orderFor(customer.uuid), token.token)).data.transaction
    const part = await follow('refund', uuid, { amount: 30 })
    expect(part).toMatchObject({
      status: 200,
      data: {
        order: { paid_total: '70.00', state: 'completed' },
        transaction: { amount: -30, success: true },
      },
    })
    expect((await follow('refund', uuid, { amount: 70.01 })).status).toBe(422)
    const rest = await follow('refund', uuid)
    expect(rest).toMatchObject({ status: 200, data: { order: { paid_total: '0.00', state: 'refunded' } } })
    expect((await follow('refund', uuid)).status).toBe(409)
    const refunds = [part, rest].map(({ data }) => bank.moved(data.transaction.uuid, 'refund'))
    expect(await Promise.all(refunds)).toEqual([['30.00'], ['70.00']])
  })

  test.each(['soft_decline', 'hard_decline'] as const)(
    "a %s is 402 with our word and the acquirer's code",
    async (behavior) => {
      const { customer, token } = await bank.bind(client, account, behavior)
      const number = await orderFor(customer.uuid)
      const key = { idempotencyKey: randomUUID() }
      const body = { order: { number }, transaction: { type: 'Sales', payment_token: token.token } }
      const declined = await client.call('POST', `${PAYMENTS}/orders/pay`, body, key)
      const [ours, theirs] = kind.declines[behavior]
      expect(declined).toMatchObject({
        status: 402,
        data: {
          error: { reason: 'payment_declined', decline_code: ours },
          order: { state: 'open' },
          transaction: { success: false, payment_data: { transaction_state: 'failed', resp_code: theirs } },
        },
      })
      expect(declined.data.transaction.payment_data.resp_msg).not.toBe('')
      const replayed = await client.call('POST', `${PAYMENTS}/orders/pay`, body, key)
      expect(replayed).toMatchObject({ status: 402, data: { error: { decline_code: ours } } })
      expect(await bank.moved(declined.data.transaction.uuid, 'sale')).toEqual([])

      const good = await kind.instrument(bank.twin.url, account, customer.uuid, 'approves')
      const second = await client.bind(customer.uuid, good)
      expect(await client.pay(number, second.token)).toMatchObject({ status: 200 })
    },
  )

  test.each([
    { isApproved: true, state: 'succeeded', order: { state: 'completed', paid_total: '100.00' } },
    { isApproved: false, state: 'failed', order: { state: 'open', paid_total: '0.00' } },
  ])(
    '3-D Secure: the payer goes to next_action and comes back; $state',
    async ({ isApproved, state, order }) => {
      const { customer, token } = await bank.bind(client, account, 'asks_on_session')
      const number = await orderFor(customer.uuid)
      const asked = await client.pay(number, token.token)
      expect(asked).toMatchObject({ status: 200, data: { next_action: { type: 'three_d_secure' } } })
      expect(stateOf(asked.data.transaction)).toBe('requires_action')
      expect((await client.pay(number, token.token)).status).toBe(409)
      await client.advanceBy('PT1M')
      const [waiting] = (await client.checkOrder(number)).transactions
      expect([stateOf(waiting), waiting.next_action]).toEqual(['requires_action', asked.data.next_action])
      await bank.confirm(asked.data.next_action.url, isApproved)
      const checked = async () => client.checkOrder(number)
      await expect.poll(async () => stateOf((await checked()).transactions[0])).toBe(state)
      expect(await checked()).toMatchObject(order)
      const { uuid } = asked.data.transaction
      expect(await bank.moved(uuid, 'sale')).toEqual(isApproved ? ['100.00'] : [])
      if (isApproved) return
      expect((await checked()).transactions[0].payment_data.resp_msg).not.toBe('')
      const good = await kind.instrument(bank.twin.url, account, customer.uuid, 'approves')
      const second = await client.bind(customer.uuid, good)
      expect((await client.pay(number, second.token)).status).toBe(200)
    },
  )

  test('requests that are repeated with the same Idempotency-Key move money once', async () => {
    const { customer, token } = await bank.bind(client, account, 'approves')
    const number = await orderFor(customer.uuid)
    const key = { idempotencyKey: randomUUID() }
    const body = { order: { number }, transaction: { type: 'Sales', payment_token: token.token } }
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => client.call('POST', `${PAYMENTS}/orders/pay`, body, key)),
    )
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const paid = await client.call('POST', `${PAYMENTS}/orders/pay`, body, key)
    const { uuid } = paid.data.transaction
    const refundKey = { idempotencyKey: randomUUID() }
    const refund = { transaction: { uuid }, amount: 10 }
    const refunds: ApiReply[] = []
    for (let n = 0; n < 2; n++) {
      refunds.push(await client.call('POST', `${PAYMENTS}/transactions/refund`, refund, refundKey))
    }
    expect(refunds.map(({ status, data }) => [status, data.transaction.uuid])).toEqual(
      refunds.map(() => [200, refunds[0]?.data.transaction.uuid]),
    )
    expect(await bank.moved(uuid, 'sale')).toEqual(['100.00'])
    expect(await client.checkOrder(number)).toMatchObject({ paid_total: '90.00' })
  })
})
