import { expect, test } from 'vitest'
import { userRoutes } from '../api/routes.ts'
import type { Browser } from '../testing/browser.ts'
import { createFixture } from '../testing/fixture.ts'
import { startOidcServer } from '../testing/oidc-server.ts'
import { outcomeOf } from '../testing/reason.ts'

const fixture = await createFixture()

async function withProvider() {
  const people = {
    jo: { email: 'jo@example.com', email_verified: true, name: 'Jo' },
    unproved: { email: 'unproved@example.com', email_verified: false, name: 'Mallory' },
    stranger: { email: 'stranger@example.com', email_verified: true, name: 'Stranger' },
    guest: { email: 'guest@example.com', email_verified: true, name: 'Guest' },
  }
  const provider = await startOidcServer(people)
  const service = await fixture.serve({ oidc: provider.oidc, routesOf: userRoutes })
  provider.register(service.url)
  /** Returns where the browser ends up. */
  const signIn = async (page: Browser, subject: keyof typeof people, callbackURL = '/console') => {
    const begun = await page.send('/console/api/auth/sign-in/social', {
      body: { provider: 'oidc', callbackURL },
    })
    expect(outcomeOf(begun)).toBe('200')
    const back = await provider.signIn(begun.body.url, subject)
    const cookies = new Map(page.cookies)
    const ended = await page.send(back)
    return { location: ended.headers.get('location') ?? '', back, cookies }
  }
  return { ...service, signIn }
}

// Proves reference/users#oidc.
test('a user signs in with the OpenID provider by the proved address, and again by the subject', async () => {
  const { users, browser, signIn, records } = await withProvider()
  const user = await fixture.newUser(users, { email: 'jo@example.com' })
  const page = browser()
  expect((await page.send('/console/api/settings')).body.settings.oidc).toEqual([
    { id: 'oidc', name: 'Acme login' },
  ])
  expect((await signIn(page, 'jo', '/console/orders')).location).toMatch(/\/console\/orders$/)
  expect((await page.send('/console/api/session')).body.user).toMatchObject({ id: user.id })
  expect(records).toMatchObject([{ actor: { id: user.id }, outcome: { after: { method: 'oidc' } } }])
  await fixture.admin.query(`update users set email = 'renamed@example.com' where id = $1`, [user.id])
  const again = browser()
  await signIn(again, 'jo')
  expect((await again.send('/console/api/session')).body.user.id).toBe(user.id)
  const { rows } = await fixture.admin.query(
    `select access_token, refresh_token, id_token from user_accounts where provider_id = 'oidc'`,
  )
  expect(rows).toEqual([{ access_token: null, refresh_token: null, id_token: null }])
})

test('an address that the provider or the user did not prove opens no account', async () => {
  const { users, browser, signIn, records } = await withProvider()
  await fixture.newUser(users, { email: 'unproved@example.com' })
  const page = browser()
  expect((await signIn(page, 'unproved')).location).toMatch(/\/console\/sign-in\?error=/)
  expect(page.sessionCookie).toBeUndefined()
  const { id } = await fixture.newUser(users, { email: 'stranger@example.com' })
  await fixture.admin.query('update users set email_verified = false where id = $1', [id])
  expect((await signIn(page, 'stranger')).location).toMatch(/error=/)
  expect(page.sessionCookie).toBeUndefined()
  expect(records.map(({ action, outcome }) => [action, outcome.reason])).toEqual([
    ['sessions.create', 'account_not_linked'],
    ['sessions.create', 'account_not_linked'],
  ])
})

test('only an invited address makes a new user', async () => {
  const { users, browser, signIn } = await withProvider()
  const { code } = await fixture.newBusiness()
  const owner = await fixture.newUser(users)
  await fixture.setRoles(code, owner.id, 'owner', 'owner')
  const page = browser()
  await signIn(page, 'guest')
  expect(page.sessionCookie).toBeUndefined()
  const { rowCount } = await fixture.admin.query(`select from users where email = 'guest@example.com'`)
  expect(rowCount).toBe(0)
  const office = browser()
  await office.signIn(owner.email, owner.password)
  const invitation = { email: 'guest@example.com', test_role: 'support' }
  const invited = await office.call('/svc/account/api/v1/openapi/invitations', code, 'test', {
    body: { invitation },
  })
  const path = `/console/api/invitations/${invited.body.data.link.split('/').at(-1)}`
  await signIn(page, 'guest')
  expect((await page.send('/console/api/session')).body).toMatchObject({
    user: { email: 'guest@example.com', operator: false },
    memberships: [],
  })
  expect(outcomeOf(await page.send(`${path}/accept`, { body: {} }))).toBe('200')
  expect((await page.send('/console/api/session')).body.memberships).toMatchObject([{ test_role: 'support' }])
})

test('a disabled user is not let in by the provider', async () => {
  const { users, browser, signIn, records } = await withProvider()
  const user = await fixture.newUser(users, { email: 'jo@example.com' })
  await users.disable(user.email)
  const page = browser()
  await signIn(page, 'jo')
  expect(page.sessionCookie).toBeUndefined()
  expect((await page.send('/console/api/session')).status).toBe(401)
  expect(records).toMatchObject([{ action: 'sessions.create', outcome: { outcome: 'refused' } }])
})

test('a code of the provider works once, and only in the browser that asked for it', async () => {
  const { users, browser, signIn } = await withProvider()
  await fixture.admin.query(`delete from users where email = 'jo@example.com'`)
  await fixture.newUser(users, { email: 'jo@example.com' })
  const page = browser()
  const { back, cookies } = await signIn(page, 'jo')
  expect(page.sessionCookie).toBeDefined()
  const victim = browser()
  await victim.send(back)
  expect(victim.sessionCookie).toBeUndefined()
  const replay = browser()
  for (const [name, value] of cookies) replay.cookies.set(name, value)
  await replay.send(back)
  expect(replay.sessionCookie).toBeUndefined()
})

test('the sign-in sends nobody to another site', async () => {
  const { browser } = await withProvider()
  const body = { provider: 'oidc', callbackURL: 'https://evil.example/' }
  const begun = await browser().send('/console/api/auth/sign-in/social', { body })
  expect(outcomeOf(begun)).toBe('400 sign_in_refused')
})
