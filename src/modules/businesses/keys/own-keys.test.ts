import { expect, test } from 'vitest'
import { realClock, toRfc3339 } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { SCOPES } from '#platform/http/routes/route'
import { readPage } from '#platform/http/validation/list'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { createTestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import { reasonOf, withKey } from '#platform/testing/requests'
import { Authenticator } from '../authentication/authenticate.ts'
import { businessesOf } from '../businesses.ts'
import { accountOf } from '../testing/account.ts'
import type { OwnKeyRequest } from './own-keys.ts'
import { prepareBusiness } from '../profiles/prepare-business.ts'

const { db, admin } = await createTestDatabase()
const { keyring } = createTestKeyring()
const businesses = businessesOf({ db, keyring })
const account = accountOf(db)
const { authenticate } = new Authenticator({ db, publicUrl: () => 'https://pay.example.com' })

async function createCaller(scopes: readonly string[] = SCOPES): Promise<Caller> {
  const business = prepareBusiness({ name: 'Shop' })
  await businesses.create(business)
  return {
    businessId: business.test.businessId,
    businessCode: business.code,
    environment: 'test',
    appId: business.appId,
    actor: { type: 'api_key', id: business.keyId },
    scopes: new Set(scopes),
    requestId: 'req_1',
  }
}

const create = (caller: Caller, key: Partial<OwnKeyRequest> = {}) =>
  account.createKey(caller, { name: 'Report', scopes: ['payments:read'], ...key })

const list = async (caller: Caller, filter?: string) =>
  (await account.keys(caller, filter, readPage('api_keys', {}))).api_keys

const principalOf = (secret: string) =>
  authenticate({
    method: 'GET',
    target: '/',
    headers: { authorization: `Bearer ${secret}` },
    rawBody: undefined,
  })

// Proves reference/access#api-keys-by-api.
test('a key that is made by API works with its scopes, is listed, and is refused once it is revoked', async () => {
  const caller = await createCaller()
  const { api_key: key, secret } = await create(caller, { expires_in: 'P90D' })
  expect(secret).toMatch(/^qk_test_/)
  expect(key).toMatchObject({ app_id: caller.appId, scopes: ['payments:read'], revoked_at: null })
  const days = (Date.parse(key.expires_at ?? '') - realClock.now().epochMilliseconds) / 86_400_000
  expect(days).toBeCloseTo(90, 2)
  const principal = await principalOf(secret)
  expect([principal.businessId, [...principal.scopes]]).toEqual([caller.businessId, ['payments:read']])
  expect((await list(caller)).map(({ id }) => id)).toEqual([key.id, caller.actor.id])
  expect((await list(caller, 'name = Report')).map(({ id }) => id)).toEqual([key.id])

  const revoked = await account.revokeKey(caller, key.id)
  expect(revoked.api_key.revoked_at).not.toBeNull()
  expect(await reasonOf(principalOf(secret))).toBe('unauthenticated')
  expect(await account.revokeKey(caller, key.id)).toEqual(revoked)
  const { rows } = await admin.query<{ text: string }>('select k::text as text from api_keys k')
  expect(JSON.stringify(rows)).not.toContain(secret)
})

test('a new key cannot have a scope that its creator does not have', async () => {
  const caller = await createCaller(['keys:write', 'payments:write', 'customers:read'])
  for (const [scopes, reason] of [
    [['payments:read', 'payments:write', 'customers:read', 'keys:read'], 'done'],
    [['customers:write'], 'scope_not_own'],
    [['payments:read', 'admin:read'], 'scope_not_own'],
  ] as const) {
    expect([scopes, await reasonOf(create(caller, { scopes: [...scopes] }))]).toEqual([scopes, reason])
  }
  const { scopes: _, ...unlimited } = caller
  expect(await reasonOf(create(unlimited))).toBe('scope_not_own')
})

test('a key expires after a duration longer than zero', async () => {
  const caller = await createCaller()
  for (const expiresIn of ['P0D', '-P1D', 'P101Y', 'tomorrow']) {
    const reason = await reasonOf(create(caller, { expires_in: expiresIn }))
    expect([expiresIn, reason]).toEqual([expiresIn, 'expires_in_invalid'])
  }
})

test('a key of another business or environment is neither listed nor revoked', async () => {
  const [caller, stranger] = [await createCaller(), await createCaller()]
  const { api_key: key, secret } = await create(caller)
  const { rows } = await admin.query<{ id: string }>(
    `select business_id as id from businesses where code = $1 and environment = 'live'`,
    [caller.businessCode],
  )
  const live: Caller = { ...caller, environment: 'live', businessId: rows[0]?.id ?? '' }
  for (const other of [stranger, live]) {
    expect((await list(other)).some(({ id }) => id === key.id)).toBe(false)
    expect(await reasonOf(account.revokeKey(other, key.id))).toBe('api_key_not_found')
  }
  expect((await principalOf(secret)).actor.id).toBe(key.id)
  const { secret: ofLive } = await create(live)
  expect(ofLive).toMatch(/^qk_live_/)
})

test('a replay makes no second key and shows no secret, and the secret is stored nowhere', async () => {
  const caller = withKey(await createCaller(), 'once')
  const { api_key: key, secret } = await create(caller)
  const replay: unknown = await create(caller).catch((error: unknown) => error)
  expect(replay).toBeInstanceOf(StoredReply)
  const { data } = JSON.parse((replay as StoredReply).body) as { data: unknown }
  expect(data).toEqual({ api_key: key, secret: '' })
  expect(await list(caller)).toHaveLength(2)
  const { rows } = await admin.query('select body::text from idempotency_keys where business_id = $1', [
    caller.businessId,
  ])
  expect(JSON.stringify(rows)).not.toContain(secret.slice(8))
})

test('a user of the console makes keys for the oldest app, and an app has at most 100 active keys', async () => {
  const caller = await createCaller()
  const user: Caller = { ...caller, appId: 'console', actor: { type: 'user', id: 'usr_1' } }
  const { api_key: key } = await create(user)
  expect(key.app_id).toBe(caller.appId)
  await admin.query(
    `insert into api_keys (key_id, hash, app_id, environment, scopes, created_at, expires_at)
     select 'key_' || $1 || n, 'hash_' || $1 || n, $1, 'test', '{}', $2, case when n = 99 then $2::timestamptz end
       from generate_series(1, 99) n`,
    [caller.appId, toRfc3339(realClock.now())],
  )
  expect(await reasonOf(create(user))).toBe('too_many_api_keys')
  await account.revokeKey(caller, key.id)
  expect(await reasonOf(create(user))).toBe('done')
})
