import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUp } from '#platform/testing/clean-up'
import { startTwinServer, type TwinServer } from '../../twins/common/server.ts'
import { openStripeTwin } from '../../twins/stripe/stripe-twin.ts'
import { type ApiReply, type Client, PAYMENTS } from './client.ts'

export const WEBHOOK_SECRET = 'whsec_twin'

/** A twin of Stripe in this process, closed after the test file. */
export async function startStripeTwin(): Promise<TwinServer> {
  const dir = await mkdtemp(join(tmpdir(), 'quittance-twin-'))
  const twin = await startTwinServer(openStripeTwin, { port: 0, dir })
  cleanUp(async () => {
    await twin.close()
    await rm(dir, { recursive: true })
  })
  return twin
}

export async function connectStripe(
  merchant: Client,
  apiBase: string,
  members: Record<string, unknown> = {},
): Promise<ApiReply['data']> {
  const { acquirer_account } = await merchant.ok('POST', '/svc/account/api/v1/openapi/acquirer_accounts', {
    acquirer_account: {
      acquirer: 'stripe',
      name: 'Stripe',
      credentials: {
        secret_key: 'sk_test_shop',
        publishable_key: 'pk_test_shop',
        webhook_secret: WEBHOOK_SECRET,
      },
      api_base: apiBase,
      ...members,
    },
  })
  return acquirer_account
}

/** Pays a new order with a card of the twin. */
export async function payAtStripe(
  merchant: Client,
  accountId: string,
  card: string,
): Promise<{ number: string; uuid: string }> {
  const customer = await merchant.createCustomer({ email: 'tai.man@example.com' })
  const { payment_token } = await merchant.ok(
    'POST',
    `${PAYMENTS}/customers/${customer.uuid}/payment_tokens`,
    {
      payment_token: {
        token_type: 'CreditCard',
        acquirer_token: { acquirer_account_id: accountId, id: card },
      },
    },
  )
  const { number } = await merchant.createOrder()
  const paid = await merchant.pay(number, payment_token.token)
  if (paid.status !== 200) throw new Error(`the payment returned ${paid.status}: ${paid.message}`)
  return { number, uuid: paid.data.transaction.uuid }
}
