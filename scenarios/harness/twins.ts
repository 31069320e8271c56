import { rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { cleanUp } from '#platform/testing/clean-up'
import type { Movement } from '../../twins/common/books.ts'
import { startTwin, type TwinProcess } from '../../twins/common/twin-process.ts'
import { CheckingClient } from './checking-client.ts'
import { type ApiReply, type Client, PAYMENTS } from './client.ts'
import { createBusiness } from './command-line.ts'
import type { Service } from './service.ts'
import { ADYEN } from './twin-of-adyen.ts'
import { AIRWALLEX } from './twin-of-airwallex.ts'
import { STRIPE } from './twin-of-stripe.ts'
import type { Behavior, ConnectedAccount, TwinKind } from './twin-kind.ts'

export const ACCOUNTS = '/svc/account/api/v1/openapi/acquirer_accounts'
export const ROUTING = '/svc/account/api/v1/openapi/routing'

export const KINDS: readonly TwinKind[] = [STRIPE, ADYEN, AIRWALLEX]

/** A business with one account at a twin of its own. */
export interface Shop {
  readonly kind: TwinKind
  readonly client: Client
  readonly twin: TwinProcess
  readonly account: ConnectedAccount
  readonly bank: TwinBank
}

/** Starts a twin that is stopped after the test file, and opens a business whose only account is there. */
export async function openShop(kind: TwinKind, service: Service): Promise<Shop> {
  const bank = await startBank(kind)
  const client = await newMerchant(service)
  const account = await bank.connect(client)
  return { kind, client, twin: bank.twin, account, bank }
}

export async function newMerchant(service: Service): Promise<Client> {
  const sandbox = await createBusiness(service)
  return new CheckingClient({ ...sandbox, base_url: service.sandbox.base_url })
}

type TwinBank = Awaited<ReturnType<typeof startBank>>

/** The twin of one acquirer, as a process of its own, and what a merchant and a payer do there. */
export async function startBank(kind: TwinKind) {
  let twin = await startTwin(kind.acquirer)
  let accounts = 0
  cleanUp(async () => {
    await twin.stop()
    await rm(twin.dir, { recursive: true, force: true })
  })

  async function connect(
    merchant: Client,
    members: Record<string, unknown> = {},
    mode: 'test' | 'live' = 'test',
  ): Promise<ConnectedAccount> {
    accounts += 1
    const name = `shop${accounts}`
    const credentials = kind.credentials(name, mode)
    const { acquirer_account: account } = await merchant.ok('POST', ACCOUNTS, {
      acquirer_account: {
        acquirer: kind.acquirer,
        name,
        credentials,
        api_base: twin.url,
        raw_card_numbers: true,
        ...members,
      },
    })
    const { id, merchant_id: merchantId, webhook_url: webhookUrl } = account
    const connected = { id, name, merchantId, webhookUrl, credentials }
    await sendNotices(connected, {})
    return connected
  }

  /** The twin sends notices of what happens to the account's `webhook_url`. */
  async function sendNotices(
    account: ConnectedAccount,
    settings: { delay_ms?: number; repeat?: number; shuffle?: boolean; secret?: string; url?: string },
  ): Promise<void> {
    await twin.setNotices({
      account: kind.noticeAccount(account.merchantId),
      url: account.webhookUrl,
      secret: kind.noticeSecret,
      ...settings,
    })
  }

  async function bind(
    merchant: Client,
    account: ConnectedAccount,
    behavior: Behavior,
    members: Record<string, unknown> = {},
  ): Promise<{ customer: { uuid: string }; token: ApiReply['data'] }> {
    const customer = await merchant.createCustomer({ email: 'tai.man@example.com' })
    const instrument = await kind.instrument(twin.url, account, customer.uuid, behavior)
    const token = await merchant.bind(customer.uuid, { ...instrument, ...members })
    if (token.state === 'pending' && behavior === 'asks_always') {
      await followVerification(token.verify_url, true)
      return { customer, token: await verified(merchant, customer.uuid) }
    }
    return { customer, token }
  }

  async function verified(merchant: Client, customerUuid: string): Promise<ApiReply['data']> {
    const path = `${PAYMENTS}/customers/${customerUuid}/payment_tokens`
    for (const deadline = Date.now() + 30_000; ; await setTimeout(200)) {
      const [token] = (await merchant.ok('GET', path)).payment_tokens
      if (token.state !== 'pending' || Date.now() > deadline) return token
    }
  }

  /** Does what the payer does at the page of 3-D Secure, and returns where the payer is sent afterwards. */
  async function answerChallenge(url: string, isApproved: boolean): Promise<string> {
    const page = await fetch(url)
    if (page.status !== 200) throw new Error(`the page of the twin is ${page.status}`)
    const answer = await fetch(new URL(url), {
      method: 'POST',
      body: new URLSearchParams(kind.challengeForm(new URL(url), isApproved)),
      redirect: 'manual',
    })
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`the twin sent the payer nowhere: ${answer.status}`)
    return location
  }

  return {
    get twin() {
      return twin
    },
    connect,
    sendNotices,
    bind,
    answerChallenge,
    /** Confirms as the payer does, and comes back to the page that asked. */
    confirm: async (url: string, isApproved = true) => visit(await answerChallenge(url, isApproved)),
    followVerification,
    /** Counts the movements of money with this outcome that one of our transactions has in the books. */
    moved: async (
      uuid: string,
      operation: Movement['operation'],
      outcome: Movement['outcome'] = 'approved',
    ) => {
      const books = await twin.books()
      const isSale = (line: Movement) =>
        (line.key === uuid && line.operation === 'sale') || line.key === `${uuid}:capture`
      const isOf = (line: Movement) =>
        operation === 'sale' ? isSale(line) : line.key === uuid && line.operation === operation
      return books.filter((line) => isOf(line) && line.outcome === outcome).map(({ amount }) => amount)
    },
    kill: () => twin.stop('SIGKILL'),
    /** Starts the twin again with its books, at its address. */
    restart: async () => {
      twin = await startTwin(kind.acquirer, { dir: twin.dir, port: twin.port })
    },
  }

  /** Follows the `verify_url` of a binding to the acquirer's page and back. */
  async function followVerification(verifyUrl: string, isApproved: boolean): Promise<void> {
    const page = await visit(verifyUrl)
    const links = [...page.matchAll(/href="(http[^"]+)"/g)].map(([, link = '']) =>
      link.replaceAll('&amp;', '&'),
    )
    const url = links.find((link) => link.startsWith(twin.url))
    if (url === undefined) throw new Error('the verification page leads nowhere')
    await visit(await answerChallenge(url, isApproved))
  }
}

/** Opens a page as a browser does, redirects included. */
async function visit(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: 'text/html' } })
  return response.text()
}

export function stateOf(transaction: ApiReply['data']): string {
  return transaction.payment_data.transaction_state as string
}
