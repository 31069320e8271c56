import { describe, expect, test } from 'vitest'
import { PAYMENTS } from '../harness/client.ts'
import { startScenario } from '../harness/scenario.ts'
import { ACCOUNTS, KINDS, newMerchant, openShop } from '../harness/twins.ts'

const { service } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })
const shops = await Promise.all(KINDS.map((kind) => openShop(kind, service)))

// Proves reference/customers#binding, reference/customers#token-states, reference/customers#default-token.
describe.each(shops)('binding at the twin of $kind.acquirer', ({ kind, client, twin, account, bank }) => {
  const tokensOf = (customerUuid: string) => `${PAYMENTS}/customers/${customerUuid}/payment_tokens`

  test('brand, digits and expiry of a token are read from the acquirer, and the first is the default', async () => {
    const { customer, token } = await bank.bind(client, account, 'approves')
    const { expiry, number } = kind.bound
    expect(token).toMatchObject({
      state: 'active',
      default: true,
      verify_url: null,
      acquirer_account_id: account.id,
      credit_card: { brand: 'visa', exp_month: expiry[0], exp_year: expiry[1] },
    })
    expect(token.credit_card.number).toMatch(number)
    const second = await kind.instrument(twin.url, account, customer.uuid, 'asks_on_session')
    expect(await client.bind(customer.uuid, second)).toMatchObject({ state: 'active', default: false })
    expect(await twin.books()).toEqual([])
  })

  test('a card that the acquirer declines is a failed token with the reason, and is never the default', async () => {
    const { customer, token } = await bank.bind(client, account, 'refuses_binding')
    expect(token).toMatchObject({ state: 'failed', default: false, error_code: 'card_declined' })
    expect(token.error_msg).not.toBe('')
    const good = await kind.instrument(twin.url, account, customer.uuid, 'approves')
    expect(await client.bind(customer.uuid, good)).toMatchObject({ state: 'active', default: true })
  })

  test('a published test card of an acquirer is taken where its account verifies it', async () => {
    const customer = await client.createCustomer()
    const card = {
      number: '4646464646464644',
      exp_month: '03',
      exp_year: '2030',
      cvc: '737',
      holder_name: 'Chan Tai Man',
      billing_currency: 'HKD',
    }
    const body = { payment_token: { token_type: 'CreditCard', credit_card: card } }
    const reply = await client.call('POST', tokensOf(customer.uuid), body)
    if (kind.acquirer === 'adyen') {
      expect(reply.data.payment_token).toMatchObject({
        state: 'active',
        credit_card: { number: '464646******4644' },
      })
    } else if (kind.acquirer === 'airwallex') {
      expect(reply.data.payment_token).toMatchObject({ state: 'failed', error_code: 'card_declined' })
    } else expect(reply).toMatchObject({ status: 422, data: { error: { reason: 'test_card_required' } } })
  })

  test.each([
    { isApproved: true, state: 'active' },
    { isApproved: false, state: 'failed' },
  ])('3-D Secure at binding is done by the verification link: $state', async ({ isApproved, state }) => {
    const { customer, token } = await bank.bind(client, account, 'asks_at_binding')
    expect(token).toMatchObject({ state: 'pending', default: false })
    await bank.followVerification(token.verify_url, isApproved)
    const tokens = async () => (await client.ok('GET', tokensOf(customer.uuid))).payment_tokens
    await expect.poll(async () => (await tokens())[0].state).toBe(state)
    const [bound] = await tokens()
    expect(bound).toMatchObject({ verify_url: null, default: isApproved })
    if (!isApproved) return expect(bound.error_code).toBe('authentication_failed')
    const order = await client.createOrder({ customer_uuid: customer.uuid })
    expect((await client.pay(order.number, bound.token)).status).toBe(200)
  })

  test('a token of another customer and an unknown one are refused, and the same token twice is 409', async () => {
    const owner = await client.createCustomer()
    const other = await client.createCustomer()
    const instrument = await kind.instrument(twin.url, account, owner.uuid, 'approves')
    expect(await client.bind(owner.uuid, instrument)).toMatchObject({ state: 'active' })
    const again = await client.call('POST', tokensOf(owner.uuid), { payment_token: instrument })
    expect(again).toMatchObject({ status: 409, data: { error: { reason: 'acquirer_token_taken' } } })
    const foreign = await client.call('POST', tokensOf(other.uuid), { payment_token: instrument })
    expect(foreign.status).toBe(409)

    const unbound = await kind.instrument(twin.url, account, owner.uuid, 'soft_decline')
    if (kind.acquirer !== 'stripe')
      expect(await client.bind(other.uuid, unbound)).toMatchObject({ state: 'failed' })
    const unknown = {
      ...instrument,
      acquirer_token: { acquirer_account_id: account.id, id: kind.bound.unknownToken },
    }
    expect(await client.bind(owner.uuid, unknown)).toMatchObject({ state: 'failed', default: false })
  })

  test('unknown, foreign and disabled accounts are 404', async () => {
    const merchant = await newMerchant(service)
    const disabled = await bank.connect(merchant)
    await merchant.ok('DELETE', `${ACCOUNTS}/${disabled.id}`)
    const customer = await merchant.createCustomer()
    const ids = { unknown: 'acc_none', foreign: account.id, simulator: 'simulator', disabled: disabled.id }
    for (const [name, accountId] of Object.entries(ids)) {
      const reply = await merchant.call('POST', tokensOf(customer.uuid), {
        payment_token: {
          token_type: 'CreditCard',
          acquirer_token: { acquirer_account_id: accountId, id: 'pm_card_visa' },
        },
      })
      expect([name, reply]).toMatchObject([
        name,
        {
          status: 404,
          data: {
            error: {
              reason: 'acquirer_account_not_found',
              param: 'payment_token.acquirer_token.acquirer_account_id',
            },
          },
        },
      ])
    }
  })
})
