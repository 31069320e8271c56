import pg from 'pg'
import { expect, test } from 'vitest'
import { PAYMENTS } from './harness/client.ts'
import { liveClient } from './harness/command-line.ts'
import { startScenario } from './harness/scenario.ts'
import { connectStripe, startStripeTwin, WEBHOOK_SECRET } from './harness/stripe-twin.ts'

const twin = await startStripeTwin()
const { client, service, databaseUrl } = await startScenario({
  env: { ALLOW_PRIVATE_WEBHOOKS: '1', LOG_LEVEL: 'debug' },
})

const ACCOUNTS = '/svc/account/api/v1/openapi/acquirer_accounts'
const ROUTING = '/svc/account/api/v1/openapi/routing'

async function storedNotices(accountId: string): Promise<{ type: string; is_handled: boolean }[]> {
  const admin = new pg.Client({ connectionString: databaseUrl })
  await admin.connect()
  try {
    const { rows } = await admin.query<{ type: string; is_handled: boolean }>(
      'select type, due_at is null as is_handled from acquirer_notices where account_id = $1',
      [accountId],
    )
    return rows
  } finally {
    await admin.end()
  }
}

async function bindToken(accountId: string): Promise<string> {
  const customer = await client.createCustomer({ email: 'tai.man@example.com' })
  const { payment_token } = await client.ok('POST', `${PAYMENTS}/customers/${customer.uuid}/payment_tokens`, {
    payment_token: {
      token_type: 'CreditCard',
      acquirer_token: { acquirer_account_id: accountId, id: 'pm_card_visa' },
    },
  })
  expect(payment_token.state).toBe('active')
  return payment_token.token
}

// Proves reference/acquirers#accounts, reference/acquirers#notices.
test('a token is charged at the connected account, and the notices of Stripe are stored and handled', async () => {
  const account = await connectStripe(client, twin.url)
  const control = await fetch(`${twin.url}/_twin/notices`, {
    method: 'PUT',
    body: JSON.stringify({ url: account.webhook_url, secret: WEBHOOK_SECRET, repeat: 2 }),
  })
  expect(control.status).toBe(200)
  const token = await bindToken(account.id)
  const order = await client.createOrder()
  const paid = await client.pay(order.number, token)
  expect([paid.status, paid.data.transaction]).toMatchObject([
    200,
    { success: true, payment_data: { acquirer_name: 'stripe' } },
  ])
  await expect
    .poll(
      async () => {
        const notices = await storedNotices(account.id)
        return (
          notices.some(({ type }) => type === 'payment_intent.succeeded') &&
          notices.every((n) => n.is_handled)
        )
      },
      { timeout: 60_000 },
    )
    .toBe(true)
  const types = (await storedNotices(account.id)).map(({ type }) => type)
  expect(types.filter((type) => type === 'payment_intent.succeeded')).toHaveLength(1)

  await client.ok('DELETE', `${ACCOUNTS}/${account.id}`)
  const refunded = await client.call('POST', `${PAYMENTS}/transactions/refund`, {
    transaction: { uuid: paid.data.transaction.uuid },
  })
  expect([refunded.status, refunded.data.transaction?.success]).toEqual([200, true])
  const next = await client.createOrder()
  expect((await client.pay(next.number, token)).status).not.toBe(200)
})

test('keys that Stripe refuses are 422, and a live environment takes live keys only', async () => {
  const refused = { secret_key: 'sk_test_refused', publishable_key: 'pk_test_x', webhook_secret: 'whsec_x' }
  const body = (credentials: object) => ({
    acquirer_account: { acquirer: 'stripe', name: 'S', credentials, api_base: twin.url },
  })
  const answer = {
    data: { error: { reason: 'credentials_refused', param: 'acquirer_account.credentials.secret_key' } },
  }
  expect(await client.call('POST', ACCOUNTS, body(refused))).toMatchObject({ status: 422, ...answer })
  const live = await liveClient(service)
  const testKeys = { ...refused, secret_key: 'sk_test_shop' }
  expect(await live.call('POST', ACCOUNTS, body(testKeys))).toMatchObject({ status: 422, ...answer })
})

// Proves reference/acquirers#routing.
test('rules choose between the account and the simulator', async () => {
  const account = await connectStripe(client, twin.url, { raw_card_numbers: true })
  await client.ok('PUT', ROUTING, {
    routing: { rules: [{ when: { min_amount: 500 }, accounts: [{ id: 'simulator' }] }] },
  })
  const preview = (amount: number) => client.ok('POST', `${ROUTING}/preview`, { amount, currency: 'HKD' })
  expect(await preview(500)).toMatchObject({ rule: 0, account: 'simulator' })
  expect(await preview(499)).toMatchObject({ rule: null, account: account.id })
})

// Proves reference/acquirers#credentials.
test('the log of the service holds no credential', async () => {
  for (const secret of ['sk_test_shop', 'sk_test_refused', WEBHOOK_SECRET]) {
    expect(service.output()).not.toContain(secret)
  }
})
