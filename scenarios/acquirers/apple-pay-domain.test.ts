import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { startAcquirerProxy } from '../harness/acquirer-proxy.ts'
import type { Client } from '../harness/client.ts'
import { liveClient } from '../harness/command-line.ts'
import { startScenario } from '../harness/scenario.ts'
import { AIRWALLEX } from '../harness/twin-of-airwallex.ts'
import { STRIPE } from '../harness/twin-of-stripe.ts'
import { ACCOUNTS, newMerchant, startBank } from '../harness/twins.ts'

const env = { ALLOW_PRIVATE_WEBHOOKS: '1', PUBLIC_URL: 'https://pay.example.com' }
const { service } = await startScenario({ env })
const bank = await startBank(AIRWALLEX)
const proxy = await startAcquirerProxy(bank.twin.url)
const ADD = '/api/v1/pa/config/applepay/registered_domains/add_items'
const FILE = '7B2270737049' + '6D'.repeat(4_500)

afterEach(() => {
  proxy.answer = () => undefined
})

/** What Airwallex finds on the pages while it is asked, and which domains it is asked for. */
function watchRegistrations(status?: number) {
  const seen: { items: unknown; file: string }[] = []
  proxy.beforeResponse = async (path) => {
    const last = seen.at(-1)
    if (path === ADD && last !== undefined) last.file = await served()
  }
  proxy.answer = ({ path, body }) => {
    if (path !== ADD) return undefined
    seen.push({ ...(JSON.parse(body) as { items: unknown }), file: '' })
    if (status === undefined) return undefined
    return { status, content: JSON.stringify({ code: 'validation_error', message: 'The file is not ours.' }) }
  }
  return seen
}

const fetchFile = () =>
  fetch(`${service.sandbox.base_url}/.well-known/apple-developer-merchantid-domain-association`)

async function served(): Promise<string> {
  const response = await fetchFile()
  return response.status === 200 ? response.text() : `${response.status}`
}

async function put(client: Client, id: string, file: unknown) {
  const account = { apple_pay_domain_file: file }
  const reply = await client.call('PUT', `${ACCOUNTS}/${id}`, { acquirer_account: account })
  return { ...reply, account: reply.data.acquirer_account }
}

// Proves reference/acquirers#apple-pay.
test('the file is stored and served before its domain is registered, and removed', async () => {
  expect(await served()).toBe('404')
  const client = await newMerchant(service)
  const account = await bank.connect(client, { api_base: proxy.url })
  const seen = watchRegistrations()
  const { account: set } = await put(client, account.id, ` ${FILE}\n`)
  expect(seen).toEqual([{ items: ['pay.example.com'], file: FILE }])
  expect(set).toMatchObject({
    apple_pay_domain_file: FILE,
    apple_pay_domain: { name: 'pay.example.com', state: 'registered' },
  })
  expect((await client.ok('GET', `${ACCOUNTS}/${account.id}`)).acquirer_account).toEqual(set)
  expect((await client.ok('GET', ACCOUNTS)).acquirer_accounts).toEqual([set])
  const response = await fetchFile()
  expect([response.headers.get('content-type'), response.headers.get('x-content-type-options')]).toEqual([
    'text/plain; charset=utf-8',
    'nosniff',
  ])
  expect(await response.text()).toBe(FILE)

  // Airwallex refuses a domain that it has: its list decides.
  expect((await put(client, account.id, FILE)).account.apple_pay_domain.state).toBe('registered')
  expect(seen).toHaveLength(2)
  const { acquirer_account: named } = await client.ok('PUT', `${ACCOUNTS}/${account.id}`, {
    acquirer_account: { name: 'Renamed' },
  })
  expect([named.apple_pay_domain_file, seen.length]).toEqual([FILE, 2])

  for (const none of ['', ' \n', null]) {
    await put(client, account.id, FILE)
    expect(await served()).toBe(FILE)
    const { account: removed } = await put(client, account.id, none)
    expect([removed.apple_pay_domain_file, removed.apple_pay_domain]).toEqual([undefined, undefined])
    expect(await served()).toBe('404')
  }
})

test('a new account takes the file, a replay asks nobody, and a disabled account serves none', async () => {
  const client = await newMerchant(service)
  const seen = watchRegistrations()
  const key = { idempotencyKey: randomUUID() }
  const create = () =>
    client.call(
      'POST',
      ACCOUNTS,
      {
        acquirer_account: {
          acquirer: 'airwallex',
          name: 'new',
          credentials: AIRWALLEX.credentials('new', 'test'),
          api_base: proxy.url,
          apple_pay_domain_file: FILE,
        },
      },
      key,
    )
  const created = await create()
  expect(created.data.acquirer_account.apple_pay_domain).toMatchObject({ state: 'registered' })
  expect((await create()).data).toEqual(created.data)
  expect(seen).toHaveLength(1)
  await client.ok('DELETE', `${ACCOUNTS}/${created.data.acquirer_account.id}`)
  expect(await served()).toBe('404')
})

test('a refusal is shown and can be tried again, and hides no file that was accepted', async () => {
  const client = await newMerchant(service)
  const { id } = await bank.connect(client, { api_base: proxy.url })
  const other = await newMerchant(service)
  const accepted = await bank.connect(other, { api_base: proxy.url })

  watchRegistrations(400)
  const refused = await put(client, id, 'AAAA')
  expect([refused.status, refused.account.apple_pay_domain]).toEqual([
    200,
    { name: 'pay.example.com', state: 'refused', message: 'The file is not ours.' },
  ])
  expect(await served()).toBe('AAAA')
  watchRegistrations(503)
  const unreachable = await put(client, id, 'BBBB')
  expect(unreachable.account.apple_pay_domain).toMatchObject({
    state: 'unreachable',
    message: expect.stringMatching(/./),
  })

  const seen = watchRegistrations()
  await put(other, accepted.id, FILE)
  expect(await served()).toBe(FILE)
  watchRegistrations(400)
  await put(client, id, 'CCCC')
  expect(await served()).toBe(FILE)
  expect(seen).toHaveLength(1)
  watchRegistrations()
  const again = await put(client, id, 'DDDD')
  expect(again.account.apple_pay_domain).toEqual({ name: 'pay.example.com', state: 'registered' })
  // The newest of those that were accepted.
  expect(await served()).toBe('DDDD')

  // While Airwallex is asked it finds the file that it is asked about; then those of live accounts come first.
  const live = await liveClient(service)
  const { id: liveId } = await bank.connect(live, { api_base: proxy.url }, 'live')
  await put(live, liveId, 'EEEE')
  const later = watchRegistrations()
  await put(client, id, 'FFFF')
  expect(later).toMatchObject([{ file: 'FFFF' }])
  expect(await served()).toBe('EEEE')
  await put(live, liveId, null)
  await put(client, id, null)
  await put(other, accepted.id, null)
})

test.each([
  ['a number', 7, 400],
  ['a list', ['AAAA'], 400],
  ['more than 20,000 characters', 'A'.repeat(20_001), 400],
  ['a web page', '<html><script>alert(1)</script></html>', 422],
  ['a text in JSON', '{"pspId": "8033"}', 422],
  ['control characters', 'AA\u0000AA', [400, 422]],
])('%s is refused by name, and nothing is stored', async (_, file, status) => {
  const client = await newMerchant(service)
  const { id } = await bank.connect(client)
  const reply = await put(client, id, file)
  expect([status].flat()).toContain(reply.status)
  expect(JSON.stringify(reply.data.error)).toContain('apple_pay_domain_file')
  expect(await served()).toBe('404')
})

test('other acquirers take no file, and another business finds no account', async () => {
  const stripe = await startBank(STRIPE)
  const client = await newMerchant(service)
  const { id: other } = await stripe.connect(client)
  const refused = await put(client, other, FILE)
  expect(refused).toMatchObject({ status: 422, data: { error: { reason: 'acquirer_account_invalid' } } })
  expect(refused.data.error.param).toBe('acquirer_account.apple_pay_domain_file')

  const { id } = await bank.connect(client)
  const stranger = await newMerchant(service)
  expect((await put(stranger, id, FILE)).status).toBe(404)
  expect(await served()).toBe('404')
})

test('a host that is no public name is not registered, and the account says why', async () => {
  const local = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })
  const client = await newMerchant(local.service)
  const { id } = await bank.connect(client, { api_base: proxy.url })
  const seen = watchRegistrations()
  const { account } = await put(client, id, FILE)
  expect(account.apple_pay_domain).toEqual({
    name: null,
    state: 'no_domain',
    message: expect.stringMatching(/^The payment pages are at http:.*PUBLIC_URL/),
  })
  expect(seen).toEqual([])
})
