import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import {
  type Acquirer,
  EMPTY_RECORD,
  type NextAction,
  type Outcome,
  type PaymentOffer,
} from '#modules/acquirers'
import { Money } from '#kernel/money'
import { NO_BRANDING } from '#modules/businesses'
import { EventLog } from '#platform/events/events'
import { Links } from '#platform/security/links'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import { customersOf } from '../../../customers/testing/fixture.ts'
import { paymentsOf } from '../../../payments/testing/fixture.ts'
import { submitPayment } from '../../attempts/pay.ts'
import type { CheckoutDependencies } from '../../dependencies.ts'
import { wordsOf } from '../../words/all-words.ts'
import { registerPaymentPages } from './payment-routes.ts'
import { readPaymentView } from './payment-view.ts'

const ORIGIN = 'https://static.acquirer.example'
const SECRET = 'client-secret-of-one-payment'
const WALLETS = { walletA: 'wechat_pay', walletB: 'alipay_hk' } as const
const COMPONENT = {
  acquirer: 'stripe',
  publicKey: '',
  environment: 'test',
  scriptUrl: `${ORIGIN}/component.js`,
  styleUrl: null,
  origins: { 'script-src': [ORIGIN] },
  confirmsInBrowser: true,
} as const

const asked: { action: NextAction; shownAmount: string } = { action: { type: '', url: '' }, shownAmount: '' }
const database = await createTestDatabase()
const { db } = database
const offer: PaymentOffer = {
  methods: new Set(['credit_card', 'wallet_a_pay', 'wallet_b', 'fps']),
  wallets: WALLETS,
  cardAcquirer: 'stripe',
  component: { ...COMPONENT, accountId: 'first' },
}
const branding = { walletNames: {} as Record<string, string> }
const deps = createDependencies()
const app = Fastify()
registerPaymentPages(app, deps, async () => {})
await app.ready()

beforeEach(() => {
  branding.walletNames = {}
  asked.shownAmount = '100.00'
})

function createDependencies() {
  const { keyring } = createTestKeyring()
  const links = new Links(keyring, () => 'http://127.0.0.1:8080')
  const capabilities = {
    closes: new Set<never>(),
    commitsReferences: false,
    multipleCaptures: false,
    voidsCaptured: false,
    needsSecurityCode: true,
  }
  const account = { id: 'first', acquirerName: 'stripe', merchantId: 'm', capabilities, wallets: WALLETS }
  const unexpected = async (): Promise<never> => {
    throw new Error('an unexpected call')
  }
  const outcome = (): Outcome & { kind: 'pending' } => ({
    kind: 'pending',
    ...EMPTY_RECORD,
    gatewayTransactionId: 'int_1',
    nextAction: asked.action,
  })
  const acquirer: Acquirer = {
    name: 'stripe',
    merchantId: 'm',
    capabilities,
    sale: async () => outcome(),
    authorize: unexpected,
    capture: unexpected,
    refund: unexpected,
    void: unexpected,
    verify: unexpected,
    inquire: async () => outcome(),
    closeKey: unexpected,
  }
  const shared = {
    db,
    log: pino({ level: 'silent' }),
    events: new EventLog(),
    links,
    keyring,
    acquirers: {
      router: async () => ({
        first: account,
        account: () => account,
        hasPageFor: () => true,
        takesWallet: () => true,
        route: () => [account],
      }),
      open: async () => acquirer,
      connected: async () => ({
        component: COMPONENT,
        browserPayment: async (reference: string) => {
          return {
            kind: 'ok',
            value: {
              id: reference,
              clientSecret: SECRET,
              amount: Money.ofDecimal('HKD', asked.shownAmount),
            },
          }
        },
      }),
      repeatHolds: unexpected,
      repeatFailures: async () => {},
      laterFailure: unexpected,
      offer: async () => offer,
    },
    businesses: {
      profile: async () => ({
        timeZone: 'Asia/Hong_Kong' as const,
        environment: 'test' as const,
        name: 'Shop',
        code: 'shop',
      }),
      branding: async () => ({ ...NO_BRANDING, walletNames: branding.walletNames }),
    },
    mayReceiveWebhooks: () => true,
  }
  const customers = customersOf(shared as unknown as Parameters<typeof customersOf>[0])
  const payments = paymentsOf({ ...shared, customers })
  return { ...shared, customers, payments } as unknown as CheckoutDependencies & {
    readonly payments: ReturnType<typeof paymentsOf>
  }
}

async function newLink() {
  const { caller, businessId } = await createTestBusiness(database)
  const request = { reference_number: randomUUID(), currency: 'HKD', initial_total: 100 }
  const { order } = await deps.payments.createOrder(caller, request, false)
  const token = deps.links.make({ businessId, purpose: 'payment', id: order.number }).split('/').at(-1) ?? ''
  const get = async (path: string, accept = 'text/html') => {
    const reply = await app.inject({
      url: `/pay/${token}${path}`,
      headers: { accept, 'accept-language': 'en' },
    })
    return {
      status: reply.statusCode,
      body: reply.body,
      policy: String(reply.headers['content-security-policy']),
    }
  }
  const pay = async (method: string, action: NextAction) => {
    asked.action = action
    const view = await readPaymentView(deps, token)
    const form = {
      attempt: randomUUID(),
      amount: '100.00',
      method,
      number: '',
      expiry: '',
      cvc: '',
      name: '',
      save: false,
      account: 'first',
      componentData: '',
      device: 'desktop',
    } as const
    const context = {
      view,
      words: wordsOf('en'),
      returnUrl: 'http://127.0.0.1/back',
      requestId: 'r',
      isProved: false,
    }
    expect(await submitPayment(deps, form, context)).toEqual({ kind: 'recorded' })
  }
  return { get, pay }
}

// Proves reference/pages#card-components, reference/pages#payment-page.
test('a component that confirms a payment gets its secret on the page of that payment only, and the policy with it', async () => {
  const { get, pay } = await newLink()
  const form = await get('')
  expect(form.body).toContain('Apple Pay')
  expect(form.policy).not.toContain(ORIGIN)
  expect(form.body).not.toContain(SECRET)
  await pay('credit_card', { type: 'component_confirmation', url: '' })
  const page = await get('')
  expect(page.body).toContain(SECRET)
  expect(page.body).toContain('int_1')
  expect(page.policy).toContain(`script-src 'self' ${ORIGIN}`)
  const status = await get('/status', 'application/json')
  expect(status.body).not.toContain(SECRET)
  const { loaded_for: loadedFor, ...reply } = JSON.parse(status.body) as { readonly loaded_for: string }
  expect(reply).toMatchObject({ waiting: true, next: null })
  expect(page.body).toContain(`data-loaded-for="${loadedFor}"`)
  expect(form.body).not.toContain(`data-loaded-for="${loadedFor}"`)
})

test('a component is not shown for another amount than the one that was asked for', async () => {
  const { get, pay } = await newLink()
  await pay('credit_card', { type: 'component_confirmation', url: '' })
  asked.shownAmount = '1.00'
  expect((await get('')).body).not.toContain(SECRET)
})

test('a wallet has its real name and mark, or the name of the branding', async () => {
  const { get, pay } = await newLink()
  const form = await get('?lang=zh-Hant')
  for (const name of ['微信支付', 'AlipayHK', '轉數快']) expect(form.body).toContain(name)
  expect((await get('?lang=en')).body).toContain('WeChat Pay')
  branding.walletNames = { wallet_b: 'Tram Wallet' }
  expect((await get('')).body).toContain('Tram Wallet')
  branding.walletNames = {}
  await pay('wallet_b', { type: 'wallet_confirmation', url: '', qrCode: 'https://wallet.example/code' })
  const page = await get('?lang=zh-Hant')
  expect(page.body).toContain('請用 AlipayHK 掃描二維碼')
  expect(page.body).toContain('wallet-mark')
  expect(page.body).not.toContain('https://wallet.example')
  expect((await get('/wallet.svg')).body).toContain('<svg')
})

test('FPS shows a code for the app of a bank, and nothing to open', async () => {
  const { get, pay } = await newLink()
  await pay('fps', { type: 'bank_confirmation', url: '', qrCode: '000201010212' })
  const page = await get('')
  expect(page.body).toContain('Scan the code with the app of your bank')
  expect(page.body).not.toContain('class="button" href=""')
})

test('a bank that takes its payer by POST gets a form, and only that page may send one there', async () => {
  const { get, pay } = await newLink()
  expect((await get('')).policy).toContain("form-action 'self';")
  const url = 'https://bank.example/acs?step=1'
  await pay('credit_card', { type: 'three_d_secure', url, form: { creq: 'a"b' } })
  const page = await get('')
  expect(page.policy).toContain("form-action 'self' https://bank.example")
  expect(page.body).toContain('name="creq" value="a&quot;b"')
  expect(JSON.parse((await get('/status', 'application/json')).body)).toMatchObject({ next: null })
})
