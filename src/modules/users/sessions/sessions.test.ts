import { expect, test } from 'vitest'
import { echoOrder } from '#platform/testing/test-server'
import type { Browser, BrowserRequest } from '../testing/browser.ts'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const ORDERS = '/api/v1/openapi/orders'
const ORDER = { order: { currency: 'HKD' } }
/** Longer than a look-up is cached. */
const AFTER_CACHES_MS = 300

const untilCachesEnd = () => new Promise((resolve) => setTimeout(resolve, AFTER_CACHES_MS))

async function signedIn() {
  const service = await fixture.serve({ routes: [echoOrder] })
  const business = await fixture.newBusiness()
  const user = await fixture.newUser(service.users)
  await fixture.setRoles(business.code, user.id, 'owner', 'read_only')
  const page = service.browser()
  expect((await page.signIn(user.email, user.password)).status).toBe(200)
  const pay = (request: BrowserRequest = {}, browser: Browser = page) =>
    browser.call(ORDERS, business.code, 'test', { body: ORDER, ...request })
  return { ...service, business, user, page, pay }
}

function reasonOf(reply: { status: number; body: { data?: { error?: { reason?: string } } } }) {
  return `${reply.status} ${reply.body.data?.error?.reason ?? ''}`
}

// Proves reference/users#sessions.
test('a session acts with the role that its user has in the business and environment', async () => {
  const { page, pay, business, user } = await signedIn()
  const session = await page.send('/console/api/session')
  expect(session.body).toMatchObject({
    user: { id: user.id, email: user.email, operator: false, two_factor_enabled: false, locale: 'en' },
    memberships: [{ business: { code: business.code }, test_role: 'owner', live_role: 'read_only' }],
    settings: { oidc: [], passkeys: true },
  })
  expect((await pay()).status).toBe(200)
  const live = await page.call(ORDERS, business.code, 'live', { body: ORDER })
  expect(reasonOf(live)).toBe('403 role_not_allowed')
  expect(live.body.message).toBe('Your role read_only in live does not have the scope payments:write.')
})

test('a session reaches no business that its user is not a member of, and an operator reaches all', async () => {
  const { page, users, browser } = await signedIn()
  const other = await fixture.newBusiness('Other')
  expect(reasonOf(await page.call(ORDERS, other.code, 'test', { body: ORDER }))).toBe('403 not_a_member')
  expect(reasonOf(await page.call(ORDERS, 'mch_none', 'test', { body: ORDER }))).toBe('403 not_a_member')
  const operator = await fixture.newUser(users, { operator: true })
  const office = browser()
  await office.signIn(operator.email, operator.password)
  expect((await office.call(ORDERS, other.code, 'live', { body: ORDER })).status).toBe(200)
  expect(reasonOf(await office.call(ORDERS, 'mch_none', 'test', { body: ORDER }))).toBe('403 not_a_member')
})

test('a request with a cookie must come from our own pages', async () => {
  const { pay, page, business } = await signedIn()
  const refused = '403 cross_site_request'
  expect(reasonOf(await pay({ headers: { origin: 'https://evil.example' } }))).toBe(refused)
  expect(reasonOf(await pay({ headers: { 'sec-fetch-site': 'cross-site' } }))).toBe(refused)
  expect(reasonOf(await pay({ headers: { 'sec-fetch-site': 'same-site' } }))).toBe(refused)
  expect(reasonOf(await pay({ headers: { 'sec-fetch-site': 'none' } }))).toBe(refused)
  expect(reasonOf(await pay({ headers: { origin: 'null' } }))).toBe(refused)
  expect(reasonOf(await pay({ headers: { origin: undefined, 'sec-fetch-site': undefined } }))).toBe(refused)
  // Browsers without Sec-Fetch-Site still send Origin.
  expect((await pay({ headers: { 'sec-fetch-site': undefined } })).status).toBe(200)
  for (const header of ['x-p-customer-code', 'quittance-environment']) {
    expect(reasonOf(await pay({ headers: { [header]: undefined } }))).toBe('400 session_header_missing')
  }
  expect(reasonOf(await pay({ headers: { 'quittance-environment': 'sandbox' } }))).toBe(
    '400 session_header_missing',
  )
  const evil = { headers: { origin: 'https://evil.example' } }
  expect(reasonOf(await page.send('/console/api/sessions', { method: 'DELETE', ...evil }))).toBe(refused)
  const signOut = '/console/api/auth/sign-out'
  expect(reasonOf(await page.send(signOut, { body: {}, ...evil }))).toBe(refused)
  const form = { 'content-type': 'text/plain' }
  expect(reasonOf(await page.send(signOut, { body: {}, headers: form }))).toBe('415 unsupported_media_type')
  expect((await page.call(ORDERS, business.code, 'test', { body: ORDER })).status).toBe(200)
})

test('with an Authorization header the cookie does not count', async () => {
  const { pay } = await signedIn()
  // The fixture knows no API keys, so only the composition of the service could admit one.
  const reply = await pay({ headers: { authorization: 'Bearer qk_test_nothing', cookie: undefined } })
  expect(reasonOf(reply)).toBe('401 unauthenticated')
})

// Proves reference/users#session-api.
test('every sign-in and every change of a password gives the session a new id', async () => {
  const { page, pay, user, browser } = await signedIn()
  const first = page.sessionCookie
  const planted = browser()
  planted.cookies.set('quittance.session_token', first ?? '')
  await planted.signIn(user.email, user.password)
  expect(planted.sessionCookie).not.toBe(first)
  const other = browser()
  await other.signIn(user.email, user.password)
  const newPassword = 'a quite different passphrase'
  const changed = await page.send('/console/api/auth/change-password', {
    body: { currentPassword: user.password, newPassword, revokeOtherSessions: false },
  })
  expect(changed.status).toBe(200)
  expect(JSON.stringify(changed.body)).not.toContain(page.sessionCookie?.slice(0, 20))
  expect(page.sessionCookie).not.toBe(first)
  await untilCachesEnd()
  expect((await pay()).status).toBe(200)
  expect(reasonOf(await pay({}, other))).toBe('401 session_ended')
  expect(reasonOf(await pay({ headers: { cookie: `quittance.session_token=${first}` } }))).toBe(
    '401 session_ended',
  )
})

test('a session that was ended, has expired, was changed or is made up opens nothing', async () => {
  const { page, pay, user, browser } = await signedIn()
  const stolen = page.sessionCookie ?? ''
  const [token = '', signature = ''] = decodeURIComponent(stolen).split('.')
  const withCookie = (value: string) =>
    pay({ headers: { cookie: `quittance.session_token=${encodeURIComponent(value)}` } })
  expect((await withCookie(`${token}.${signature}`)).status).toBe(200)
  const swapped = (token.startsWith('a') ? 'b' : 'a') + token.slice(1)
  for (const value of [
    `${swapped}.${signature}`,
    token,
    `${token}.`,
    `${token}.${signature.slice(4)}`,
    '%',
  ]) {
    expect(reasonOf(await withCookie(value)), value).toBe('401 session_ended')
  }
  const other = browser()
  await other.signIn(user.email, user.password)
  const { body } = await other.send('/console/api/sessions')
  expect(body.sessions).toHaveLength(2)
  const { id } = body.sessions.find(({ current }: { current: boolean }) => !current)
  expect((await other.send(`/console/api/sessions/${id}`, { method: 'DELETE' })).status).toBe(200)
  const again = await other.send(`/console/api/sessions/${id}`, { method: 'DELETE' })
  expect(reasonOf(again)).toBe('404 session_not_found')
  await untilCachesEnd()
  expect(reasonOf(await pay())).toBe('401 session_ended')
  expect((await page.send('/console/api/session')).status).toBe(401)
  expect((await pay({}, other)).status).toBe(200)
  await fixture.admin.query(`update user_sessions set expires_at = now() - interval '1 second'`)
  await untilCachesEnd()
  expect(reasonOf(await pay({}, other))).toBe('401 session_ended')
})

test('signing out ends the session, also for somebody who kept its cookie', async () => {
  const { page, pay } = await signedIn()
  const kept = page.sessionCookie
  expect((await page.send('/console/api/auth/sign-out', { body: {} })).status).toBe(200)
  expect(page.sessionCookie).toBeUndefined()
  await untilCachesEnd()
  const reply = await pay({ headers: { cookie: `quittance.session_token=${kept}` } })
  expect(reasonOf(reply)).toBe('401 session_ended')
})

test('a disabled user, a removed member and a changed role lose access at once', async () => {
  const { pay, page, users, user, business } = await signedIn()
  expect((await pay()).status).toBe(200)
  await fixture.setRoles(business.code, user.id, 'read_only', null)
  await untilCachesEnd()
  expect(reasonOf(await pay())).toBe('403 role_not_allowed')
  const live = await page.call(ORDERS, business.code, 'live', { body: ORDER })
  expect(live.body.message).toContain('You have no role in live')
  await fixture.admin.query('delete from memberships where user_id = $1', [user.id])
  await untilCachesEnd()
  expect(reasonOf(await pay())).toBe('403 not_a_member')
  await users.disable(user.email)
  expect(reasonOf(await pay())).toBe('401 session_ended')
  expect(reasonOf(await page.signIn(user.email, user.password))).toBe('403 account_disabled')
})

test('over HTTPS the cookie is bound to the host and hidden from scripts', async () => {
  const { users, server } = await fixture.serve({ publicUrl: () => 'https://pay.example.com/quittance' })
  const user = await fixture.newUser(users)
  const response = await fetch(`${server.url}/console/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://pay.example.com' },
    body: JSON.stringify({ email: user.email, password: user.password }),
  })
  expect(response.status).toBe(200)
  const [cookie = ''] = response.headers.getSetCookie()
  expect(cookie).toMatch(/^__Host-quittance\.session_token=/)
  for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/'])
    expect(cookie).toContain(attribute)
  expect(cookie).not.toContain('Domain')
})

test('operations of the sign-in library that nobody needs are not there', async () => {
  const { page } = await signedIn()
  for (const path of ['sign-up/email', 'update-user', 'delete-user', 'change-email', 'get-session']) {
    const reply = await page.send(`/console/api/auth/${path}`, { body: { email: 'new@example.com' } })
    expect(reasonOf(reply), path).toBe('404 route_not_found')
  }
})

test('a user sets the own name and locale', async () => {
  const { page } = await signedIn()
  const changed = await page.send('/console/api/profile', {
    method: 'PUT',
    body: { name: 'Jo', locale: 'zh-Hant' },
  })
  expect(changed.body.user).toMatchObject({ name: 'Jo', locale: 'zh-Hant' })
  expect((await page.send('/console/api/session')).body.user).toMatchObject({ name: 'Jo', locale: 'zh-Hant' })
  const unknown = await page.send('/console/api/profile', { method: 'PUT', body: { locale: 'tlh' } })
  expect(reasonOf(unknown)).toBe('400 invalid_member')
})

test('operators list and create businesses, and others do not', async () => {
  const { page, users, browser } = await signedIn()
  expect(reasonOf(await page.send('/console/api/businesses'))).toBe('403 operators_only')
  const operator = await fixture.newUser(users, { operator: true })
  const office = browser()
  await office.signIn(operator.email, operator.password)
  const body = { name: 'Nova', time_zone: 'Europe/Paris', currency: 'EUR' }
  const created = await office.send('/console/api/businesses', { body })
  expect(created.body).toMatchObject({ business: { name: 'Nova' } })
  const { businesses } = (await office.send('/console/api/businesses')).body
  expect(businesses).toContainEqual(
    expect.objectContaining({
      business: expect.objectContaining({ code: created.body.business.code, currency: 'EUR' }),
      test_role: 'owner',
      live_scopes: expect.arrayContaining(['payments:write', 'users:write']),
    }),
  )
  const wrong = await office.send('/console/api/businesses', { body: { name: 'X', currency: 'XQQ' } })
  expect(reasonOf(wrong)).toBe('422 business_not_valid')
})
