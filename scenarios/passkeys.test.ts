import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createFixture } from '../src/modules/users/testing/fixture.ts'
import { sharedBrowser } from './harness/shared-browser.ts'

const fixture = await createFixture()
const chromium = await sharedBrowser()

const HTML = '<!doctype html><title>Passkeys</title>'

async function open({ isUserVerified = true } = {}) {
  const service = await fixture.serve({
    pages: (app) => {
      app.get('/console/test-page', (_request, reply) =>
        reply.header('content-security-policy', "default-src 'self'").type('text/html').send(HTML),
      )
    },
  })
  const context = await chromium.newContext()
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
    },
  })
  // Passkeys belong to names, and 127.0.0.1 is not a name.
  await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/console/test-page`)
  const user = await fixture.newUser(service.users)
  return { ...service, context, page, cdp, authenticatorId, user }
}

interface Answered {
  readonly status: number
  readonly body: { readonly name?: string; readonly user?: { readonly email: string } }
}

/** Calls the session API as a page does, which runs in the browser. */
function call(page: Page, path: string, sent?: object): Promise<Answered> {
  return page.evaluate(
    async ([target, body]) => {
      const response = await fetch(target, {
        method: body === undefined ? 'GET' : 'POST',
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      })
      return { status: response.status, body: (await response.json()) as Answered['body'] }
    },
    [`/console/api/${path}`, sent] as const,
  )
}

/**
 * Returns the response of the browser's own authenticator. The text runs in the page, whose types this project does
 * not have.
 */
function answer(page: Page, ceremony: 'create' | 'get', options: object): Promise<object> {
  const parse = ceremony === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON'
  return page.evaluate(`(async () => {
    const publicKey = PublicKeyCredential.${parse}(${JSON.stringify(options)})
    return (await navigator.credentials.${ceremony}({ publicKey })).toJSON()
  })()`)
}

async function register(page: Page) {
  const { body: options } = await call(page, 'auth/passkey/generate-register-options')
  const response = await answer(page, 'create', options)
  return call(page, 'auth/passkey/verify-registration', { response, name: 'Laptop' })
}

async function assert(page: Page) {
  const { body: options } = await call(page, 'auth/passkey/generate-authenticate-options')
  return answer(page, 'get', options)
}

// Proves reference/users#passkeys.
test('a passkey signs in without a password, and its response works once', async () => {
  const { page, context, user } = await open()
  const { email, password } = user
  expect((await call(page, 'auth/sign-in/email', { email, password })).status).toBe(200)
  expect(await register(page)).toMatchObject({ status: 200, body: { name: 'Laptop' } })
  const before = (await context.cookies()).find(({ name }) => name.endsWith('session_token'))
  expect(before).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  await context.clearCookies()
  expect((await call(page, 'session')).status).toBe(401)
  const response = await assert(page)
  const verified = await call(page, 'auth/passkey/verify-authentication', { response })
  expect(verified.status).toBe(200)
  expect(JSON.stringify(verified.body)).not.toContain('"token"')
  expect((await call(page, 'session')).body.user?.email).toBe(email)
  const after = (await context.cookies()).find(({ name }) => name.endsWith('session_token'))
  expect(after?.value).not.toBe(before?.value)
  await context.clearCookies()
  const replayed = await call(page, 'auth/passkey/verify-authentication', { response })
  expect(replayed.status).toBeGreaterThanOrEqual(400)
  expect((await call(page, 'session')).status).toBe(401)
})

test('adding, using and removing a passkey is in the audit log, and so is a refused one', async () => {
  const { page, context, user, records } = await open()
  const { email, password } = user
  await call(page, 'auth/sign-in/email', { email, password })
  await register(page)
  await context.clearCookies()
  const response = await assert(page)
  await call(page, 'auth/passkey/verify-authentication', { response })
  const id = records.find(({ action }) => action === 'passkeys.create')?.object?.id ?? ''
  expect((await call(page, 'auth/passkey/delete-passkey', { id })).status).toBe(200)
  await context.clearCookies()
  await call(page, 'auth/passkey/verify-authentication', { response })
  expect(
    records.map(({ actor, action, object, outcome }) => [
      actor.id,
      action,
      object?.type,
      outcome.reason ?? outcome.after,
    ]),
  ).toEqual([
    [user.id, 'sessions.create', 'sessions', { method: 'password' }],
    [user.id, 'passkeys.create', 'passkeys', undefined],
    [user.id, 'sessions.create', 'sessions', { method: 'passkey' }],
    [user.id, 'passkeys.delete', 'passkeys', undefined],
    ['unknown', 'sessions.create', undefined, expect.any(String)],
  ])
  expect(id).toMatch(/^pky_/)
})

test('a key that was only touched replaces no password', async () => {
  const { page, context, cdp, authenticatorId, user } = await open()
  const { email, password } = user
  await call(page, 'auth/sign-in/email', { email, password })
  expect((await register(page)).status).toBe(200)
  await context.clearCookies()
  const { body: options } = await call(page, 'auth/passkey/generate-authenticate-options')
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  const response = await answer(page, 'get', { ...options, userVerification: 'discouraged' })
  const refused = await call(page, 'auth/passkey/verify-authentication', { response })
  expect(refused).toMatchObject({ status: 401, body: { data: { error: { reason: 'sign_in_failed' } } } })
  expect((await call(page, 'session')).status).toBe(401)
})
