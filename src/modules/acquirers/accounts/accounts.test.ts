import { beforeEach, describe, expect, test } from 'vitest'
import { ACCOUNTS, createAccountsFixture, credentials, newAccount, type Tenant } from '../testing/accounts.ts'

const { business, standIn, acquirers, deps } = await createAccountsFixture()

beforeEach(() => {
  standIn.answer = undefined
})

const post = (tenant: Tenant, members: Record<string, unknown> = {}, headers?: Record<string, string>) =>
  tenant.send('POST', ACCOUNTS, { acquirer_account: newAccount(standIn.url, members) }, headers)
const put = (
  tenant: Tenant,
  id: string,
  members: Record<string, unknown>,
  headers?: Record<string, string>,
) => tenant.send('PUT', `${ACCOUNTS}/${id}`, { acquirer_account: members }, headers)
const errorOf = ({
  status,
  data,
}: {
  status: number
  data: { error?: { reason?: string; param?: string } }
}) => [status, data.error?.reason, data.error?.param]

// Proves reference/acquirers#accounts.
test('a response shows an account with its defaults and its webhook URL, and never its credentials', async () => {
  const tenant = await business()
  const { status, data, text } = await post(tenant)
  expect(status).toBe(200)
  const { id } = data.acquirer_account
  expect(data.acquirer_account).toEqual({
    id: expect.stringMatching(/^acc_[0-9a-z]{26}$/),
    acquirer: 'stripe',
    name: 'Stripe HK',
    state: 'active',
    webhook_url: `https://pay.example.com/acquirer_webhooks/${tenant.businessId}/${id}`,
    api_base: standIn.url,
    merchant_id: 'merchant_ONE',
    methods: ['credit_card'],
    currencies: [],
    raw_card_numbers: false,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  const read = await tenant.send('GET', `${ACCOUNTS}/${id}`)
  expect(read.data).toEqual(data)
  const listed = await tenant.send('GET', ACCOUNTS)
  expect(listed.data.acquirer_accounts).toEqual([data.acquirer_account])
  for (const secret of Object.values(credentials())) {
    for (const shown of [text, read.text, listed.text]) expect(shown).not.toContain(secret)
  }
})

test('lists are paged, newest first', async () => {
  const tenant = await business()
  const names = ['a', 'b', 'c']
  for (const name of names) await tenant.connect({ name })
  const first = await tenant.send('GET', `${ACCOUNTS}?limit=2`)
  expect(first.data.acquirer_accounts.map(({ name }: { name: string }) => name)).toEqual(['c', 'b'])
  const second = await tenant.send('GET', `${ACCOUNTS}?limit=2&cursor=${first.data.page.next_cursor}`)
  expect(second.data.acquirer_accounts.map(({ name }: { name: string }) => name)).toEqual(['a'])
  expect(second.data.page.has_more).toBe(false)
})

test('the list is filtered by id, name, acquirer and state', async () => {
  const tenant = await business()
  const { id: shop } = await tenant.connect({ name: 'Shop' })
  const { id: fair } = await tenant.connect({ name: 'Fair' })
  await tenant.send('DELETE', `${ACCOUNTS}/${fair}`)
  const found = async (filter: string) => {
    const { data } = await tenant.send('GET', `${ACCOUNTS}?filter=${encodeURIComponent(filter)}`)
    return data.acquirer_accounts.map(({ id }: { id: string }) => id)
  }
  expect(await found(`id = ${shop}`)).toEqual([shop])
  expect(await found('name : sho')).toEqual([shop])
  expect(await found('state = disabled')).toEqual([fair])
  expect(await found('acquirer = stripe AND created_at >= 2020-01-01')).toEqual([fair, shop])
  const refused = await tenant.send('GET', `${ACCOUNTS}?filter=secret_key%20%3D%20x`)
  expect(errorOf(refused)).toEqual([400, 'invalid_filter', 'filter'])
})

describe('a wrong body is refused with the name of the member', () => {
  const { secret_key: _, ...withoutSecret } = credentials()
  const huge = 'x'.repeat(100_000)
  test.each<[Record<string, unknown>, number, string]>([
    [{ no_such_member: 1 }, 400, 'no_such_member'],
    [{ acquirer: 'square' }, 400, 'acquirer'],
    [{ name: '' }, 400, 'name'],
    [{ name: huge }, 400, 'name'],
    [{ credentials: 'sk_test_1' }, 400, 'credentials'],
    [{ credentials: { ...credentials(), password: 'x' } }, 400, 'credentials.password'],
    [{ credentials: { ...credentials(), secret_key: 5 } }, 400, 'credentials.secret_key'],
    [{ credentials: { ...credentials(), secret_key: huge } }, 400, 'credentials.secret_key'],
    [{ credentials: withoutSecret }, 422, 'credentials.secret_key'],
    [{ credentials: { ...credentials(), api_key: 'x' } }, 422, 'credentials.api_key'],
    [{ credentials: credentials('live') }, 422, 'credentials.secret_key'],
    [{ methods: [] }, 400, 'methods'],
    [{ methods: ['cheque'] }, 400, 'methods[0]'],
    [{ currencies: ['HKD', 'XXX'] }, 422, 'currencies[1]'],
    [{ currencies: 'HKD' }, 400, 'currencies'],
    [{ raw_card_numbers: 'yes' }, 400, 'raw_card_numbers'],
    [{ statement_descriptor: 'x'.repeat(23) }, 400, 'statement_descriptor'],
    [{ statement_descriptor: 'SH\tOP' }, 400, 'statement_descriptor'],
    [{ statement_descriptor: 'SH\u202eOP' }, 400, 'statement_descriptor'],
    [{ api_base: 'ftp://acquirer.example.com' }, 400, 'api_base'],
    [{ api_base: 'https://user:pass@acquirer.example.com' }, 400, 'api_base'],
    [{ api_base: 'https://acquirer.example.com?x=1' }, 422, 'api_base'],
    [{ api_base: 'https://acquirer.example.com/#x' }, 422, 'api_base'],
    [{ api_base: 'https://acquirer.example.com/v1' }, 422, 'api_base'],
    [{ api_base: 'https://acquirer.example.com/checkout/v72/' }, 422, 'api_base'],
  ])('%j', async (members, status, member) => {
    const tenant = await business()
    const before = standIn.requests.length
    const answer = await post(tenant, members)
    expect([answer.status, answer.data.error.param]).toEqual([status, `acquirer_account.${member}`])
    expect(standIn.requests.length).toBe(before)
    expect((await tenant.send('GET', ACCOUNTS)).data.acquirer_accounts).toEqual([])
  })
})

test('an account of Adyen needs the credentials of Adyen, and in a live environment its own api_base', async () => {
  const tenant = await business('live')
  const adyen = { api_key: 'sk_live_TWO_1', client_key: 'c', merchant_account: 'M', hmac_key: 'h' }
  expect(errorOf(await post(tenant, { acquirer: 'adyen', credentials: credentials('live') }))).toEqual([
    422,
    'acquirer_account_invalid',
    'acquirer_account.credentials.secret_key',
  ])
  const withoutBase = { acquirer: 'adyen', credentials: adyen, api_base: undefined }
  expect(errorOf(await post(tenant, withoutBase))).toEqual([
    422,
    'acquirer_account_invalid',
    'acquirer_account.api_base',
  ])
  const answer = await post(tenant, { ...withoutBase, api_base: `${standIn.url}/checkout/` })
  expect(answer.data.acquirer_account.api_base).toBe(`${standIn.url}/checkout`)
})

test('credentials that the acquirer refuses are 422 with their member, and 503 when it cannot be asked', async () => {
  const tenant = await business()
  expect(errorOf(await post(tenant, { credentials: credentials('test', 'bad_1') }))).toEqual([
    422,
    'credentials_refused',
    'acquirer_account.credentials.secret_key',
  ])
  standIn.answer = (_path, response) => void response.writeHead(500).end()
  expect(errorOf(await post(tenant))).toEqual([503, 'acquirer_unreachable', undefined])
  standIn.answer = (_path, response) => void response.destroy()
  expect(errorOf(await post(tenant))).toEqual([503, 'acquirer_unreachable', undefined])
  expect((await tenant.send('GET', ACCOUNTS)).data.acquirer_accounts).toEqual([])
})

test('an edit changes what it names and leaves the rest', async () => {
  const tenant = await business()
  const { id } = await tenant.connect({ statement_descriptor: 'SHOP', currencies: ['HKD'] })
  const asked = standIn.requests.length
  const renamed = await put(tenant, id, {
    name: 'New',
    raw_card_numbers: true,
    methods: ['credit_card', 'wallet_b'],
  })
  expect(renamed.data.acquirer_account).toMatchObject({
    name: 'New',
    statement_descriptor: 'SHOP',
    currencies: ['HKD'],
    methods: ['credit_card', 'wallet_b'],
    raw_card_numbers: true,
  })
  expect(standIn.requests.length).toBe(asked)
  const cleared = await put(tenant, id, { statement_descriptor: null, currencies: [] })
  expect(cleared.data.acquirer_account).not.toHaveProperty('statement_descriptor')
  expect(cleared.data.acquirer_account).toMatchObject({ name: 'New', currencies: [] })
})

test('an edit cannot change the acquirer or the merchant, nor send stored credentials to another address', async () => {
  const tenant = await business()
  const { id } = await tenant.connect()
  expect(errorOf(await put(tenant, id, { acquirer: 'adyen' }))).toEqual([
    422,
    'acquirer_cannot_change',
    'acquirer_account.acquirer',
  ])
  expect(errorOf(await put(tenant, id, { credentials: credentials('test', 'OTHER_1') }))).toEqual([
    422,
    'credentials_refused',
    'acquirer_account.credentials',
  ])
  const asked = standIn.requests.length
  expect(errorOf(await put(tenant, id, { api_base: `${standIn.url}/elsewhere` }))).toEqual([
    422,
    'acquirer_account_invalid',
    'acquirer_account.credentials',
  ])
  expect(standIn.requests.length).toBe(asked)
  expect((await tenant.send('GET', `${ACCOUNTS}/${id}`)).data.acquirer_account.api_base).toBe(standIn.url)
})

test('new credentials are used for the next call, on a new connection', async () => {
  const tenant = await business()
  const { id } = await tenant.connect()
  const lastKey = async () => {
    const connection = await acquirers.open(tenant.businessId, id)
    await connection.sale({ key: 'k' } as Parameters<typeof connection.sale>[0])
    return standIn.requests.at(-1)?.authorization
  }
  expect(await lastKey()).toBe('Bearer sk_test_ONE_1')
  const edited = await put(tenant, id, { credentials: credentials('test', 'ONE_2') })
  expect(edited.status).toBe(200)
  expect(await lastKey()).toBe('Bearer sk_test_ONE_2')
})

test('credentials are checked again when another request changes the account during the check', async () => {
  const tenant = await business()
  const { id } = await tenant.connect()
  let checks = 0
  standIn.answer = async (_path, response) => {
    checks++
    if (checks === 1) await put(tenant, id, { name: 'Meanwhile' })
    response.end(JSON.stringify({ id: 'merchant_ONE' }))
  }
  const edited = await put(tenant, id, { credentials: credentials('test', 'ONE_3') })
  expect([edited.status, checks]).toEqual([200, 2])
  expect(edited.data.acquirer_account.name).toBe('Meanwhile')
})

test('of concurrent edits of different members none is lost', async () => {
  const tenant = await business()
  const { id } = await tenant.connect()
  const edits = [
    { name: 'Concurrent' },
    { currencies: ['USD'] },
    { raw_card_numbers: true },
    { statement_descriptor: 'SHOP' },
  ]
  const answers = await Promise.all(edits.map((edit) => put(tenant, id, edit)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const { data } = await tenant.send('GET', `${ACCOUNTS}/${id}`)
  expect(data.acquirer_account).toMatchObject(Object.assign({}, ...edits))
})

test('a disabled account stays as it is and opens for its own payments, and a repeated DELETE returns the same', async () => {
  const tenant = await business()
  const { id } = await tenant.connect()
  const disabled = await tenant.send('DELETE', `${ACCOUNTS}/${id}`)
  expect(disabled.data.acquirer_account.state).toBe('disabled')
  const again = await tenant.send('DELETE', `${ACCOUNTS}/${id}`)
  expect([again.status, again.data]).toEqual([200, disabled.data])
  expect(errorOf(await put(tenant, id, { name: 'x' }))).toEqual([409, 'acquirer_account_disabled', undefined])
  expect(await acquirers.open(tenant.businessId, id)).toMatchObject({ merchantId: 'merchant_ONE' })
  const router = await acquirers.router(tenant)
  expect(router.account(id)).toBeNull()
  expect(router.first?.id).toBe('simulator')
})

test('a replayed request returns the same and does not ask the acquirer again', async () => {
  const tenant = await business()
  const key = { 'idempotency-key': 'once' }
  const created = await post(tenant, {}, key)
  const asked = standIn.requests.length
  standIn.answer = (_path, response) => void response.writeHead(500).end()
  const replayed = await post(tenant, {}, key)
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  expect([replayed.status, replayed.data]).toEqual([200, created.data])
  expect(standIn.requests.length).toBe(asked)
  expect(errorOf(await post(tenant, { name: 'Other' }, key))).toEqual([
    422,
    'idempotency_key_reused',
    undefined,
  ])
  expect((await tenant.send('GET', ACCOUNTS)).data.acquirer_accounts).toHaveLength(1)

  standIn.answer = undefined
  const { id } = created.data.acquirer_account
  const edit = { credentials: credentials('test', 'ONE_2') }
  const edited = await put(tenant, id, edit, { 'idempotency-key': 'edit' })
  standIn.answer = (_path, response) => void response.writeHead(500).end()
  const editedAgain = await put(tenant, id, edit, { 'idempotency-key': 'edit' })
  expect([editedAgain.status, editedAgain.data]).toEqual([200, edited.data])
})

test('concurrent requests with one key create one account', async () => {
  const tenant = await business()
  const key = { 'idempotency-key': 'together' }
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(tenant, {}, key)))
  const ids = answers.flatMap(({ status, data }) => (status === 200 ? [data.acquirer_account.id] : []))
  expect(new Set(ids).size).toBe(1)
  for (const { status } of answers) expect([200, 409]).toContain(status)
  expect((await tenant.send('GET', ACCOUNTS)).data.acquirer_accounts).toHaveLength(1)
})

test('another business finds none of it: 404, as for an id that does not exist', async () => {
  const owner = await business()
  const stranger = await business()
  const { id } = await owner.connect()
  const absent = 'acc_00000000000000000000000000'
  for (const [method, body] of [['GET'], ['PUT', { acquirer_account: { name: 'x' } }], ['DELETE']] as const) {
    const theirs = await stranger.send(method, `${ACCOUNTS}/${id}`, body)
    const none = await stranger.send(method, `${ACCOUNTS}/${absent}`, body)
    expect(errorOf(theirs)).toEqual([404, 'acquirer_account_not_found', undefined])
    expect(errorOf(none)).toEqual(errorOf(theirs))
  }
  await expect(acquirers.open(stranger.businessId, id)).rejects.toMatchObject({ status: 503 })
  await expect(acquirers.connected(stranger.businessId, id)).rejects.toMatchObject({ status: 503 })
  expect((await owner.send('GET', `${ACCOUNTS}/${id}`)).data.acquirer_account.state).toBe('active')
})

test('accounts need a key with the scope admin', async () => {
  const reader = await business('test', ['admin:read', 'payments:write'])
  expect((await reader.send('GET', ACCOUNTS)).status).toBe(200)
  expect((await post(reader)).status).toBe(403)
  const payer = await business('test', ['payments:write'])
  expect((await payer.send('GET', ACCOUNTS)).status).toBe(403)
})

test('an environment has at most 50 active accounts, also when they are created at once', async () => {
  const tenant = await business()
  const answers = await Promise.all(Array.from({ length: 53 }, () => post(tenant)))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.map(errorOf)).toEqual(
    Array.from({ length: 3 }, () => [422, 'too_many_acquirer_accounts', undefined]),
  )
  const [account] = await acquirers.accounts(tenant.businessId)
  await tenant.send('DELETE', `${ACCOUNTS}/${account?.id}`)
  expect((await post(tenant)).status).toBe(200)
})

test('the simulator is the account of a test environment, and a live one has none until it is connected', async () => {
  const tenant = await business()
  expect((await acquirers.router(tenant)).first).toMatchObject({ id: 'simulator', acquirerName: 'simulator' })
  expect(await acquirers.open(tenant.businessId, 'simulator')).toMatchObject({ name: deps.simulator.name })
  const live = await business('live')
  expect((await acquirers.router(live)).first).toBeNull()
  const { id } = await live.connect()
  expect((await acquirers.router(live)).first).toMatchObject({
    id,
    acquirerName: 'stripe',
    merchantId: 'merchant_ONE',
  })
})
