import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { PAYMENTS } from '../harness/client.ts'
import { startScenario } from '../harness/scenario.ts'
import { AIRWALLEX, askAirwallex, CANCELLATIONS } from '../harness/twin-of-airwallex.ts'
import { newMerchant, startBank, stateOf } from '../harness/twins.ts'

const { service } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })
const SOON = { timeout: 60_000, interval: 200 }
const bank = await startBank(AIRWALLEX)
const client = await newMerchant(service)
const account = await bank.connect(client, {
  methods: ['credit_card', 'wallet_a_pay', 'wallet_b', 'fps'],
  raw_card_numbers: false,
})

afterEach(async () => {
  await bank.twin.setFaults({})
  await bank.sendNotices(account, {})
})

const atAirwallex = (path: string, body?: object) =>
  askAirwallex(bank.twin.url, account.credentials, path, body)

const intentIn = async (number: string): Promise<string> =>
  (await client.checkOrder(number)).transactions.at(-1).payment_data.new_gateway_txn_id
const states = async (number: string) => (await client.checkOrder(number)).transactions.map(stateOf)
const tokensOf = async (uuid: string) =>
  (await client.ok('GET', `${PAYMENTS}/customers/${uuid}/payment_tokens`)).payment_tokens
const voidOrder = (number: string) => client.call('POST', `${PAYMENTS}/orders/void`, { order: { number } })

/** The payer chooses the card on the page of the link, and asks to keep it. The component then waits for its number. */
async function openComponent(link: string): Promise<void> {
  const body = new URLSearchParams({ method: 'credit_card', account: account.id, save: 'yes' })
  const sent = await fetch(link, { method: 'POST', body, headers: { accept: 'application/json' } })
  expect(sent.status).toBe(200)
}

/** The component confirms in the browser. */
async function confirmInBrowser(intent: string, number = '4035501000000008'): Promise<number> {
  const reply = await atAirwallex(`/pa/payment_intents/${intent}/confirm`, {
    request_id: randomUUID(),
    payment_method: { type: 'card', card: { number, expiry_month: '12', expiry_year: '2049', cvc: '123' } },
    payment_consent: { next_triggered_by: 'merchant', merchant_trigger_reason: 'unscheduled' },
  })
  return reply.status
}

async function withComponent() {
  const { uuid } = await client.createCustomer()
  const { order, payment_link: link } = await client.ok('POST', `${PAYMENTS}/orders?with_payment_link=true`, {
    order: { reference_number: randomUUID(), currency: 'HKD', initial_total: 100, customer_uuid: uuid },
  })
  await openComponent(link)
  return { uuid, number: order.number as string, intent: await intentIn(order.number) }
}

// Proves reference/pages#card-components, reference/payments#late-money, reference/personal-data#erasure.
test('an order that is voided while its component is open takes no card, and its customer can be erased', async () => {
  const { uuid, number, intent } = await withComponent()
  const erase = () => client.call('POST', `/svc/privacy/api/v1/openapi/customers/${uuid}/erasures`)
  expect((await erase()).status).toBe(409)
  expect((await voidOrder(number)).status).toBe(200)
  expect(await confirmInBrowser(intent)).toBe(400)
  expect(await tokensOf(uuid)).toEqual([])
  expect((await erase()).status).toBe(200)
})

test('an order whose payer confirmed in the component before it is voided is paid, and the card is kept', async () => {
  await bank.sendNotices(account, { url: '' })
  const { uuid, number, intent } = await withComponent()
  expect(await confirmInBrowser(intent)).toBe(200)
  expect((await voidOrder(number)).status).toBe(409)
  expect(await client.checkOrder(number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
  await expect.poll(() => tokensOf(uuid), SOON).toMatchObject([{ state: 'active' }])
})

test('a payer who confirms while the component’s payment is closed keeps the order and the card', async () => {
  const { uuid, number, intent } = await withComponent()
  await bank.twin.setFaults({ fail_before: 1, match: AIRWALLEX.paths.void, times: CANCELLATIONS })
  expect((await voidOrder(number)).status).toBe(504)
  expect(await confirmInBrowser(intent)).toBe(200)
  await expect.poll(() => states(number), SOON).toEqual(['succeeded'])
  await expect.poll(async () => (await client.checkOrder(number)).state, SOON).toBe('completed')
  expect((await client.checkOrder(number)).paid_total).toBe('100.00')
  await expect.poll(() => tokensOf(uuid), SOON).toMatchObject([{ state: 'active', default: true }])
})

test('a payment whose capture fails later leaves the kept card, which pays the order again', async () => {
  const { uuid, number, intent } = await withComponent()
  await confirmInBrowser(intent)
  await expect.poll(() => tokensOf(uuid), SOON).toMatchObject([{ state: 'active' }])
  await bank.twin.control('POST', '/_twin/fail_capture', { intent })
  await expect.poll(() => states(number), SOON).toEqual(['failed'])
  const [{ token }] = await tokensOf(uuid)
  expect((await client.pay(number, token)).status).toBe(200)
  expect(await client.checkOrder(number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
})

/** A plan whose change waits until the payer confirms its payment at the bank of the card. */
async function planWithAwaitedChange() {
  const { customer } = await bank.bind(client, account, 'approves', { default: true })
  const { uuid } = customer
  const plan = await client.createPlan({
    reference_number: `plan-${randomUUID()}`,
    customer_uuid: uuid,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ recurring_item_id: await client.createItem(100), quantity: 1 }],
      },
    ],
  })
  await client.advanceBy('PT1M')
  await expect.poll(async () => (await client.getPlan(plan.id)).current_order.state, SOON).toBe('completed')
  const asking = await AIRWALLEX.instrument(bank.twin.url, account, uuid, 'asks_always')
  const bound = await client.bind(uuid, { ...asking, default: true })
  if (bound.state === 'pending') await bank.followVerification(bound.verify_url, true)
  const path = `${PAYMENTS}/recurring_payments/plan/${plan.id}/change`
  const item = await client.createItem(300)
  const change = { recurring_items: [{ recurring_item_id: item, quantity: 1 }], only_if_paid: true }
  const asked = await client.call('POST', path, { change })
  expect(asked.status).toBe(402)
  const { order_number: number } = (await client.getPlan(plan.id)).pending_change
  const price = async () => (await client.getPlan(plan.id)).recurring_cycles[0].recurring_items[0].price
  return { path, number: number as string, verifyUrl: asked.data.verify_url as string, price }
}

// Proves reference/billing-changes#paid-first.
test('a change that waits takes place once the payer confirms, though no notice comes', async () => {
  const { number, verifyUrl, price } = await planWithAwaitedChange()
  await bank.sendNotices(account, { url: '' })
  await bank.confirm(verifyUrl)
  await expect.poll(price, SOON).toBe(300)
  expect((await client.checkOrder(number)).state).toBe('completed')
})

test('a change that is removed while the payer is asked takes no money, and the payer’s answer comes too late', async () => {
  const { number, path, verifyUrl, price } = await planWithAwaitedChange()
  const intent = await intentIn(number)
  await client.ok('DELETE', path)
  await expect.poll(async () => (await client.checkOrder(number)).state, SOON).toBe('voided')
  await bank.answerChallenge(verifyUrl, true).catch(() => {})
  const read = (await (await atAirwallex(`/pa/payment_intents/${intent}`)).json()) as {
    status: string
  }
  expect(read.status).toBe('CANCELLED')
  expect([await price(), await states(number), (await client.checkOrder(number)).state]).toEqual([
    100,
    ['failed'],
    'voided',
  ])
})

test('a payer who confirmed before the change was removed gets the money back', async () => {
  const { number, path, verifyUrl, price } = await planWithAwaitedChange()
  await bank.sendNotices(account, { url: '' })
  await bank.answerChallenge(verifyUrl, true)
  await client.ok('DELETE', path)
  const isOver = async () => {
    const { state, transactions } = await client.checkOrder(number)
    const isOpen = transactions.some((one: { is_pending: boolean }) => one.is_pending)
    return [state, isOpen, await states(number)]
  }
  await expect.poll(isOver, SOON).toEqual(['voided', false, ['succeeded', 'succeeded']])
  const { transactions, paid_total: paid } = await client.checkOrder(number)
  expect([paid, await price()]).toEqual(['0.00', 100])
  const [sale, refund] = transactions
  expect(await bank.moved(sale.uuid, 'sale')).toEqual(await bank.moved(refund.uuid, 'refund'))
})

// Proves reference/acquirers#airwallex: the sums follow whichever of a capture and its refund fails first.
test.each([
  ['the capture', 'the refund'],
  ['the refund', 'the capture'],
])('%s fails later, and then %s: nothing is paid, and the order can be paid again', async (first) => {
  const { uuid: customer, number, intent } = await withComponent()
  await confirmInBrowser(intent)
  await expect.poll(() => tokensOf(customer), SOON).toMatchObject([{ state: 'active' }])
  const { uuid } = (await client.checkOrder(number)).transactions[0]
  const { transaction } = await client.ok('POST', `${PAYMENTS}/transactions/refund`, {
    transaction: { uuid },
    amount: 30,
  })
  const refund = transaction.payment_data.new_gateway_txn_id as string
  const fail = {
    'the capture': async () => {
      await bank.twin.control('POST', '/_twin/fail_capture', { intent })
      await expect.poll(async () => (await states(number))[0], SOON).toBe('failed')
    },
    'the refund': async () => {
      await bank.twin.control('POST', '/_twin/fail_refund', { refund })
      await expect.poll(async () => (await states(number))[1], SOON).toBe('failed')
    },
  }
  const isCapture = first === 'the capture'
  await fail[isCapture ? 'the capture' : 'the refund']()
  if (isCapture) {
    const again = await client.call('POST', `${PAYMENTS}/transactions/refund`, { transaction: { uuid } })
    expect([409, 422]).toContain(again.status)
  } else expect((await client.checkOrder(number)).paid_total).toBe('100.00')
  await fail[isCapture ? 'the refund' : 'the capture']()
  expect(await client.checkOrder(number)).toMatchObject({ state: 'open', paid_total: '0.00' })
  const [{ token }] = await tokensOf(customer)
  expect((await client.pay(number, token)).status).toBe(200)
  expect(await client.checkOrder(number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
})

// Proves reference/personal-data#erasure, reference/disputes#submission.
test('a customer whose kept card paid a disputed order is erased once the dispute is decided', async () => {
  const { uuid, number, intent } = await withComponent()
  await confirmInBrowser(intent)
  await expect.poll(() => tokensOf(uuid), SOON).toMatchObject([{ state: 'active' }])
  await bank.twin.control('POST', '/_twin/disputes', { intent, stage: 'CHARGEBACK', reason: 'FRAUD' })
  const filter = encodeURIComponent(`order_number = "${number}"`)
  const found = async () => (await client.ok('GET', `${PAYMENTS}/disputes?filter=${filter}`)).disputes[0]
  await expect.poll(found, SOON).toMatchObject({ state: 'needs_response' })
  const erase = () => client.call('POST', `/svc/privacy/api/v1/openapi/customers/${uuid}/erasures`)
  expect((await erase()).status).toBe(409)
  const { acquirer_reference: dispute } = await found()
  await bank.twin.control('POST', '/_twin/disputes/decide', { dispute, status: 'LOST' })
  await expect.poll(async () => (await found()).state, SOON).toBe('lost')
  expect((await erase()).status).toBe(200)
})
