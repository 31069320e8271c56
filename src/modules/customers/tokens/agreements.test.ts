import { beforeEach, expect, test } from 'vitest'
import { type Acquirer, EMPTY_RECORD, type VerifyOutcome } from '#modules/acquirers'
import { Links } from '#platform/security/links'
import { EventLog } from '#platform/events/events'
import { advance } from '#platform/testing/clock'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { eventTypesOf } from '#platform/testing/events'
import { createTestKeyring } from '#platform/testing/keyring'
import { createTestAcquirer, simulatedAcquirers } from '../../acquirers/testing/acquirer.ts'
import { verifyCustomers } from '../audit/verify.ts'
import { customersOf, newCustomer } from '../testing/fixture.ts'

const CONSENT = 'cst_1'
const database = await createTestDatabase()
const { acquirer: simulator } = await createTestAcquirer({ silenceMs: 3_000 })
const wallet: {
  answer: 'asked' | 'agreed' | 'declined' | 'closed'
  isEnded: boolean
  ends: string[]
  unavailable: number
  isNotOpened: boolean
} = { answer: 'asked', isEnded: false, ends: [], unavailable: 0, isNotOpened: false }

const INSTRUMENT = {
  id: CONSENT,
  payerReference: 'cus_1',
  brand: null,
  first6: null,
  last4: null,
  expMonth: null,
  expYear: null,
  holderName: null,
  country: null,
  wallet: { name: 'alipay_hk', account: '20881*****12' },
} as const

const asked = {
  type: 'wallet_confirmation',
  url: 'https://wallet.example/agree',
  qrCode: 'https://code.example',
}

function outcome(): Exclude<VerifyOutcome, { kind: 'refused' }> {
  switch (wallet.answer) {
    case 'agreed':
      return { kind: 'approved', ...EMPTY_RECORD, instrument: INSTRUMENT }
    case 'declined':
      return { kind: 'declined', hard: true, reason: 'wallet_agreement_declined', ...EMPTY_RECORD }
    case 'asked':
    case 'closed':
      return { kind: 'pending', ...EMPTY_RECORD, nextAction: asked }
  }
}

const acquirer: Acquirer = {
  ...simulator,
  verify: async ({ commitReference, instrument }) => {
    expect(instrument).toEqual({ type: 'wallet_b', autoDebit: true })
    await commitReference(CONSENT)
    return outcome()
  },
  inquire: async () => outcome(),
  closeKey: async () => ({ kind: 'absent', closed: true }),
  agreements: {
    read: async () => ({ kind: 'ok', value: wallet.isEnded ? 'ended' : 'active' }),
    end: async (id, key) => {
      wallet.ends.push(`${id} ${key}`)
      return wallet.unavailable-- > 0
        ? { kind: 'unavailable', message: 'HTTP 503' }
        : { kind: 'ok', value: 'ended' }
    },
  },
}
const account = {
  id: 'acc_1',
  acquirerName: 'airwallex',
  merchantId: 'acct_1',
  capabilities: simulator.capabilities,
  wallets: { walletA: null, walletB: 'alipay_hk' },
} as const
const { keyring } = createTestKeyring()
const links = new Links(keyring, () => 'http://127.0.0.1:8080')
const customers = customersOf({
  db: database.db,
  events: new EventLog(),
  keyring,
  links,
  businesses: { profile: async () => ({ timeZone: 'Asia/Hong_Kong', environment: 'test' }) },
  acquirers: {
    ...simulatedAcquirers(() => acquirer),
    router: async () => ({
      first: account,
      account: (id) => (id === account.id ? account : null),
      hasPageFor: () => true,
      takesWallet: () => true,
      route: () => [account],
    }),
    open: async () => acquirer,
    connected: async () =>
      ({
        ...acquirer,
        takesAgreements: async () => ({ kind: 'ok', value: !wallet.isNotOpened }),
      }) as never,
  },
})

beforeEach(() => {
  Object.assign(wallet, { answer: 'asked', isEnded: false, ends: [], unavailable: 0, isNotOpened: false })
})

async function agreement(more: object = {}) {
  const { caller, businessId } = await createTestBusiness(database)
  const { uuid } = await newCustomer({ customers }, caller)
  const bound = await customers.bind(caller, uuid, { token_type: 'WalletBAutoDebit', ...more })
  const { token } = bound.payment_token
  const advanceBy = (by: Temporal.DurationLike) => advance(database.db, customers.jobs, businessId, by)
  const stored = async () =>
    (await database.db.transact(businessId, (tx) => customers.findTokens(tx, [token]))).get(token)
  return { caller, businessId, uuid, token, bound: bound.payment_token, advanceBy, stored }
}

async function active() {
  wallet.answer = 'agreed'
  return agreement()
}

async function notice(businessId: string) {
  const subject = { kind: 'instrument', reference: CONSENT, key: null } as const
  await database.db.transact(businessId, (tx) =>
    customers.handleNotice(tx, { accountId: account.id, subject }),
  )
}

const events = (businessId: string, token: string) => eventTypesOf(database.db, businessId, token)
const breaches = (businessId: string) => Array.fromAsync(verifyCustomers(database.db)(businessId))

// Proves reference/customers#agreements.
test('an agreement is pending on our page until the payer has agreed, and then shows its wallet', async () => {
  const { bound, businessId, caller, uuid, advanceBy, stored } = await agreement({
    acquirer_account_id: 'acc_1',
  })
  expect(bound).toMatchObject({
    state: 'pending',
    token_type: 'WalletBAutoDebit',
    verify_url: links.make({ businessId, purpose: 'verification', id: bound.verify_uuid }),
  })
  expect(await stored()).toMatchObject({
    nextActionUrl: 'https://wallet.example/agree',
    nextAction: { type: 'wallet_confirmation', qrCode: 'https://code.example' },
  })
  wallet.answer = 'agreed'
  await advanceBy({ seconds: 2 })
  const { payment_tokens: tokens } = await customers.tokens(caller, uuid, undefined)
  expect(tokens).toMatchObject([
    {
      state: 'active',
      default: true,
      verify_url: null,
      wallet: { name: 'alipay_hk', account: '20881*****12' },
      acquirer_account_id: 'acc_1',
    },
  ])
  const token = await stored()
  if (token === undefined) throw new Error('it is gone')
  expect(customers.openInstrument(token, 'acc_1')).toEqual({
    type: 'acquirer_token',
    id: CONSENT,
    payerReference: 'cus_1',
  })
})

test.each([
  ['declined', { seconds: 2 }, 'wallet_agreement_declined'],
  ['closed', { hours: 25 }, 'wallet_agreement_expired'],
] as const)('an agreement that was %s is failed', async (answer, by, code) => {
  const { caller, uuid, advanceBy } = await agreement()
  wallet.answer = answer
  await advanceBy(by)
  const { payment_tokens: tokens } = await customers.tokens(caller, uuid, undefined)
  expect(tokens).toMatchObject([{ state: 'failed', error_code: code }])
})

test('an agreement that its payer ended deletes the token once the acquirer says so, whatever a notice says', async () => {
  const { businessId, token, advanceBy, stored, caller, uuid } = await active()
  await notice(businessId)
  await advanceBy({ seconds: 2 })
  expect(await stored()).toMatchObject({ state: 'active' })
  wallet.isEnded = true
  await notice(businessId)
  await advanceBy({ seconds: 2 })
  expect(await stored()).toMatchObject({ state: 'deleted', isDefault: false })
  expect(await events(businessId, token)).toEqual(['payment_token.active', 'payment_token.deleted'])
  expect((await customers.tokens(caller, uuid, undefined)).payment_tokens).toEqual([])
  expect(wallet.ends).toEqual([])
  expect(await breaches(businessId)).toEqual([])
})

test.each(['active', 'pending'])(
  'a deleted %s token ends its agreement, again and again until it has ended',
  async (state) => {
    const { businessId, token, uuid, caller, advanceBy } = await (state === 'active' ? active() : agreement())
    wallet.unavailable = 3
    expect(await customers.deleteToken(caller, uuid, token)).toMatchObject({
      payment_token: { state: 'deleted' },
    })
    expect(await breaches(businessId)).toEqual([])
    await advanceBy({ hours: 1 })
    expect(wallet.ends).toEqual(Array.from({ length: 4 }, () => `${CONSENT} ${token}`))
    expect(await breaches(businessId)).toEqual([])
  },
)

test.each([{}, { acquirer_account_id: 'acc_1' }])(
  'an agreement with a wallet that is open for single payments only is refused (%j)',
  async (more) => {
    wallet.isNotOpened = true
    await expect(agreement(more)).rejects.toMatchObject({
      status: 422,
      reason: 'no_account_for_instrument',
      message: expect.stringContaining('alipay_hk'),
    })
  },
)
