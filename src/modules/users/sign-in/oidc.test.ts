import { expect, onTestFinished, test } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import { createFixture } from '../testing/fixture.ts'
import { startOidcServer } from '../testing/oidc-server.ts'
import { outcomeOf } from '../testing/reason.ts'

const fixture = await createFixture()
const START = '/console/api/auth/sign-in/social'
const LINK = '/console/api/auth/link-social'

async function withProvider() {
  const people = {
    jo: { email: 'jo@example.com', email_verified: true, name: 'Jo' },
    unproved: { email: 'unproved@example.com', email_verified: false, name: 'Mallory' },
    stranger: { email: 'stranger@example.com', email_verified: true, name: 'Stranger' },
    guest: { email: 'guest@example.com', email_verified: true, name: 'Guest' },
    successor: { email: 'jo@example.com', email_verified: true, name: 'Jo the second' },
  }
  const options = { sendsIdToken: true }
  const provider = await startOidcServer(people, onTestFinished, options)
  const service = await fixture.serve({ oidc: provider.oidc })
  provider.register(service.url)
  /** Returns where the browser ends up. */
  const signIn = async (
    page: Browser,
    subject: keyof typeof people,
    callbackURL = '/console',
    path = START,
  ) => {
    const begun = await page.send(path, { body: { provider: 'oidc', callbackURL } })
    expect(outcomeOf(begun)).toBe('200')
    const back = await provider.signIn(begun.body.url, subject)
    const cookies = new Map(page.cookies)
    const ended = await page.send(back)
    return { location: ended.headers.get('location') ?? '', back, cookies }
  }
  const link = (page: Browser, subject: keyof typeof people) =>
    signIn(page, subject, '/console/account', LINK)
  return { ...service, people, options, signIn, link }
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
  const { url, browser } = await withProvider()
  const others = [
    'https://evil.example/',
    'https://evil.example/console',
    `${url}@evil.example/console`,
    `${url.replace('//', '//console@')}/console`,
    `${url.replace('http:', 'https:')}/console`,
    '//evil.example',
    '//evil.example/console',
    '///evil.example/console',
    '/\\evil.example',
    '\\\\evil.example/console',
    '/\t/evil.example',
    '/\n/evil.example/console',
    '\t//evil.example/console',
    '/..//evil.example/console',
    '/..//evil.example/%2e%2e',
    '/console/..//evil.example/',
    '/console/%2e%2e//evil.example/',
    '/console/.%2E/%2F/evil.example/',
    '/console/\t../\\evil.example/',
    '/console//evil.example',
    '/console/%2f%2fevil.example',
    '/console/%5cevil.example',
    '/consolevil',
    '/svc/payment',
    'javascript:alert(1)',
    'data:text/html,console',
    'http:evil.example',
    7,
    null,
  ]
  for (const name of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
    for (const text of others) {
      const body = { provider: 'oidc', callbackURL: '/console', [name]: text }
      const begun = await browser().send(START, { body })
      expect([name, text, outcomeOf(begun)]).toEqual([name, text, '400 sign_in_refused'])
    }
  }
  const redirectTo = '/..//evil.example/'
  const reset = await browser().send('/console/api/auth/request-password-reset', {
    body: { email: 'jo@example.com', redirectTo },
  })
  expect(outcomeOf(reset)).toBe('400 sign_in_refused')
})

test('a refused sign-in leads to the page that asked, and to no other site', async () => {
  const { url, browser } = await withProvider()
  for (const [errorCallbackURL, page] of [
    [undefined, '/console/sign-in'],
    ['/console/sign-in?to=%2Forders', '/console/sign-in?to=%2Forders'],
    [`${url}/console`, '/console'],
    ['/x/../console/orders#last', '/console/orders'],
  ] as const) {
    const visitor = browser()
    const begun = await visitor.send(START, { body: { provider: 'oidc', errorCallbackURL } })
    const state = new URL(begun.body.url).searchParams.get('state')
    const ended = await visitor.send(`/console/api/auth/callback/oidc?state=${state}&error=access_denied`)
    const location = ended.headers.get('location') ?? ''
    expect(location.startsWith(url + page)).toBe(true)
    expect(new URL(location).searchParams.get('error')).toBe('access_denied')
  }
})

test('an address that the provider has not verified makes no user of an invitation', async () => {
  const { users, people, browser, signIn, records } = await withProvider()
  const { code } = await fixture.newBusiness()
  const owner = await fixture.newUser(users)
  await fixture.setRoles(code, owner.id, 'owner', 'owner')
  const office = browser()
  await office.signIn(owner.email, owner.password)
  const email = 'unproved@example.com'
  await fixture.admin.query('delete from users where email = $1', [email])
  await office.call('/svc/account/api/v1/openapi/invitations', code, 'test', {
    body: { invitation: { email, test_role: 'owner' } },
  })
  records.length = 0
  const page = browser()
  expect((await signIn(page, 'unproved')).location).toMatch(/error=email_not_verified/)
  expect(page.sessionCookie).toBeUndefined()
  expect((await fixture.admin.query('select from users where email = $1', [email])).rowCount).toBe(0)
  expect(records).toMatchObject([{ outcome: { outcome: 'refused', reason: 'email_not_verified' } }])
  people.unproved.email_verified = true
  await signIn(page, 'unproved')
  expect((await page.send('/console/api/session')).body.user.email).toBe(email)
  people.unproved.email_verified = false
  const again = browser()
  await signIn(again, 'unproved')
  expect(again.sessionCookie).toBeUndefined()
})

test('a provider that sends no id_token signs nobody in', async () => {
  const { users, options, browser, signIn } = await withProvider()
  await fixture.admin.query(`delete from users where email = 'jo@example.com'`)
  await fixture.newUser(users, { email: 'jo@example.com' })
  const page = browser()
  options.sendsIdToken = false
  expect((await signIn(page, 'jo')).location).toMatch(/error=/)
  expect(page.sessionCookie).toBeUndefined()
  options.sendsIdToken = true
  await signIn(page, 'jo')
  expect(page.sessionCookie).toBeDefined()
  options.sendsIdToken = false
  const again = browser()
  await signIn(again, 'jo')
  expect(again.sessionCookie).toBeUndefined()
})

test('an id_token in a request signs nobody in', async () => {
  const { browser } = await withProvider()
  const page = browser()
  const begun = await page.send(START, { body: { provider: 'oidc', idToken: { token: 'a.b.c' } } })
  expect(begun.body.url).toMatch(/code_challenge=.*nonce=|nonce=.*code_challenge=/)
  expect(page.sessionCookie).toBeUndefined()
})

test('a user has one subject, which only a link from inside a session replaces', async () => {
  const { users, browser, signIn, link, records } = await withProvider()
  await fixture.admin.query(`delete from users where email = 'jo@example.com'`)
  const user = await fixture.newUser(users, { email: 'jo@example.com' })
  const subjects = async () => {
    const { rows } = await fixture.admin.query(
      `select account_id from user_accounts where user_id = $1 and provider_id = 'oidc'`,
      [user.id],
    )
    return rows.map(({ account_id }) => String(account_id).split(' ')[1])
  }
  await signIn(browser(), 'jo')
  const page = browser()
  expect((await signIn(page, 'successor')).location).toMatch(/error=USER_HAS_OTHER_SUBJECT/)
  expect(page.sessionCookie).toBeUndefined()
  expect(await subjects()).toEqual(['jo'])

  expect(outcomeOf(await page.send(LINK, { body: { provider: 'oidc' } }))).toBe('401 session_ended')
  await page.signIn(user.email, user.password)
  records.length = 0
  expect((await link(page, 'successor')).location).toMatch(/\/console\/account$/)
  expect(await subjects()).toEqual(['successor'])
  expect(records.map(({ actor, action, outcome }) => [actor.id, action, outcome.outcome])).toEqual([
    [user.id, 'oidc_subjects.update', 'completed'],
  ])
  const later = browser()
  await signIn(later, 'successor')
  expect((await later.send('/console/api/session')).body.user.id).toBe(user.id)
  await signIn(browser(), 'jo')
  expect(await subjects()).toEqual(['successor'])
})

test('a link takes any verified address of the provider, but no subject of another user', async () => {
  const { users, people, browser, signIn, link, records } = await withProvider()
  await fixture.admin.query(`delete from users where email in ('jo@example.com', 'stranger@example.com')`)
  const user = await fixture.newUser(users, { email: 'other-name@example.com' })
  const page = browser()
  await page.signIn(user.email, user.password)
  people.stranger.email_verified = false
  expect((await link(page, 'stranger')).location).toMatch(/error=email_not_verified/)
  expect(records.at(-1)).toMatchObject({ action: 'oidc_subjects.update', outcome: { outcome: 'refused' } })
  people.stranger.email_verified = true
  await link(page, 'stranger')
  const again = browser()
  await signIn(again, 'stranger')
  expect((await again.send('/console/api/session')).body.user.id).toBe(user.id)
  await fixture.newUser(users, { email: 'jo@example.com' })
  await signIn(browser(), 'jo')
  expect((await link(page, 'jo')).location).toMatch(/error=account_already_linked_to_different_user/)
})

test('a link needs a sign-in of the last 24 hours, and the session that began it', async () => {
  const { users, browser, link } = await withProvider()
  await fixture.admin.query(`delete from users where email in ('jo@example.com', 'guest@example.com')`)
  const user = await fixture.newUser(users, { email: 'guest@example.com' })
  const page = browser()
  await page.signIn(user.email, user.password)
  await fixture.admin.query(
    `update user_sessions set created_at = now() - interval '25 hours' where user_id = $1`,
    [user.id],
  )
  const late = await page.send(LINK, { body: { provider: 'oidc' } })
  expect(outcomeOf(late)).toBe('403 fresh_sign_in_required')
  await page.signIn(user.email, user.password)
  const end = page.send.bind(page)
  page.send = async (path, request) => {
    if (path.includes('/callback/oidc')) {
      await fixture.admin.query('delete from user_sessions where user_id = $1', [user.id])
    }
    return end(path, request)
  }
  expect((await link(page, 'guest')).location).toMatch(/error=/)
  const { rowCount } = await fixture.admin.query(
    `select from user_accounts where user_id = $1 and provider_id = 'oidc'`,
    [user.id],
  )
  expect(rowCount).toBe(0)
})
