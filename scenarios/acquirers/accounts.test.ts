import { describe, expect, test } from 'vitest'
import { type Client, PAYMENTS } from '../harness/client.ts'
import { liveClient } from '../harness/command-line.ts'
import { startScenario } from '../harness/scenario.ts'
import { ACCOUNTS, KINDS, newMerchant, startBank, stateOf } from '../harness/twins.ts'

const { service } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })
const banks = await Promise.all(KINDS.map(async (kind) => ({ kind, bank: await startBank(kind) })))
const SOON = { timeout: 60_000, interval: 200 }

// Proves reference/acquirers#accounts, reference/access#live-environments.
describe.each(banks)('accounts at the twin of $kind.acquirer', ({ kind, bank }) => {
  test('after DELETE what is under way is finished, and new payments are refused with a reason', async () => {
    const client = await newMerchant(service)
    const account = await bank.connect(client)
    const { customer, token } = await bank.bind(client, account, 'approves')
    const asking = await bank.bind(client, account, 'asks_on_session')
    const sold = await client.pay((await client.createOrder()).number, token.token)
    const number = (await client.createOrder()).number as string
    const held = await client.pay(number, token.token, { type: 'Authorization' })
    const waiting = (await client.createOrder({ customer_uuid: asking.customer.uuid })).number as string
    const asked = await client.pay(waiting, asking.token.token)
    expect(stateOf(asked.data.transaction)).toBe('requires_action')

    await client.ok('DELETE', `${ACCOUNTS}/${account.id}`)
    const act = (action: string, uuid: string) =>
      client.ok('POST', `${PAYMENTS}/transactions/${action}`, { transaction: { uuid } })
    const captured = await act('capture', held.data.transaction.uuid)
    expect(captured.order).toMatchObject({ state: 'completed', paid_total: '100.00' })
    expect((await act('refund', sold.data.transaction.uuid)).order).toMatchObject({ state: 'refunded' })
    await bank.confirm(asked.data.next_action.url)
    await expect.poll(async () => (await client.checkOrder(waiting)).state, SOON).toBe('completed')

    const next = await client.createOrder({ customer_uuid: customer.uuid })
    const refused = await client.pay(next.number, token.token)
    expect(refused).toMatchObject({ status: 422, data: { error: { reason: 'no_account_for_payment' } } })
    expect(await client.checkOrder(next.number)).toMatchObject({ state: 'open', transactions: [] })
  })

  test('after DELETE a card number goes to the next account, where that may have it', async ({ skip }) => {
    if (!kind.takesStoredNumbers) skip()
    const client = await newMerchant(service)
    const first = await bank.connect(client)
    const second = await bank.connect(client)
    const { uuid } = await client.createCustomer()
    const { token } = await client.bind(uuid, rawCard())
    const pay = async () => {
      const paid = await client.pay((await client.createOrder()).number, token)
      return [paid.status, paid.data.transaction?.payment_data.merchant_id]
    }
    expect(await pay()).toEqual([200, first.merchantId])
    await client.ok('DELETE', `${ACCOUNTS}/${first.id}`)
    expect(await pay()).toEqual([200, second.merchantId])
    await client.ok('DELETE', `${ACCOUNTS}/${second.id}`)
    // A test environment has the simulator left.
    expect((await pay())[0]).toBe(200)
  })

  test('a live environment is 503 without an account, and pays with one that has live credentials', async () => {
    const merchant = await newMerchant(service)
    const live = await liveOf(merchant)
    const order = await live.createOrder()
    expect(await live.pay(order.number, 'pmt_none')).toMatchObject({
      status: 503,
      data: { error: { reason: 'acquirer_not_configured' } },
    })
    const wrong = { status: 422, data: { error: { reason: 'credentials_refused' } } }
    const attempt = (client: Client, mode: 'test' | 'live') =>
      client.call('POST', ACCOUNTS, {
        acquirer_account: {
          acquirer: kind.acquirer,
          name: 'wrong',
          credentials: kind.credentials('wrong', mode),
          api_base: bank.twin.url,
        },
      })
    if (kind.showsMode) {
      expect(await attempt(live, 'test')).toMatchObject(wrong)
      expect(await attempt(merchant, 'live')).toMatchObject(wrong)
    }

    const account = await bank.connect(live, {}, 'live')
    const { customer, token } = await bank.bind(live, account, 'approves')
    const own = await live.createOrder({ customer_uuid: customer.uuid })
    const paid = await live.pay(own.number, token.token)
    expect(paid).toMatchObject({
      status: 200,
      data: {
        order: { state: 'completed' },
        transaction: { payment_data: { acquirer_name: kind.acquirer, merchant_id: account.merchantId } },
      },
    })
    expect(await bank.moved(paid.data.transaction.uuid, 'sale')).toEqual(['100.00'])
    expect((await merchant.ok('GET', ACCOUNTS)).acquirer_accounts).toEqual([])
  })

  // Proves reference/orders#payment-links.
  test('a live link is refused until an account takes the currency of the order, and again after it is disabled', async () => {
    const live = await liveOf(await newMerchant(service))
    const linkIn = async (currency: string) => {
      const { number } = await live.createOrder({ currency })
      const path = `${PAYMENTS}/orders/check?with_payment_link=true`
      const { status, data, message } = await live.call('POST', path, { order: { number } })
      return status === 200 ? new URL(data.payment_link).protocol : `${data.error.reason}: ${message}`
    }
    const none = 'acquirer_not_configured: No acquirer account can take this payment.'
    expect(await linkIn('HKD')).toBe(none)
    const account = await bank.connect(live, { currencies: ['HKD'] }, 'live')
    expect(await linkIn('HKD')).toBe('http:')
    expect(await linkIn('USD')).toBe(
      'acquirer_not_configured: No acquirer account takes payments in USD on a payment page.',
    )
    await live.ok('DELETE', `${ACCOUNTS}/${account.id}`)
    expect(await linkIn('HKD')).toBe(none)
  })
})

function rawCard(): object {
  return {
    token_type: 'CreditCard',
    credit_card: {
      number: '5555555555554444',
      exp_month: '03',
      exp_year: '2030',
      cvc: '737',
      holder_name: 'CHAN TAI MAN',
      billing_currency: 'HKD',
    },
  }
}

function liveOf(merchant: Client): Promise<Client> {
  return liveClient({ ...service, sandbox: merchant.sandbox })
}
