import type { LookupAddress } from 'node:dns'
import { afterAll, expect, test } from 'vitest'
import { Egress } from '#platform/security/egress'
import { ACCOUNTS, createAccountsFixture, credentials, newAccount } from '../testing/accounts.ts'
import { credentialsBinding } from '../model/account.ts'
import { rewrapAcquirerCredentials } from './rewrap.ts'

const addresses = new Map<string, string>()
const resolve = async (hostname: string): Promise<LookupAddress[]> => [
  { address: addresses.get(hostname) ?? '8.8.8.8', family: 4 },
]
const guarded = new Egress({ allowPrivate: false, resolve })
afterAll(() => guarded.close())

const open = await createAccountsFixture()
const closed = await createAccountsFixture({ egress: guarded })

// Proves reference/acquirers#credentials.
test('no table, log line or error holds a credential in plain text', async () => {
  const tenant = await open.business()
  const secrets = Object.values(credentials('test', 'ONE_hidden'))
  const { id } = await tenant.connect({ credentials: credentials('test', 'ONE_hidden') })
  const headers = { 'idempotency-key': 'hidden' }
  await tenant.send(
    'PUT',
    `${ACCOUNTS}/${id}`,
    { acquirer_account: { credentials: credentials('test', 'ONE_hidden') } },
    headers,
  )
  const bad = credentials('test', 'bad_hidden')
  const refused = await tenant.send('POST', ACCOUNTS, {
    acquirer_account: newAccount(open.standIn.url, { credentials: bad }),
  })
  open.standIn.answer = (_path, response) => void response.destroy()
  const unreachable = await tenant.send('POST', ACCOUNTS, {
    acquirer_account: newAccount(open.standIn.url, { credentials: bad }),
  })
  open.standIn.answer = undefined
  const asName = await tenant.send('POST', ACCOUNTS, {
    acquirer_account: newAccount(open.standIn.url, { [secrets[0] ?? '']: 1 }),
  })
  expect([refused.status, unreachable.status, asName.status]).toEqual([422, 503, 400])
  const stored: string[] = []
  for (const table of ['acquirer_accounts', 'idempotency_keys', 'events']) {
    const { rows } = await open.admin.query<{ row: string }>(`select t::text as row from ${table} t`)
    stored.push(...rows.map(({ row }) => row))
  }
  const shown = [...stored, ...open.logged, refused.text, unreachable.text, asName.text].join('\n')
  expect(shown).toContain(id)
  for (const secret of [...secrets, ...Object.values(bad)]) expect(shown).not.toContain(secret)
})

test('credentials that are moved to another account or business do not open', async () => {
  const tenant = await open.business()
  const stranger = await open.business()
  const first = await tenant.connect()
  const second = await tenant.connect()
  const { rows } = await open.admin.query<{ sealed_credentials: string }>(
    'select sealed_credentials from acquirer_accounts where id = $1',
    [first.id],
  )
  const sealed = rows[0]?.sealed_credentials ?? ''
  const { keyring } = open.deps
  expect(JSON.parse(keyring.open(sealed, credentialsBinding(tenant.businessId, first.id)))).toEqual(
    credentials(),
  )
  for (const binding of [
    credentialsBinding(tenant.businessId, second.id),
    credentialsBinding(stranger.businessId, first.id),
  ]) {
    expect(() => keyring.open(sealed, binding)).toThrow('Cannot decrypt')
  }
})

test('after a rotation of the encryption key the new key alone opens the credentials', async () => {
  const tenant = await open.business()
  const { id } = await tenant.connect()
  const onlyNewest = open.rotateKeys()
  const rewrap = rewrapAcquirerCredentials(open.db, open.keyring)
  expect(await rewrap(tenant.businessId)).toBe(1)
  expect(await rewrap(tenant.businessId)).toBe(0)
  const { rows } = await open.admin.query<{ sealed_credentials: string }>(
    'select sealed_credentials from acquirer_accounts where id = $1',
    [id],
  )
  const opened = onlyNewest.open(rows[0]?.sealed_credentials ?? '', credentialsBinding(tenant.businessId, id))
  expect(JSON.parse(opened)).toEqual(credentials())
})

// Proves reference/acquirers#api-base.
test('without the development setting, api_base must be https and no private address', async () => {
  const tenant = await closed.business()
  const { standIn } = closed
  for (const base of [
    standIn.url,
    'https://127.0.0.1',
    'https://localhost:8443',
    'https://169.254.169.254',
    'https://[::1]',
    'https://0x7f.1/',
    'http://api.stripe.com',
  ]) {
    const answer = await tenant.send('POST', ACCOUNTS, { acquirer_account: newAccount(base) })
    expect([base, answer.status, answer.data.error.param]).toEqual([base, 422, 'acquirer_account.api_base'])
    expect(answer.data.error.reason).toBe('api_base_not_allowed')
  }
  expect(standIn.requests).toEqual([])
})

test('a name that leads to a private address is refused when it is connected to, not only when it is set', async () => {
  const tenant = await closed.business()
  const { standIn } = closed
  addresses.set('acquirer.example.com', '127.0.0.1')
  const base = `https://acquirer.example.com:${new URL(standIn.url).port}`
  const answer = await tenant.send('POST', ACCOUNTS, { acquirer_account: newAccount(base) })
  expect([answer.status, answer.data.error.reason]).toEqual([503, 'acquirer_unreachable'])
  expect(standIn.requests).toEqual([])
})
