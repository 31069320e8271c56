import { createHash, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { createSigner, httpbis } from 'http-message-signatures'
import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import type { Caller } from '#platform/caller'
import { compileAuthorization, type AuthenticationRequest } from '#platform/http/authorization'
import { defineRoute, SCOPES } from '#platform/http/routes/route'
import { Keyring } from '#platform/security/keyring'
import { keysFromEnvironment } from '#platform/security/key-source'
import { createTestDatabase } from '#platform/testing/database'
import Type from 'typebox'
import { newApiKey } from '../model/api-key.ts'
import { Authenticator } from './authenticate.ts'
import { businessesOf } from '../businesses.ts'
import { accountOf } from '../testing/account.ts'
import { prepareBusiness } from '../profiles/prepare-business.ts'
import { CommandError } from '../command-error.ts'
import { noncePurge } from '../jobs.ts'
import type { PublicJwk } from '../model/public-key.ts'
import { parseScopes } from '../keys/parse-scopes.ts'

const { db, admin } = await createTestDatabase()
const keyring = new Keyring(keysFromEnvironment(Buffer.alloc(32, 7).toString('base64')))
const businesses = businessesOf({ db, keyring })
const account = accountOf(db)
const ORIGIN = 'http://127.0.0.1:8080'
const { authenticate } = new Authenticator({ db, publicUrl: () => ORIGIN })

async function makeBusiness() {
  const business = prepareBusiness({ name: 'Kowloon Books', timeZone: 'asia/hong_kong' })
  await businesses.create(business)
  const caller: Caller = {
    businessId: business.test.businessId,
    businessCode: business.code,
    environment: 'test',
    appId: business.appId,
    actor: { type: 'api_key', id: 'key_1' },
    requestId: 'req_1',
  }
  return { business, caller }
}

function request(apiKey: string, more: Partial<AuthenticationRequest> = {}): AuthenticationRequest {
  const headers = { host: '127.0.0.1:8080', authorization: `Bearer ${apiKey}`, ...more.headers }
  return { method: 'GET', target: '/things', rawBody: undefined, ...more, headers }
}

/** The reason of the refusal; undefined if the request is accepted. */
async function refusal(given: AuthenticationRequest): Promise<string | undefined> {
  try {
    await authenticate(given)
    return undefined
  } catch (error) {
    if (error instanceof RequestError && error.status === 401) return error.reason
    throw error
  }
}

// Proves reference/access#tenants, reference/access#api-keys, reference/access#scopes.
test('a new business has two tenants that share name and code, and a key for its test environment', async () => {
  const { business } = await makeBusiness()
  const principal = await authenticate(request(business.apiKey))
  expect(principal).toMatchObject({
    businessId: business.test.businessId,
    businessCode: business.code,
    environment: 'test',
    appId: business.appId,
  })
  expect([...principal.scopes].toSorted()).toEqual([...SCOPES].toSorted())
  const profile = await businesses.profile(business.test.businessId)
  const live = await businesses.profile(business.live.businessId)
  expect(profile).toMatchObject({ name: 'Kowloon Books', timeZone: 'Asia/Hong_Kong', currency: 'HKD' })
  expect(live).toMatchObject({ code: profile.code, name: profile.name, environment: 'live' })
  expect(live.number).not.toBe(profile.number)
})

test('businesses created at the same moment get distinct numbers', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, makeBusiness))
  const profiles = await Promise.all(made.map(({ business }) => businesses.profile(business.live.businessId)))
  expect(new Set(profiles.map(({ number }) => number)).size).toBe(8)
})

test('no table stores an API key or a webhook secret in clear text', async () => {
  const { business } = await makeBusiness()
  for (const table of ['businesses', 'apps', 'api_keys']) {
    const { rows } = await admin.query<{ row: string }>(`select t::text as row from ${table} t`)
    const all = rows.map(({ row }) => row).join()
    expect(all).not.toContain(business.apiKey)
    expect(all).not.toContain(business.test.webhookSecret)
  }
})

test('a request with a missing, mistyped or unknown key is refused', async () => {
  const { business } = await makeBusiness()
  const bad = ['', 'Bearer', `Basic ${business.apiKey}`, 'Bearer x', `Bearer ${business.apiKey}x`]
  for (const authorization of [...bad, `Bearer ${newApiKey('test')}`]) {
    expect(await refusal(request('', { headers: { authorization } }))).toBe('unauthenticated')
  }
  expect(
    await refusal(request('', { headers: { authorization: `bearer ${business.apiKey}` } })),
  ).toBeUndefined()
})

test('an app has the same id in both environments, and each key leads to its own tenant', async () => {
  const { business } = await makeBusiness()
  const { apiKey } = await businesses.createKey({
    appId: business.appId,
    environment: 'live',
    scopes: ['payments:read'],
    expiresAt: null,
  })
  expect(apiKey).toMatch(/^qk_live_/)
  expect(await authenticate(request(apiKey))).toMatchObject({
    businessId: business.live.businessId,
    environment: 'live',
    appId: business.appId,
    businessCode: business.code,
  })
})

test('a revoked key is refused once its revocation is confirmed, and the other key keeps working', async () => {
  const { business } = await makeBusiness()
  const second = await businesses.createKey({
    appId: business.appId,
    environment: 'test',
    scopes: parseScopes('all'),
    expiresAt: null,
  })
  expect(await refusal(request(business.apiKey))).toBeUndefined()
  expect(await refusal(request(second.apiKey))).toBeUndefined()
  await businesses.revokeKey(business.keyId)
  expect(await refusal(request(business.apiKey))).toBe('unauthenticated')
  expect(await refusal(request(second.apiKey))).toBeUndefined()
  await expect(businesses.revokeKey('key_unknown')).rejects.toThrow(CommandError)
})

test('an expired key is refused, and the last use is recorded', async () => {
  const { business } = await makeBusiness()
  const { apiKey, keyId } = await businesses.createKey({
    appId: business.appId,
    environment: 'test',
    scopes: ['payments:read'],
    expiresAt: realClock.now().add({ seconds: 10 }),
  })
  expect(await refusal(request(apiKey))).toBeUndefined()
  await expect.poll(() => refusal(request(apiKey))).toBe('api_key_expired')
  for await (const key of businesses.keys()) {
    if (key.keyId === keyId) expect(key.lastUsedAt).not.toBeNull()
  }
})

test('a key can do exactly what its scopes allow', async () => {
  const { business } = await makeBusiness()
  const { apiKey } = await businesses.createKey({
    appId: business.appId,
    environment: 'test',
    scopes: parseScopes('payments:read, customers:read'),
    expiresAt: null,
  })
  const principal = await authenticate(request(apiKey))
  const admit = (scope: 'payments:read' | 'payments:write') =>
    compileAuthorization(
      defineRoute({
        method: 'GET',
        path: '/x',
        scope,
        summary: '',
        tag: '',
        data: Type.Object({}),
        handle: async () => ({}),
      }),
    )
  expect(() => admit('payments:read')(principal, {})).not.toThrow()
  expect(() => admit('payments:write')(principal, {})).toThrow('payments:write')
  expect(() => parseScopes('payments')).toThrow(CommandError)
  expect(() => parseScopes('')).toThrow(CommandError)
})

interface Signing {
  readonly key: KeyObject
  readonly fields?: string[]
  readonly created?: Date | null
  readonly nonce?: string
  readonly alg?: string
}

async function signed(given: AuthenticationRequest, signing: Signing): Promise<AuthenticationRequest> {
  const { rawBody } = given
  const digest = rawBody && `sha-256=:${createHash('sha256').update(rawBody).digest('base64')}:`
  const headers = { ...given.headers, ...(digest && { 'content-digest': digest }) } as Record<string, string>
  const signer = createSigner(signing.key, 'ed25519', 'any-key-id')
  const message = await httpbis.signMessage(
    {
      key: signer,
      fields: signing.fields ?? ['@method', '@target-uri', ...(digest ? ['content-digest'] : [])],
      params: ['created', 'nonce', 'keyid', 'alg'],
      paramValues: {
        created: signing.created === undefined ? new Date() : signing.created,
        nonce: signing.nonce ?? randomUUID(),
        ...(signing.alg !== undefined && { alg: signing.alg }),
      },
    },
    { method: given.method, url: `${ORIGIN}${given.target}`, headers },
  )
  const lowerCased = Object.entries(message.headers).map(([name, value]) => [name.toLowerCase(), value])
  return { ...given, headers: Object.fromEntries(lowerCased) }
}

async function makeSigningApp() {
  const { business, caller } = await makeBusiness()
  const pair = generateKeyPairSync('ed25519')
  const jwk = pair.publicKey.export({ format: 'jwk' }) as PublicJwk
  expect(await refusal(request(business.apiKey))).toBeUndefined()
  await account.registerPublicKey(caller, 'signing', jwk)
  const post = request(business.apiKey, {
    method: 'POST',
    target: '/orders/pay?x=1',
    rawBody: Buffer.from('{"amount":1}'),
  })
  return { business, caller, key: pair.privateKey, jwk, get: request(business.apiKey), post }
}

// Proves reference/access#signed-requests.
test('once a signing key is registered, unsigned requests are refused and signed ones accepted', async () => {
  const { key, get, post, caller, jwk, business } = await makeSigningApp()
  expect(await refusal(get)).toBe('signature_required')
  expect(await refusal(await signed(get, { key }))).toBeUndefined()
  expect(await refusal(await signed(post, { key }))).toBeUndefined()
  const fields = ['@method', '@path', '@query', 'content-digest', 'authorization']
  expect(await refusal(await signed(post, { key, fields }))).toBeUndefined()
  expect(await account.publicKey(caller, 'signing')).toMatchObject({ key: jwk })
  // The app has no signing key in its live environment.
  const live = { appId: business.appId, environment: 'live', scopes: SCOPES, expiresAt: null } as const
  expect(await refusal(request((await businesses.createKey(live)).apiKey))).toBeUndefined()

  await account.removePublicKey(caller, 'signing')
  expect(await refusal(get)).toBeUndefined()
  await expect(account.removePublicKey(caller, 'signing')).rejects.toMatchObject({
    reason: 'signing_key_not_found',
  })
})

test('a session of the console has no app, so it changes no keys of one', async () => {
  const { caller, jwk } = await makeSigningApp()
  const session: Caller = { ...caller, appId: 'console', actor: { type: 'user', id: 'usr_1' } }
  const refused = { status: 422, reason: 'app_missing' }
  for (const use of ['signing', 'encryption'] as const) {
    await expect(account.registerPublicKey(session, use, jwk)).rejects.toMatchObject(refused)
    await expect(account.removePublicKey(session, use)).rejects.toMatchObject(refused)
  }
  expect(await account.publicKey(caller, 'signing')).toMatchObject({ key: jwk })
})

test('a signed request is accepted once, even if it arrives twice at the same moment', async () => {
  const { key, post } = await makeSigningApp()
  const once = await signed(post, { key })
  expect(await refusal(once)).toBeUndefined()
  expect(await refusal(once)).toBe('signature_replayed')
  const raced = await signed(post, { key })
  const refusals = await Promise.all(Array.from({ length: 8 }, () => refusal(raced)))
  expect(refusals.filter((reason) => reason === undefined)).toHaveLength(1)
})

test('a request signed for one environment cannot be replayed in the other, even with the same key in both', async () => {
  const { business, caller, key, jwk, get } = await makeSigningApp()
  const live = { appId: business.appId, environment: 'live', scopes: SCOPES, expiresAt: null } as const
  const { apiKey } = await businesses.createKey(live)
  const { businessId } = business.live
  await account.registerPublicKey({ ...caller, businessId, environment: 'live' }, 'signing', jwk)
  const inEnvironment = (given: AuthenticationRequest, of: string) => ({
    ...given,
    headers: { ...given.headers, authorization: `Bearer ${of}` },
  })
  for (const [first, second] of [
    [business.apiKey, apiKey],
    [apiKey, business.apiKey],
  ] as const) {
    const sent = await signed(get, { key })
    expect(await refusal(inEnvironment(sent, first))).toBeUndefined()
    expect(await refusal(inEnvironment(sent, second))).toBe('signature_replayed')
  }
})

test('any change to a signed request invalidates it', async () => {
  const { key, post } = await makeSigningApp()
  const sent = await signed(post, { key })
  const changed: AuthenticationRequest[] = [
    { ...sent, rawBody: Buffer.from('{"amount":9}') },
    { ...sent, method: 'PUT' },
    { ...sent, target: '/orders/pay?x=2' },
    { ...sent, target: '/orders/void?x=1' },
    { ...sent, headers: { ...sent.headers, 'content-digest': undefined } },
    { ...sent, headers: { ...sent.headers, signature: undefined } },
    { ...sent, headers: { ...sent.headers, signature: 'sig=:AAAA:' } },
    { ...sent, headers: { ...sent.headers, signature: 'nonsense' } },
    { ...sent, headers: { ...sent.headers, 'signature-input': 'sig=("@method");created=1' } },
    { ...sent, headers: { ...sent.headers, host: 'evil.example:8080' }, target: 'x' },
  ]
  for (const tampered of changed) expect(await refusal(tampered)).toBe('signature_invalid')
  expect(await refusal(sent)).toBeUndefined()
})

test('nothing can be appended to the query of a signed request, whichever components cover the target', async () => {
  const { key, post } = await makeSigningApp()
  for (const target of [['@target-uri'], ['@request-target'], ['@path', '@query']]) {
    const sent = await signed(post, { key, fields: ['@method', ...target, 'content-digest'] })
    for (const added of ['#with_payment_link=true', '#', '&y=2']) {
      expect(await refusal({ ...sent, target: `${sent.target}${added}` })).toBe('signature_invalid')
    }
    expect(await refusal(sent)).toBeUndefined()
  }
})

test('an expired signature and one with an unreadable expiry are refused', async () => {
  const { key, get } = await makeSigningApp()
  for (const seconds of ['1', '"2999-01-01"', '@32503680000']) {
    const { headers } = await signed(get, { key })
    const input = `${String(headers['signature-input'])};expires=${seconds}`
    expect(await refusal({ ...get, headers: { ...headers, 'signature-input': input } })).toBe(
      'signature_expired',
    )
  }
})

test('a signature that covers too little, is too old or too new, or was made with another key is refused', async () => {
  const { key, post } = await makeSigningApp()
  const uncovered = [
    ['@method', 'content-digest'],
    ['@target-uri', 'content-digest'],
    ['@method', '@target-uri'],
  ]
  const twice = ['@method', '@method', '@target-uri', 'content-digest']
  for (const fields of [...uncovered, ['@method', '@path', 'content-digest'], twice, []]) {
    expect(await refusal(await signed(post, { key, fields }))).toBe('signature_invalid')
  }
  for (const seconds of [-301, 302]) {
    const created = new Date(Date.now() + seconds * 1_000)
    expect(await refusal(await signed(post, { key, created }))).toBe('signature_expired')
  }
  expect(await refusal(await signed(post, { key, created: new Date(Date.now() - 290_000) }))).toBeUndefined()
  expect(await refusal(await signed(post, { key, created: null }))).toBe('signature_invalid')
  expect(await refusal(await signed(post, { key, alg: 'hmac-sha256' }))).toBe('signature_invalid')
  const other = generateKeyPairSync('ed25519').privateKey
  expect(await refusal(await signed(post, { key: other }))).toBe('signature_invalid')
})

test('a used nonce is deleted only once its signature is too old to be accepted', async () => {
  const { key, get, business } = await makeSigningApp()
  const { businessId } = business.live
  await authenticate(await signed(get, { key, created: new Date(Date.now() - 200_000) }))
  const purge = noncePurge(db)
  const run = { businessId, timeOf: (dueAt: Temporal.Instant) => dueAt }
  const now = realClock.now()
  const { rows } = await admin.query('select 1 from next_runs where business_id = $1 and job = $2', [
    businessId,
    purge.name,
  ])
  expect(rows).toHaveLength(1)
  expect(await purge.run({ ...run, until: now.add({ seconds: 99 }) })).toBe(0)
  expect(await purge.run({ ...run, until: now.add({ seconds: 401 }) })).toBe(1)
})

// Proves reference/access#public-keys.
test('only public keys of a supported kind can be registered', async () => {
  const { caller } = await makeBusiness()
  const exported = (key: KeyObject) => key.export({ format: 'jwk' }) as PublicJwk
  const rsa = exported(generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey)
  const short = exported(generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey)
  const ec = exported(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)
  const x25519 = exported(generateKeyPairSync('x25519').publicKey)
  const ed25519 = exported(generateKeyPairSync('ed25519').publicKey)
  for (const [use, key, param] of [
    ['signing', rsa, 'key.kty'],
    ['signing', { ...ed25519, kty: 'toString' }, 'key.kty'],
    ['signing', { ...ed25519, crv: 'X25519' }, 'key.crv'],
    ['signing', { kty: 'OKP', crv: 'Ed25519' }, 'key.x'],
    ['signing', { ...ed25519, x: 'AAAA' }, 'key'],
    ['encryption', ed25519, 'key.crv'],
    ['encryption', short, 'key.n'],
  ] as const) {
    await expect(account.registerPublicKey(caller, use, key)).rejects.toMatchObject({
      status: 422,
      detail: { param },
    })
  }
  for (const key of [rsa, ec, x25519]) {
    await account.registerPublicKey(caller, 'encryption', key)
    expect(await businesses.encryptionKey(caller)).toEqual(key)
  }
})

// Proves reference/access#public-keys.
test('a public key that is unsafe or cannot encrypt is refused when it is registered', async () => {
  const { caller } = await makeBusiness()
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({
    format: 'jwk',
  }) as PublicJwk
  const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
  const zeros = '00'.repeat(32)
  const one = `01${'00'.repeat(31)}`
  for (const [use, key, param] of [
    ['encryption', { kty: 'OKP', crv: 'X25519', x: base64url(zeros) }, 'key'],
    ['encryption', { kty: 'OKP', crv: 'X25519', x: base64url(one) }, 'key'],
    ['encryption', { ...rsa, e: 'AQ' }, 'key.e'],
    ['encryption', { ...rsa, e: 'Aw' }, 'key.e'],
    ['encryption', { ...rsa, e: 'AQAA' }, 'key.e'],
    // Points of order 1, 2, 4 and 8 (RFC 8032, section 5.1): anyone can forge signatures for them.
    ['signing', { kty: 'OKP', crv: 'Ed25519', x: base64url(one) }, 'key.x'],
    ['signing', { kty: 'OKP', crv: 'Ed25519', x: base64url(`ec${'ff'.repeat(30)}7f`) }, 'key.x'],
    ['signing', { kty: 'OKP', crv: 'Ed25519', x: base64url(zeros) }, 'key.x'],
    [
      'signing',
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: base64url('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
      },
      'key.x',
    ],
    // Not a point of the curve.
    ['signing', { kty: 'OKP', crv: 'Ed25519', x: base64url(`02${'00'.repeat(31)}`) }, 'key.x'],
  ] as const) {
    await expect(account.registerPublicKey(caller, use, key), JSON.stringify(key)).rejects.toMatchObject({
      status: 422,
      reason: 'public_key_invalid',
      detail: { param },
    })
  }
})
