import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../port/adapter.ts'
import { airwallexAdapter } from './index.ts'
import { type HttpReply, type Asked, LOGIN, loginAnswer, startDouble } from './testing/double.ts'

// Proves reference/acquirers#airwallex, reference/acquirers#credentials.
const double = await startDouble()
type Settings = Omit<AccountSettings, 'merchantId'>

function settings(members: Partial<Settings> = {}, credentials: Record<string, string> = {}): Settings {
  return {
    environment: 'test',
    credentials: { client_id: 'id', api_key: 'key', webhook_secret: 'whsec_1', ...credentials },
    apiBase: double.url,
    statementDescriptor: null,
    methods: ['credit_card'],
    ...members,
  }
}

const check = (members: Partial<Settings> = {}, credentials: Record<string, string> = {}) =>
  airwallexAdapter.checkCredentials(settings(members, credentials), { connect: {}, timeoutMs: 60_000 })
const form = (members: Partial<Settings> = {}, credentials: Record<string, string> = {}) =>
  airwallexAdapter.checkForm(settings(members, credentials))

const ACCOUNT: HttpReply = [200, { id: 'acct_1', status: 'ACTIVE', nickname: 'A shop' }]
const TYPES = 'GET /pa/config/payment_method_types'
const opened =
  (oneOff: readonly string[], recurring: readonly string[] = []) =>
  ({ query }: Asked): HttpReply => {
    const mode = query.get('transaction_mode')
    const names = mode === 'oneoff' ? oneOff : recurring
    return [
      200,
      { has_more: false, items: names.map((name) => ({ name, transaction_mode: mode, active: true })) },
    ]
  }
const good = {
  'GET /account': ACCOUNT,
  [TYPES]: opened(['card', 'wechatpay', 'alipayhk', 'alipaycn', 'fps'], ['card']),
}

describe('credentials', () => {
  test('are accepted with the id of the account, after a login and what Airwallex has opened', async () => {
    double.answer(good)
    expect(await check()).toMatchObject({ kind: 'accepted', merchantId: 'acct_1' })
    expect(double.targets()).toEqual(['GET /account', TYPES, TYPES])
    const modes = double.asked
      .map(({ query }) => query.get('transaction_mode'))
      .filter((mode) => mode !== null)
    expect(modes).toEqual(['oneoff', 'recurring'])
  })

  test.each(['credentials_invalid', 'credentials_expired'])(
    'that a login refuses are named: %s',
    async (code) => {
      double.answer({ ...good, [LOGIN]: [401, { code, message: 'UNAUTHORIZED' }] })
      expect(await check()).toMatchObject({ kind: 'refused', member: 'credentials.api_key' })
    },
  )

  test.each([400, 401, 403, 404])(
    'an account that the keys may not use is named, whatever the login answers (%i)',
    async (status) => {
      const login = ({ headers }: Asked): HttpReply =>
        headers['x-login-as'] === undefined ? loginAnswer() : [status, { code: 'unauthorized' }]
      double.answer({ ...good, [LOGIN]: login })
      expect(await check({}, { account_id: 'acct_2' })).toMatchObject({
        kind: 'refused',
        member: 'credentials.account_id',
      })
    },
  )

  test('that reach another account than account_id are refused', async () => {
    double.answer(good)
    expect(await check({}, { account_id: 'acct_2' })).toMatchObject({ member: 'credentials.account_id' })
    expect(await check({}, { account_id: 'acct_1' })).toMatchObject({ kind: 'accepted' })
  })

  test.each([401, 403])('that may not read the account are refused (%i)', async (status) => {
    double.answer({
      ...good,
      'GET /account': [status, { code: 'unauthorized', message: 'No eyJabc.def.ghi' }],
    })
    const refusal = await check()
    expect(refusal).toMatchObject({ kind: 'refused', member: 'credentials.api_key' })
    expect(JSON.stringify(refusal)).not.toContain('eyJ')
  })

  test.each<[string, Record<string, HttpReply>]>([
    ['the login', { [LOGIN]: [429, {}] }],
    ['the login', { [LOGIN]: [503, {}] }],
    ['the account', { 'GET /account': [429, {}] }],
    ['the account', { 'GET /account': [500, {}] }],
    ['the methods', { [TYPES]: [502, {}] }],
  ])('are not judged while Airwallex cannot be asked: %s', async (_, answers) => {
    double.answer({ ...good, ...answers })
    expect((await check()).kind).toBe('unavailable')
  })

  test.each([
    ['client_id', ''],
    ['client_id', 'a b'],
    ['api_key', 'x\ny'],
    ['webhook_secret', ' , '],
    ['account_id', 'shop'],
    ['account_id', `acct_${'x'.repeat(200)}`],
  ])('%s cannot be %j', (member, value) => {
    expect(form({}, { [member]: value })).toMatchObject({ member: `credentials.${member}` })
  })
})

describe('api_base', () => {
  test.each([
    ['test', 'https://api.airwallex.com'],
    ['test', 'https://pci-api.airwallex.com'],
    ['live', 'https://pci-api-demo.airwallex.com'],
    ['live', 'https://api.sandbox.airwallex.com'],
    ['live', 'https://api-demo.airwallex.com'],
    ['test', 'https://proxy.example/api/v1'],
    ['test', 'https://proxy.example/API/V1/x'],
  ] as const)('in a %s environment cannot be %s', (environment, apiBase) => {
    expect(form({ environment, apiBase })).toMatchObject({ member: 'api_base' })
  })

  test.each([
    ['test', 'https://api.sandbox.airwallex.com'],
    ['test', 'https://api-demo.airwallex.com'],
    ['live', 'https://api.airwallex.com'],
    ['live', 'https://proxy.example/airwallex'],
  ] as const)('in a %s environment can be %s', (environment, apiBase) => {
    expect(form({ environment, apiBase })).toBeNull()
  })

  test('keeps its path before that of the API', async () => {
    const seen: string[] = []
    double.answer({
      'POST /proxy/api/v1/authentication/login': ({ target }) => (seen.push(target), loginAnswer()),
    })
    await check({ apiBase: `${double.url}/proxy` })
    expect(seen).toHaveLength(1)
  })
})

describe('methods and wallets', () => {
  const NOT_OPEN = /ask Airwallex to open it/

  test.each<[string, readonly string[], Partial<Settings>, string]>([
    ['cards', ['fps'], { methods: ['credit_card'] }, 'methods[0]'],
    ['FPS', ['card'], { methods: ['credit_card', 'fps'] }, 'methods[1]'],
    ['WalletA', ['card'], { methods: ['wallet_a_pay'] }, 'methods[0]'],
    ['WalletB', ['card'], { methods: ['credit_card', 'wallet_b'] }, 'methods[1]'],
    [
      'a wallet that was named',
      ['alipayhk'],
      { methods: ['wallet_b'], wallets: { walletA: null, walletB: 'alipay' } },
      'wallets.wallet_b',
    ],
    [
      'WeChat Pay that was named',
      ['alipayhk'],
      { methods: ['wallet_a_pay'], wallets: { walletA: 'wechat_pay', walletB: null } },
      'wallets.wallet_a',
    ],
  ])('%s that Airwallex has not opened are refused by name', async (_, names, members, member) => {
    double.answer({ ...good, [TYPES]: opened(names) })
    expect(await check(members)).toMatchObject({
      kind: 'refused',
      member,
      message: expect.stringMatching(NOT_OPEN),
    })
  })

  test.each([
    [['alipaycn', 'alipayhk'], 'alipay_hk'],
    [['alipaycn'], 'alipay'],
  ])(
    'without a choice WalletB is the first of AlipayHK and Alipay that is open: %j',
    async (names, walletB) => {
      double.answer({ ...good, [TYPES]: opened(names) })
      const accepted = { kind: 'accepted', wallets: { walletA: null, walletB } }
      expect(await check({ methods: ['wallet_b'] })).toMatchObject(accepted)
    },
  )

  test('a method that is listed and not active is not open', async () => {
    const inactive = { name: 'fps', transaction_mode: 'oneoff', active: false }
    double.answer({ ...good, [TYPES]: [200, { has_more: false, items: [inactive] }] })
    expect(await check({ methods: ['fps'] })).toMatchObject({ kind: 'refused', member: 'methods[0]' })
  })

  test('agreements with a wallet are opened apart from single payments', async () => {
    double.answer({ ...good, [TYPES]: opened(['wechatpay', 'alipayhk'], ['alipayhk']) })
    expect(await check({ methods: ['wallet_a_pay', 'wallet_b'] })).toMatchObject({ kind: 'accepted' })
    const acquirer = double.connect()
    expect(await acquirer.takesAgreements?.('alipay_hk')).toEqual({ kind: 'ok', value: true })
    expect(await acquirer.takesAgreements?.('wechat_pay')).toEqual({ kind: 'ok', value: false })
    await acquirer.disconnect()
  })
})
