import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { startAcquirerProxy } from '../harness/acquirer-proxy.ts'
import { type ApiReply, PAYMENTS } from '../harness/client.ts'
import { startScenario } from '../harness/scenario.ts'
import { AIRWALLEX, askAirwallex, CANCELLATIONS } from '../harness/twin-of-airwallex.ts'
import { ACCOUNTS, newMerchant, startBank, stateOf } from '../harness/twins.ts'

const { service } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })
const SOON = { timeout: 60_000, interval: 200 }
const CODE_SECONDS = 600

const shops = await Promise.all(
  (['duplicate', 'first'] as const).map(async (repeated) => {
    const bank = await startBank(AIRWALLEX)
    await bank.twin.control('PUT', '/_twin/settings', { repeated_requests: repeated })
    const client = await newMerchant(service)
    const methods = ['credit_card', 'wallet_a_pay', 'wallet_b', 'fps']
    const account = await bank.connect(client, { methods })
    return { repeated, bank, client, account }
  }),
)

// Proves reference/acquirers#airwallex, reference/payments#wallets, reference/payments#late-money,
// reference/customers#agreements, reference/disputes#submission, reference/reconciliation#results.
describe.each(shops)('Airwallex, where a repeated request gets: $repeated', ({ bank, client, account }) => {
  afterEach(async () => {
    await bank.twin.setFaults({})
    await bank.sendNotices(account, {})
  })

  const noNotices = () => bank.sendNotices(account, { url: '' })

  async function asked(method = 'wallet_b', members: object = {}) {
    const number = (await client.createOrder({ initial_total: 88 })).number as string
    const reply = await payBy(number, method, members)
    expect(reply.status).toBe(200)
    const { uuid, payment_data: data } = reply.data.transaction
    return { number, uuid: uuid as string, intent: data.new_gateway_txn_id as string, reply }
  }

  const payBy = (number: string, method: string, members: object = {}): Promise<ApiReply> =>
    client.call('POST', `${PAYMENTS}/orders/pay`, {
      order: { number },
      transaction: { type: 'Sales', payment_method: method, ...members },
    })

  const atAirwallex = (path: string, body?: object) =>
    askAirwallex(bank.twin.url, account.credentials, path, body)

  async function inApp(id: string, action: 'pay' | 'reject'): Promise<number> {
    return (await atAirwallex(`/simulation/pa/shopper_actions/${action}`, { url: id })).status
  }

  const transactions = async (number: string): Promise<ApiReply['data'][]> =>
    (await client.checkOrder(number)).transactions
  const states = async (number: string) => (await transactions(number)).map(stateOf)
  const voidOrder = (number: string) => client.call('POST', `${PAYMENTS}/orders/void`, { order: { number } })

  test.each([
    ['wallet_a_pay', 'wallet_confirmation', 'wallet', 'airwallex (wechat_pay)', /^weixin:/],
    [
      'wallet_b',
      'wallet_confirmation',
      'wallet',
      'airwallex (alipay_hk)',
      /^https:\/\/qr\.example\/alipayhk/,
    ],
    ['fps', 'bank_confirmation', 'bank', 'airwallex', /^000201/],
  ])('a code of %s is shown, paid and refunded in part', async (method, type, acquirerType, name, code) => {
    const { number, uuid, intent, reply } = await asked(method)
    expect(intent).toMatch(/^int_/)
    expect(reply.data.next_action).toMatchObject({ type, qr_code: expect.stringMatching(code) })
    expect(reply.data.next_action.url).toContain('/pay/')
    expect((await payBy(number, method)).status).toBe(409)
    expect(await inApp(intent, 'pay')).toBe(200)
    await expect.poll(() => states(number), SOON).toEqual(['succeeded'])
    const [paid] = await transactions(number)
    expect(paid.payment_data).toMatchObject({ acquirer_name: name, acquirer_type: acquirerType })
    expect(await inApp(intent, 'pay')).toBe(400)
    expect(await bank.moved(uuid, 'sale')).toEqual(['88.00'])
    const refund = await client.ok('POST', `${PAYMENTS}/transactions/refund`, {
      transaction: { uuid },
      amount: 8,
    })
    expect(refund).toMatchObject({ order: { paid_total: '80.00' } })
    expect(refund.transaction.payment_data.new_gateway_txn_id).toMatch(/^rfd_/)
    expect(await bank.moved(refund.transaction.uuid, 'refund')).toEqual(['8.00'])
  })

  test('on a phone the app is opened, and no code is given', async () => {
    const { reply } = await asked('wallet_b', {
      payer_device: 'ios',
      return_url: 'https://shop.example/back',
    })
    expect(reply.data.next_action).not.toHaveProperty('qr_code')
  })

  test('a code that was refused or has expired can be asked for again', async () => {
    const { number, intent } = await asked()
    expect(await inApp(intent, 'reject')).toBe(200)
    await expect.poll(() => states(number), SOON).toEqual(['failed'])
    const second = await payBy(number, 'fps')
    expect(Date.parse(second.data.next_action.expires_at)).toBeGreaterThan(Date.now())
    await bank.twin.advanceClock(CODE_SECONDS + 1)
    await expect.poll(() => states(number), SOON).toEqual(['failed', 'failed'])
    const codes = (await transactions(number)).map(({ payment_data: data }) => data.resp_code)
    expect(codes).toEqual(['payer_declined', 'expired'])
    const third = await payBy(number, 'wallet_a_pay')
    expect(await inApp(third.data.transaction.payment_data.new_gateway_txn_id, 'pay')).toBe(200)
    await expect.poll(async () => (await client.checkOrder(number)).state, SOON).toBe('completed')
    expect(await inApp(intent, 'pay')).toBe(400)
  })

  test('what was closed cannot be paid any more, and an order whose payer was faster is not voided', async () => {
    await noNotices()
    const closed = await asked()
    expect((await voidOrder(closed.number)).status).toBe(200)
    expect(await inApp(closed.intent, 'pay')).toBe(400)
    expect(await bank.moved(closed.uuid, 'sale')).toEqual([])
    expect((await client.checkOrder(closed.number)).state).toBe('voided')

    const faster = await asked('fps')
    expect(await inApp(faster.intent, 'pay')).toBe(200)
    expect((await voidOrder(faster.number)).status).toBe(409)
    expect(await client.checkOrder(faster.number)).toMatchObject({ state: 'completed', paid_total: '88.00' })
  })

  test.each(['lose_answer', 'fail_after', 'fail_before'])(
    'a payer who pays while we close keeps the order, or gets the money back: %s',
    async (fault) => {
      const { number, uuid, intent } = await asked()
      const times = fault === 'fail_before' ? CANCELLATIONS : 1
      await bank.twin.setFaults({ [fault]: 1, match: AIRWALLEX.paths.void, times })
      const voided = await voidOrder(number)
      expect([200, 504]).toContain(voided.status)
      const isPaid = (await inApp(intent, 'pay')) === 200
      expect(isPaid).toBe(fault === 'fail_before')
      const isOver = async () => {
        await client.advanceBy('PT1H')
        const order = await client.checkOrder(number)
        return order.transactions.every(({ is_pending: isPending }: { is_pending: boolean }) => !isPending)
      }
      await expect.poll(isOver, SOON).toBe(true)
      const order = await client.checkOrder(number)
      const [in_, out] = [await bank.moved(uuid, 'sale'), await refunded(order)]
      expect(in_).toEqual(isPaid ? ['88.00'] : [])
      expect(order.paid_total).toBe(in_.length > out.length ? '88.00' : '0.00')
      expect(order.state).toBe(order.paid_total === '88.00' ? 'completed' : 'voided')
    },
  )

  async function refunded({ transactions: all }: ApiReply['data']): Promise<string[]> {
    const refunds = all.map(({ uuid }: { uuid: string }) => bank.moved(uuid, 'refund'))
    return (await Promise.all<string[]>(refunds)).flat()
  }

  test('a payer who never comes back costs nothing, and the order is open', async () => {
    const { number, intent } = await asked()
    await bank.twin.control('PUT', '/_twin/settings', { code_seconds: 1_000_000 })
    const { number: other, intent: waiting } = await asked('fps')
    await bank.twin.control('PUT', '/_twin/settings', { code_seconds: CODE_SECONDS })
    await client.advanceBy('PT25H')
    await expect.poll(() => states(number), SOON).toEqual(['failed'])
    await expect.poll(() => states(other), SOON).toEqual(['failed'])
    for (const id of [intent, waiting]) expect(await inApp(id, 'pay')).toBe(400)
    expect(await client.checkOrder(other)).toMatchObject({ state: 'open', paid_total: '0.00' })
  })

  test('a notice that comes before the answer changes nothing', async () => {
    const slow = await startAcquirerProxy(bank.twin.url)
    slow.beforeResponse = async (path) => (path.endsWith('/confirm') ? sleep(1_500) : undefined)
    const merchant = await newMerchant(service)
    const delayed = await bank.connect(merchant, { api_base: slow.url })
    const { customer, token } = await bank.bind(merchant, delayed, 'approves')
    const order = await merchant.createOrder({ customer_uuid: customer.uuid })
    const paid = await merchant.pay(order.number, token.token)
    expect(paid).toMatchObject({ status: 200, data: { order: { state: 'completed', paid_total: '100.00' } } })
    const events = (await merchant.events(paid.data.transaction.uuid)).map(({ type }) => type)
    expect(events.filter((type) => type === 'transaction.succeeded').length).toBeLessThanOrEqual(1)
    expect(await bank.moved(paid.data.transaction.uuid, 'sale')).toEqual(['100.00'])
  })

  test('a merchant learns of an outcome whose answer was lost by its notice', async () => {
    const { customer, token } = await agreed()
    const order = await client.createOrder({ customer_uuid: customer.uuid })
    await bank.twin.setFaults({ lose_answer: 1, match: AIRWALLEX.paths.sale, times: 1 })
    const lost = await client.pay(order.number, token.token)
    expect(lost.status).toBe(504)
    await expect.poll(() => states(order.number), SOON).toEqual(['succeeded'])
    expect(await bank.moved(lost.data.transaction.uuid, 'sale')).toEqual(['100.00'])
  })

  async function agreed(members: object = {}) {
    const customer = await client.createCustomer()
    const bound = await client.bind(customer.uuid, { token_type: 'WalletBAutoDebit', ...members })
    expect(bound.state).toBe('pending')
    expect(bound.verify_url).toContain(client.sandbox.base_url)
    await bank.followVerification(bound.verify_url, true)
    const tokens = async () =>
      (await client.ok('GET', `${PAYMENTS}/customers/${customer.uuid}/payment_tokens`)).payment_tokens
    await expect.poll(async () => (await tokens())[0].state, SOON).toBe('active')
    const [token] = await tokens()
    return { customer, token, tokens }
  }

  async function consentOf(uuid: string): Promise<string> {
    const line = (await bank.twin.books()).find(({ key }) => key === uuid)
    const read = await atAirwallex(`/pa/payment_intents/${line?.reference}`)
    return ((await read.json()) as { payment_consent_id: string }).payment_consent_id
  }

  async function statusOf(consent: string): Promise<string> {
    const read = await atAirwallex(`/pa/payment_consents/${consent}`)
    return ((await read.json()) as { status: string }).status
  }

  test('an agreement shows its wallet, charges without the payer, and is ended with its token', async () => {
    const { customer, token, tokens } = await agreed({ default: true })
    expect(token).toMatchObject({
      default: true,
      wallet: { name: 'alipay_hk', account: expect.stringContaining('*') },
    })
    const paid = await client.pay(
      (await client.createOrder({ customer_uuid: customer.uuid })).number,
      token.token,
    )
    expect(paid.status).toBe(200)
    const held = await client.pay(
      (await client.createOrder({ customer_uuid: customer.uuid })).number,
      token.token,
      { type: 'Authorization' },
    )
    expect([409, 422]).toContain(held.status)
    const consent = await consentOf(paid.data.transaction.uuid)
    await bank.twin.setFaults({ fail_before: 1, match: '/disable$', times: 1 })
    await client.ok('DELETE', `${PAYMENTS}/customers/${customer.uuid}/payment_tokens/${token.token}`)
    expect((await tokens()).filter(({ state }: { state: string }) => state === 'active')).toEqual([])
    const ended = async () => {
      await client.advanceBy('PT1H')
      return statusOf(consent)
    }
    await expect.poll(ended, SOON).toBe('DISABLED')
  })

  test('the consent of a card is disabled with its token, and its token is deleted once somebody disables it', async () => {
    const consent = (token: object) => (token as { acquirer_token: { id: string } }).acquirer_token.id
    const customer = await client.createCustomer()
    const instrument = () => AIRWALLEX.instrument(bank.twin.url, account, customer.uuid, 'approves')
    const [own, other] = [await instrument(), await instrument()]
    const { token } = await client.bind(customer.uuid, own)
    const path = `${PAYMENTS}/customers/${customer.uuid}/payment_tokens`
    await client.ok('DELETE', `${path}/${token}`)
    await expect.poll(() => statusOf(consent(own)), SOON).toBe('DISABLED')
    const { token: second } = await client.bind(customer.uuid, other)
    await bank.twin.control('POST', '/_twin/consent', { consent: consent(other), status: 'DISABLED' })
    const types = async () => (await client.events(second)).map(({ type }) => type)
    await expect.poll(types, SOON).toContain('payment_token.deleted')
  })

  test('the erasure of a customer ends the consents of their cards and wallets, until each has ended', async () => {
    const { customer } = await agreed()
    const card = await AIRWALLEX.instrument(bank.twin.url, account, customer.uuid, 'approves')
    await client.bind(customer.uuid, card)
    const { items: customers } = await listed(`/pa/customers?merchant_customer_id=${customer.uuid}`)
    const consents = async () =>
      (await listed(`/pa/payment_consents?customer_id=${customers[0]?.id}`)).items.map(({ status }) => status)
    expect(await consents()).toEqual(['VERIFIED', 'VERIFIED'])
    await bank.twin.setFaults({ fail_before: 1, match: '/disable$', times: 2 })
    await client.ok('POST', `/svc/privacy/api/v1/openapi/customers/${customer.uuid}/erasures`)
    const ended = async () => {
      await client.advanceBy('PT1H')
      return consents()
    }
    await expect.poll(ended, SOON).toEqual(['DISABLED', 'DISABLED'])
  })

  async function listed(path: string) {
    const reply = await atAirwallex(path)
    return (await reply.json()) as { items: { id: string; status: string }[] }
  }

  test.each([
    ['a notice', true, 'provider_declined'],
    ['the next charge', false, 'provider_declined'],
    ['the next charge', false, 'invalid_status_for_operation'],
  ])('a plan whose payer ended the agreement: seen by %s (%s, %s)', async (_, hasNotices, refusal) => {
    await bank.twin.control('PUT', '/_twin/settings', { ended_agreement: refusal })
    const { customer, token, tokens } = await agreed({ default: true })
    const plan = await client.createPlan({
      reference_number: `plan-${randomUUID()}`,
      customer_uuid: customer.uuid,
      recurring_cycles: [
        {
          billing_count: 3,
          recurring_billing_config: 'FREQ=MONTHLY',
          recurring_items: [{ recurring_item_id: await client.createItem(100), quantity: 1 }],
        },
      ],
    })
    const orders = () => client.orders(`reference_number:"${plan.reference_number}-"`)
    await client.advanceBy('PT1M')
    await expect.poll(async () => (await orders())[0]?.state, SOON).toBe('completed')
    const [first] = await orders()
    const [paid] = await transactions(first.number)
    if (!hasNotices) await noNotices()
    const consent = await consentOf(paid.uuid)
    await bank.twin.control('POST', '/_twin/consent', { consent, status: 'DISABLED' })
    const state = async () => (await tokens())[0]?.state ?? 'deleted'
    if (hasNotices) await expect.poll(state, SOON).toBe('deleted')
    await client.advanceBy('P1M')
    const [, second] = await orders()
    if (!hasNotices) {
      const [declined] = await transactions(second.number)
      expect(declined.payment_data).toMatchObject({ transaction_state: 'failed' })
    }
    await expect.poll(state, SOON).toBe('deleted')
    const events = await client.events(token.token)
    expect(events.map(({ type }) => type)).toContain('payment_token.deleted')
    await client.advanceBy('P10D')
    const tried = (await transactions(second.number)).filter(
      ({ payment_data: data }) => data.new_gateway_txn_id,
    )
    expect(tried.length).toBeLessThanOrEqual(1)
    expect((await client.checkOrder(second.number)).paid_total).toBe('0.00')
  })

  test('an agreement that nobody agreed to, or was refused, is a failed token', async () => {
    const refusedBy = await client.createCustomer()
    const bound = await client.bind(refusedBy.uuid, { token_type: 'WalletAPayAutoDebit' })
    await bank.followVerification(bound.verify_url, false)
    const late = await client.createCustomer()
    await client.bind(late.uuid, { token_type: 'WalletBAutoDebit' })
    const shown = async (uuid: string) => {
      const [token] = (await client.ok('GET', `${PAYMENTS}/customers/${uuid}/payment_tokens`)).payment_tokens
      return [token.state, token.error_code]
    }
    await expect.poll(() => shown(refusedBy.uuid), SOON).toEqual(['failed', 'wallet_agreement_declined'])
    await client.advanceBy('PT25H')
    await expect.poll(() => shown(late.uuid), SOON).toEqual(['failed', 'wallet_agreement_expired'])
  })

  test('a wallet that is open for single payments only takes them, and its agreements are refused by name', async () => {
    await bank.twin.control('PUT', '/_twin/settings', { closed: ['wechatpay:recurring'] })
    const { uuid } = await client.createCustomer()
    const reply = await client.call('POST', `${PAYMENTS}/customers/${uuid}/payment_tokens`, {
      payment_token: { token_type: 'WalletAPayAutoDebit', acquirer_account_id: account.id },
    })
    expect(reply).toMatchObject({ status: 422, message: expect.stringContaining('wechat_pay') })
    const { number, intent } = await asked('wallet_a_pay')
    expect(await inApp(intent, 'pay')).toBe(200)
    await expect.poll(() => states(number), SOON).toEqual(['succeeded'])
    await bank.twin.control('PUT', '/_twin/settings', { closed: [] })
  })

  describe('what fails later', () => {
    async function sold() {
      const { customer, token } = await bank.bind(client, account, 'approves')
      const number = (await client.createOrder({ customer_uuid: customer.uuid })).number as string
      const { data } = await client.pay(number, token.token)
      const { uuid, payment_data: shown } = data.transaction
      return { number, uuid: uuid as string, intent: shown.new_gateway_txn_id as string, token }
    }

    test('a sale that could not be captured is failed, and its order is open again', async () => {
      const { number, intent, token } = await sold()
      await bank.twin.control('POST', '/_twin/fail_capture', { intent })
      await expect.poll(() => states(number), SOON).toEqual(['failed'])
      expect(await client.checkOrder(number)).toMatchObject({ state: 'open', paid_total: '0.00' })
      expect((await client.pay(number, token.token)).status).toBe(200)
    })

    test('a capture of an authorization that could not be done is failed by its own key', async () => {
      const { customer, token } = await bank.bind(client, account, 'approves')
      const number = (await client.createOrder({ customer_uuid: customer.uuid })).number as string
      const held = await client.pay(number, token.token, { type: 'Authorization' })
      const { uuid, payment_data: data } = held.data.transaction
      await client.ok('POST', `${PAYMENTS}/transactions/capture`, { transaction: { uuid }, amount: 60 })
      await bank.twin.control('POST', '/_twin/fail_capture', { intent: data.new_gateway_txn_id })
      await expect.poll(async () => (await states(number))[1], SOON).toBe('failed')
      expect(await client.checkOrder(number)).toMatchObject({ state: 'open', paid_total: '0.00' })
    })

    test('a refund that could not be done is failed, and the order is paid again', async () => {
      const { number, uuid } = await sold()
      const { transaction } = await client.ok('POST', `${PAYMENTS}/transactions/refund`, {
        transaction: { uuid },
      })
      const refund = transaction.payment_data.new_gateway_txn_id as string
      await bank.twin.control('POST', '/_twin/fail_refund', { refund })
      await expect.poll(() => states(number), SOON).toEqual(['succeeded', 'failed'])
      expect(await client.checkOrder(number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
    })

    test('an authorization that was canceled in the web app is voided', async () => {
      const { customer, token } = await bank.bind(client, account, 'approves')
      const number = (await client.createOrder({ customer_uuid: customer.uuid })).number as string
      const held = await client.pay(number, token.token, { type: 'Authorization' })
      const intent = held.data.transaction.payment_data.new_gateway_txn_id as string
      await bank.twin.control('POST', '/_twin/cancel', { intent })
      await expect.poll(() => states(number), SOON).toEqual(['voided'])
      const uuid = held.data.transaction.uuid as string
      const capture = await client.call('POST', `${PAYMENTS}/transactions/capture`, { transaction: { uuid } })
      expect(capture.status).toBe(409)
    })
  })

  test('a dispute is answered with evidence once, though its answer is lost', async () => {
    const { customer, token } = await bank.bind(client, account, 'approves')
    const order = await client.createOrder({ customer_uuid: customer.uuid })
    const { data } = await client.pay(order.number, token.token)
    const intent = data.transaction.payment_data.new_gateway_txn_id
    await bank.twin.control('POST', '/_twin/disputes', { intent, stage: 'CHARGEBACK', reason: 'FRAUD' })
    const filter = encodeURIComponent(`order_number = "${order.number}"`)
    const found = async () => (await client.ok('GET', `${PAYMENTS}/disputes?filter=${filter}`)).disputes[0]
    await expect.poll(found, SOON).toMatchObject({ state: 'needs_response', reason: 'fraud' })
    const { id } = await found()
    const path = `${PAYMENTS}/disputes/${id}`
    const primary = { name: 'r.pdf', content_type: 'application/pdf', content: 'JVBERi0xLjcK' }
    const evidence = { product_type: 'physical_goods', reason: 'product_received', primary }
    await client.ok('PUT', `${path}/evidence`, { evidence })
    await bank.twin.setFaults({ lose_answer: 1, match: '/challenge$', times: 1 })
    const lost = await client.call('POST', `${path}/submit`)
    expect([200, 504]).toContain(lost.status)
    const state = async () => (await client.ok('GET', path)).dispute.state as string
    await expect.poll(state, SOON).toBe('under_review')
    expect((await client.call('POST', `${path}/submit`)).status).toBe(409)
    const dispute = JSON.parse(
      await bank.twin.control('POST', '/_twin/disputes/decide', {
        dispute: (await client.ok('GET', path)).dispute.acquirer_reference,
        status: 'WON',
      }),
    ) as { status: string }
    expect(dispute.status).toBe('WON')
    await expect.poll(state, SOON).toBe('won')
  })

  test('the books match batch by batch, over pages of 50, and each planted difference is found', async () => {
    const merchant = await newMerchant(service)
    const own = await bank.connect(merchant)
    const { customer, token } = await bank.bind(merchant, own, 'approves')
    const sold = async (currency: string, total: number) => {
      const order = await merchant.createOrder({
        customer_uuid: customer.uuid,
        currency,
        initial_total: total,
      })
      const { data } = await merchant.pay(order.number, token.token)
      const { uuid, payment_data: shown } = data.transaction
      return { uuid: uuid as string, intent: shown.new_gateway_txn_id as string }
    }
    const payments = await Promise.all(Array.from({ length: 51 }, (_, n) => sold('HKD', 10 + n)))
    // The twin opens no cards in this currency, and takes them all the same.
    const swiss = await sold('CHF', 20)
    const { uuid } = payments[0] as { uuid: string }
    await merchant.ok('POST', `${PAYMENTS}/transactions/refund`, { transaction: { uuid }, amount: 4 })
    const [, omitted, altered] = payments as [
      unknown,
      { uuid: string; intent: string },
      { uuid: string; intent: string },
    ]
    const foreign = await intentOf(own.credentials, 'not-ours')
    await bank.twin.control('POST', '/_twin/settle', {
      omit: [omitted.intent],
      alter: { [altered.intent]: 1 },
    })

    const path = `${PAYMENTS}/reconciliations`
    const isComplete = async () => {
      const { reconciliation_runs: runs } = await merchant.ok('POST', `${path}/run`, {})
      return runs[0]?.completed_at !== null
    }
    await expect.poll(isComplete, SOON).toBe(true)
    const entries: ApiReply['data'][] = []
    for (const { id } of (await merchant.ok('GET', path)).reconciliations)
      entries.push(...(await merchant.ok('GET', `${path}/${id}/entries?limit=100`)).entries)
    const of = (result: string) => entries.filter((entry) => entry.result === result)
    expect(of('missing_there').map((entry) => entry.transaction.uuid)).toEqual([omitted.uuid])
    expect(of('missing_here').map((entry) => entry.acquirer_reference)).toEqual([foreign])
    expect(of('different_amount').map((entry) => entry.transaction.uuid)).toEqual([altered.uuid])
    const matched = of('matched').filter(({ type }) => type === 'payment')
    expect(matched).toHaveLength(payments.length + 1 - 2)
    expect(matched.map((entry) => entry.transaction.uuid)).toContain(swiss.uuid)
    expect(of('matched').filter(({ type }) => type === 'refund')).toMatchObject([{ gross: -4 }])
  })

  /** A payment that the business made at Airwallex without us. */
  async function intentOf(credentials: Readonly<Record<string, string>>, order: string): Promise<string> {
    const url = `${bank.twin.url}/api/v1`
    const keys = { 'x-client-id': credentials['client_id'] ?? '', 'x-api-key': credentials['api_key'] ?? '' }
    const login = await fetch(`${url}/authentication/login`, { method: 'POST', headers: keys })
    const { token } = (await login.json()) as { token: string }
    const send = async (path: string, body: object) => {
      const answer = await fetch(`${url}/pa/payment_intents/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ request_id: randomUUID(), ...body }),
      })
      return (await answer.json()) as { id: string; status: string }
    }
    const { id } = await send('create', { amount: 30, currency: 'HKD', merchant_order_id: order })
    const card = { number: '4035501000000008', expiry_month: '12', expiry_year: '2030', cvc: '123' }
    expect(await send(`${id}/confirm`, { payment_method: { type: 'card', card } })).toMatchObject({
      status: 'SUCCEEDED',
    })
    return id
  }
})

// Proves reference/acquirers#accounts, reference/acquirers#credentials, reference/acquirers#api-base.
describe('what bad input gets, and nothing is stored', async () => {
  const [{ bank } = never()] = shops
  const merchant = await newMerchant(service)
  const accountOf = (members: object = {}, credentials: object = {}) => ({
    acquirer_account: {
      acquirer: 'airwallex',
      name: 'bad',
      credentials: { ...AIRWALLEX.credentials('bad', 'test'), ...credentials },
      api_base: bank.twin.url,
      ...members,
    },
  })

  test.each<[string, object, readonly number[], string]>([
    ['no client_id', accountOf({}, { client_id: undefined }), [422], 'client_id'],
    ['no api_key', accountOf({}, { api_key: undefined }), [422], 'api_key'],
    ['no webhook_secret', accountOf({}, { webhook_secret: undefined }), [422], 'webhook_secret'],
    ['a key that is refused', accountOf({}, { api_key: 'refused' }), [422], 'api_key'],
    [
      'an account that the key may not use',
      accountOf({}, { account_id: 'acct_foreign' }),
      [422],
      'account_id',
    ],
    ['a credential of another acquirer', accountOf({}, { secret_key: 'sk' }), [400, 422], 'secret_key'],
    ['a number for a text', accountOf({}, { client_id: 7 }), [400], 'client_id'],
    ['a text for a list', accountOf({ methods: 'fps' }), [400], 'methods'],
    ['an unknown method', accountOf({ methods: ['payme'] }), [400, 422], 'methods'],
    ['an unknown wallet', accountOf({ wallets: { wallet_b: 'octopus' } }), [400, 422], 'wallet_b'],
    ['a wallet without its method', accountOf({ wallets: { wallet_b: 'alipay' } }), [400, 422], 'wallet_b'],
    ['a versioned api_base', accountOf({ api_base: `${bank.twin.url}/api/v1` }), [422], 'api_base'],
    ['the live api_base', accountOf({ api_base: 'https://api.airwallex.com' }), [422], 'api_base'],
  ])('%s', async (_, body, statuses, name) => {
    const reply = await merchant.call('POST', ACCOUNTS, body)
    expect(statuses).toContain(reply.status)
    expect(JSON.stringify(reply.data)).toContain(name)
    expect((await merchant.ok('GET', ACCOUNTS)).acquirer_accounts).toEqual([])
  })

  test.each([
    ['rate_limit', 'POST /api/v1/authentication/login'],
    ['fail_before', 'POST /api/v1/authentication/login'],
    ['rate_limit', 'GET /api/v1/account$'],
  ])('Airwallex cannot be asked (%s of %s): 503', async (fault, match) => {
    await bank.twin.setFaults({ [fault]: 1, match })
    const reply = await merchant.call('POST', ACCOUNTS, accountOf())
    expect(reply).toMatchObject({ status: 503, data: { error: { reason: 'acquirer_unreachable' } } })
    await bank.twin.setFaults({})
    expect((await merchant.ok('GET', ACCOUNTS)).acquirer_accounts).toEqual([])
  })

  test('PUT with the credentials of another account is 422, and new keys of the same account are taken', async () => {
    const client = await newMerchant(service)
    const { id } = await bank.connect(client)
    const put = (name: string) =>
      client.call('PUT', `${ACCOUNTS}/${id}`, {
        acquirer_account: { credentials: AIRWALLEX.credentials(name, 'test') },
      })
    const { name } = (await client.ok('GET', `${ACCOUNTS}/${id}`)).acquirer_account
    expect((await put('somebody_else')).status).toBe(422)
    expect((await put(`${name}__2`)).status).toBe(200)
  })
})

function never(): never {
  throw new Error('there is no shop')
}

// Proves reference/acquirers#airwallex.
test('500 payments need no login more, and 500 while tokens end need at most one for each end', async () => {
  const bank = await startBank(AIRWALLEX)
  const client = await newMerchant(service)
  const account = await bank.connect(client)
  await bank.sendNotices(account, { url: '' })
  const { customer, token } = await bank.bind(client, account, 'approves')
  const logins = async () =>
    (JSON.parse(await bank.twin.control('GET', '/_twin/logins')) as { logins: number }).logins
  const payMany = async (ends: number) => {
    const before = await logins()
    for (let part = 0; part < 10; part++) {
      const paid = Array.from({ length: 50 }, async () => {
        const { number } = await client.createOrder({ customer_uuid: customer.uuid })
        return (await client.pay(number, token.token)).status
      })
      if (part < ends) await bank.twin.control('POST', '/_twin/end_tokens')
      expect(new Set(await Promise.all(paid))).toEqual(new Set([200]))
    }
    return (await logins()) - before
  }
  expect(await payMany(0)).toBe(0)
  const renewed = await payMany(5)
  expect(renewed).toBeGreaterThan(0)
  expect(renewed).toBeLessThanOrEqual(5)
  const sales = (await bank.twin.books()).filter(({ operation }) => operation === 'sale')
  expect([sales.length, new Set(sales.map(({ key }) => key)).size]).toEqual([1_000, 1_000])
})
