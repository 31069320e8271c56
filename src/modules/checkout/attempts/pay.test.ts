import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Acquirer, Outcome, PaymentOffer, VerifiedInstrument } from '#modules/acquirers'
import { NO_BRANDING } from '#modules/businesses'
import { EventLog } from '#platform/events/events'
import { Links } from '#platform/security/links'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { eventTypesOf } from '#platform/testing/events'
import { createTestKeyring } from '#platform/testing/keyring'
import { customersOf, newCustomer } from '../../customers/testing/fixture.ts'
import { paymentsOf } from '../../payments/testing/fixture.ts'
import type { CheckoutDependencies } from '../dependencies.ts'
import { readPaymentView } from '../pages/payment/payment-view.ts'
import { NO_WALLETS, wordsOf } from '../words/all-words.ts'
import { submitPayment } from './pay.ts'

type ChargeRequest = Parameters<Acquirer['sale']>[0]

const RECORD = {
  gatewayTransactionId: 'pi_1',
  rrn: '',
  authCode: '',
  batchNumber: '',
  responseCode: '',
  responseMessage: '',
}
const INSTRUMENT: VerifiedInstrument = {
  id: 'pm_saved',
  payerReference: 'cus_1',
  brand: 'visa',
  first6: null,
  last4: '4242',
  expMonth: 12,
  expYear: 2049,
  holderName: 'CHAN TAI MAN',
  country: 'HK',
}
const COMPONENT_OFFER: PaymentOffer = {
  methods: new Set(['credit_card']),
  wallets: NO_WALLETS,
  cardAcquirer: 'stripe',
  component: {
    accountId: 'first',
    acquirer: 'stripe',
    publicKey: 'pk_test_1',
    environment: 'test',
    scriptUrl: 'https://js.acquirer.invalid/',
    styleUrl: null,
    origins: {},
    confirmsInBrowser: false,
  },
}
const OWN_FORM_OFFER: PaymentOffer = {
  methods: new Set(['credit_card']),
  wallets: NO_WALLETS,
  cardAcquirer: 'simulator',
  component: null,
}

const database = await createTestDatabase()
const { db } = database
const sales: (ChargeRequest & { readonly account: string })[] = []
let outcomeOf: (account: string, request: ChargeRequest) => Outcome & { instrument?: VerifiedInstrument }
let offered = COMPONENT_OFFER
const deps = createDependencies()

function createDependencies() {
  const { keyring } = createTestKeyring()
  const links = new Links(keyring, () => 'http://127.0.0.1:8080')
  const capabilities = {
    closes: new Set<never>(),
    commitsReferences: false,
    multipleCaptures: false,
    voidsCaptured: false,
    needsSecurityCode: false,
  }
  const account = (id: string) => ({ id, acquirerName: 'stripe', merchantId: 'm', capabilities })
  const open = (id: string): Acquirer => ({
    name: 'stripe',
    merchantId: 'm',
    capabilities,
    sale: async (request) => {
      sales.push({ ...request, account: id })
      return outcomeOf(id, request)
    },
    authorize: unexpected,
    capture: unexpected,
    refund: unexpected,
    void: unexpected,
    verify: unexpected,
    inquire: unexpected,
    closeKey: unexpected,
  })
  const shared = {
    db,
    log: pino({ level: 'silent' }),
    events: new EventLog(),
    links,
    keyring,
    acquirers: {
      router: async () => ({
        first: account('first'),
        account,
        hasPageFor: () => true,
        takesWallet: () => true,
        route: ({ instrument }: { readonly instrument: string }) =>
          instrument === 'bound' ? [account('first')] : [account('first'), account('second')],
      }),
      open: async (_businessId: string, id: string) => open(id),
      connected: unexpected,
      repeatHolds: unexpected,
      repeatFailures: async () => {},
      laterFailure: unexpected,
      offer: async () => offered,
    },
    businesses: {
      profile: async () => ({
        timeZone: 'Asia/Hong_Kong' as const,
        environment: 'test' as const,
        name: 'Shop',
        code: 'shop',
      }),
      branding: async () => NO_BRANDING,
    },
    mayReceiveWebhooks: () => true,
  }
  const customers = customersOf(shared)
  const payments = paymentsOf({ ...shared, customers })
  return { ...shared, customers, payments } as unknown as CheckoutDependencies & {
    readonly customers: ReturnType<typeof customersOf>
    readonly payments: ReturnType<typeof paymentsOf>
  }
}

async function unexpected(): Promise<never> {
  throw new Error('an unexpected call')
}

async function pay(form: Record<string, unknown> = {}) {
  sales.length = 0
  const { caller, businessId } = await createTestBusiness(database)
  const { uuid } = await newCustomer(deps, caller)
  const { order } = await deps.payments.createOrder(
    caller,
    {
      reference_number: randomUUID(),
      currency: 'HKD',
      initial_total: 100,
      customer_uuid: uuid,
    },
    false,
  )
  const token = deps.links.make({ businessId, purpose: 'payment', id: order.number }).split('/').at(-1) ?? ''
  const view = await readPaymentView(deps, token)
  const result = await submitPayment(
    deps,
    {
      attempt: randomUUID(),
      amount: '100.00',
      method: 'credit_card',
      number: '',
      expiry: '',
      cvc: '',
      name: '',
      save: true,
      account: 'first',
      componentData: 'pm_1',
      device: 'desktop',
      ...form,
    },
    {
      view,
      words: wordsOf('en'),
      returnUrl: 'http://127.0.0.1:8080/back',
      requestId: 'r',
      isProved: false,
    },
  )
  const after = await readPaymentView(deps, token)
  const tokens = await db.transact(businessId, (tx) => deps.customers.listCards(tx, uuid))
  return { result, after, tokens, businessId, customerUuid: uuid }
}

// Proves reference/pages#card-components, reference/acquirers#fallbacks.
test('a saved card of a component is an active token of its account, without a second verification', async () => {
  offered = COMPONENT_OFFER
  outcomeOf = () => ({ kind: 'approved', ...RECORD, instrument: INSTRUMENT })
  const { result, after, tokens, businessId, customerUuid } = await pay({ name: 'CHAN TAI MAN' })
  expect(result).toEqual({ kind: 'recorded' })
  expect(after.state.kind).toBe('paid')
  expect(sales).toMatchObject([
    {
      account: 'first',
      instrument: { type: 'component', data: 'pm_1' },
      payerPresent: true,
      returnUrl: 'http://127.0.0.1:8080/back',
      savePayer: { customerUuid, reference: null, name: 'Ada', email: '' },
    },
  ])
  expect(after.transactions).toMatchObject([{ paymentMethod: 'credit_card', acquirerAccountId: 'first' }])
  expect(tokens).toMatchObject([
    {
      state: 'active',
      isDefault: true,
      acquirerAccountId: 'first',
      acquirerToken: 'pm_saved',
      payerReference: 'cus_1',
      last4: '4242',
      sealed: null,
      billingCurrency: 'HKD',
    },
  ])
  expect(await eventTypesOf(db, businessId, tokens[0]?.token ?? '')).toEqual(['payment_token.active'])
  const again = { customerUuid, accountId: 'first', instrument: INSTRUMENT, billingCurrency: 'HKD' }
  expect(await deps.customers.addVerifiedToken(businessId, again)).toBeNull()
})

test.each([
  ['not ticked', { save: false }, { kind: 'approved', ...RECORD }],
  ['declined', {}, { kind: 'declined', hard: true, ...RECORD }],
  [
    'to be confirmed',
    {},
    { kind: 'pending', ...RECORD, nextAction: { type: '3ds', url: 'https://bank.example/' } },
  ],
] as const)('a card is not saved when that is %s', async (_case, form, outcome) => {
  offered = COMPONENT_OFFER
  outcomeOf = () => ({ ...outcome })
  const { result, tokens } = await pay(form)
  expect(result).toEqual({ kind: 'recorded' })
  expect('savePayer' in (sales[0] ?? {})).toBe(!('save' in form))
  expect(tokens).toEqual([])
})

test('a customer with 100 tokens keeps the payment and gets no token', async () => {
  offered = COMPONENT_OFFER
  outcomeOf = () => ({ kind: 'approved', ...RECORD, instrument: INSTRUMENT })
  const { businessId, customerUuid } = await pay({ save: false })
  const add = (index: number) =>
    deps.customers.addVerifiedToken(businessId, {
      customerUuid,
      accountId: 'first',
      instrument: { ...INSTRUMENT, id: `pm_${index}` },
      billingCurrency: 'HKD',
    })
  for (let index = 0; index < 100; index++) await add(index)
  await expect(add(100)).rejects.toMatchObject({ reason: 'too_many_payment_tokens' })
  const tokens = await db.transact(businessId, (tx) => deps.customers.listCards(tx, customerUuid))
  expect(tokens.filter(({ isDefault }) => isDefault)).toMatchObject([{ acquirerToken: 'pm_0' }])
})

test('after a soft decline the next account is tried at once, within the same attempt', async () => {
  offered = OWN_FORM_OFFER
  outcomeOf = (account) =>
    account === 'first' ? { kind: 'declined', hard: false, ...RECORD } : { kind: 'approved', ...RECORD }
  const { result, after } = await pay({
    account: '',
    componentData: '',
    number: '4242424242424242',
    expiry: '12/49',
    cvc: '123',
    name: 'CHAN TAI MAN',
    save: false,
  })
  expect(result).toEqual({ kind: 'recorded' })
  expect(after.state.kind).toBe('paid')
  expect(sales.map(({ account }) => account)).toEqual(['first', 'second'])
  expect(after.transactions).toMatchObject([{ state: 'failed' }, { state: 'succeeded' }])
})

test('what the page does not offer now reaches no acquirer', async () => {
  outcomeOf = unexpected as never
  offered = { methods: new Set(['wallet_b']), wallets: NO_WALLETS, cardAcquirer: '', component: null }
  expect((await pay()).result).toMatchObject({
    kind: 'invalid',
    problems: { method: wordsOf('en').problems.methodMissing },
  })
  offered = COMPONENT_OFFER
  expect((await pay({ account: 'second' })).result).toMatchObject({
    problems: { account: wordsOf('en').problems.cardFormChanged },
  })
  expect((await pay({ componentData: 'x' })).result).toMatchObject({
    problems: { component: wordsOf('en').problems.cardMissing },
  })
  offered = OWN_FORM_OFFER
  expect((await pay()).result).toMatchObject({
    problems: { account: wordsOf('en').problems.cardFormChanged },
  })
  expect(sales).toEqual([])
})
