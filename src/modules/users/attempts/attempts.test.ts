import { expect, test } from 'vitest'
import { createFixture } from '../testing/fixture.ts'
import { outcomeOf } from '../testing/reason.ts'

const fixture = await createFixture()
const WRONG = 'not the password at all'
const { admin } = fixture

async function freshStart() {
  await admin.query('delete from sign_in_failures')
  return fixture.serve()
}

// Proves reference/users#lockout.
test('after ten wrong passwords an account is locked in all processes, and the lock ends by itself', async () => {
  const one = await freshStart()
  const other = await fixture.serve()
  const user = await fixture.newUser(one.users)
  for (let attempt = 1; attempt <= 10; attempt++) {
    const { browser } = attempt % 2 === 0 ? one : other
    expect(outcomeOf(await browser().signIn(user.email, WRONG))).toBe('401 sign_in_failed')
  }
  for (const { browser } of [one, other]) {
    const locked = await browser().signIn(user.email.toUpperCase(), user.password)
    expect(outcomeOf(locked)).toBe('429 too_many_attempts')
    const seconds = Number(locked.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(890)
    expect(seconds).toBeLessThanOrEqual(900)
    expect(locked.body.message).toMatch(/locked/)
  }
  const neighbour = await fixture.newUser(one.users)
  expect(outcomeOf(await one.browser().signIn(neighbour.email, neighbour.password))).toBe('200')
  await admin.query(`
    update sign_in_failures set window_ends = window_ends - interval '15 minutes', locked_until = locked_until - interval '15 minutes'`)
  expect(outcomeOf(await one.browser().signIn(user.email, user.password))).toBe('200')
})

test('guesses at the same time are counted one by one', async () => {
  const { users, browser } = await freshStart()
  const user = await fixture.newUser(users)
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, async () => outcomeOf(await browser().signIn(user.email, WRONG))),
  )
  expect(outcomes.filter((outcome) => outcome === '401 sign_in_failed')).toHaveLength(10)
  expect(outcomes.filter((outcome) => outcome === '429 too_many_attempts')).toHaveLength(20)
})

test('the right password forgets the wrong ones before', async () => {
  const { users, browser } = await freshStart()
  const user = await fixture.newUser(users)
  for (let round = 1; round <= 2; round++) {
    for (let attempt = 1; attempt <= 9; attempt++) await browser().signIn(user.email, WRONG)
    expect(outcomeOf(await browser().signIn(user.email, user.password))).toBe('200')
  }
})

test('an address that guesses at many accounts is locked, and others are not', async () => {
  const { users, browser } = await fixture.serve()
  const user = await fixture.newUser(users)
  const guess = (address: string, email: string, password: string) =>
    browser().send('/console/api/auth/sign-in/email', {
      body: { email, password },
      headers: { 'x-forwarded-for': address },
    })
  await admin.query('delete from sign_in_failures')
  await guess('203.0.113.9', 'somebody@example.com', WRONG)
  await admin.query(`update sign_in_failures set failures = 99 where name like 'address:%'`)
  expect(outcomeOf(await guess('203.0.113.9', 'nobody@example.com', WRONG))).toBe('401 sign_in_failed')
  const locked = await guess('203.0.113.9', user.email, user.password)
  expect(outcomeOf(locked)).toBe('429 too_many_attempts')
  expect(outcomeOf(await guess('203.0.113.10', user.email, user.password))).toBe('200')
})

test('a wrong address and a wrong password get the same response', async () => {
  const { users, browser } = await freshStart()
  const user = await fixture.newUser(users)
  const unknown = await browser().signIn('nobody@example.com', WRONG)
  const wrong = await browser().signIn(user.email, WRONG)
  const shown = ({ status, body }: typeof wrong) => ({
    status,
    body: { ...body, data: { error: { ...body.data.error, request_id: '' } } },
  })
  expect(shown(unknown)).toEqual(shown(wrong))
})

test('guesses from one network address lock the account for that address alone', async () => {
  const { users, browser } = await fixture.serve()
  await admin.query('delete from sign_in_failures')
  const user = await fixture.newUser(users)
  const signIn = async (address: string, password: string) =>
    outcomeOf(
      await browser().send('/console/api/auth/sign-in/email', {
        body: { email: user.email, password },
        headers: { 'x-forwarded-for': address },
      }),
    )
  for (let attempt = 1; attempt <= 10; attempt++) await signIn('203.0.113.9', WRONG)
  expect(await signIn('203.0.113.9', user.password)).toBe('429 too_many_attempts')
  expect(await signIn('198.51.100.1', user.password)).toBe('200')
  expect(await signIn('203.0.113.9', user.password)).toBe('429 too_many_attempts')
  for (let attempt = 1; attempt <= 10; attempt++) await signIn('2001:db8:1:2::1', WRONG)
  expect(await signIn('2001:db8:1:2:ffff::2', user.password)).toBe('429 too_many_attempts')
  expect(await signIn('2001:db8:1:3::1', user.password)).toBe('200')
})

// Proves reference/users#passwords.
test('a reset of the password unlocks the account for every address', async () => {
  const { users, browser } = await freshStart()
  const user = await fixture.newUser(users)
  const neighbour = await fixture.newUser(users)
  for (const { email } of [user, neighbour]) {
    for (let attempt = 1; attempt <= 10; attempt++) await browser().signIn(email, WRONG)
    expect(outcomeOf(await browser().signIn(email, user.password))).toBe('429 too_many_attempts')
  }
  const token = new URL(await users.passwordLink(user.email)).searchParams.get('token')
  const newPassword = 'a quite different passphrase'
  const reset = await browser().send('/console/api/auth/reset-password', { body: { token, newPassword } })
  expect(outcomeOf(reset)).toBe('200')
  expect(outcomeOf(await browser().signIn(user.email, newPassword))).toBe('200')
  expect(outcomeOf(await browser().signIn(neighbour.email, user.password))).toBe('429 too_many_attempts')
})

test('a stolen session has ten guesses at the password', async () => {
  const { users, browser, records } = await freshStart()
  const user = await fixture.newUser(users)
  const page = browser()
  const other = browser()
  await page.signIn(user.email, user.password)
  await other.signIn(user.email, user.password)
  const newPassword = 'a quite different passphrase'
  const AUTH = '/console/api/auth'
  const changePassword = () =>
    page.send(`${AUTH}/change-password`, { body: { currentPassword: WRONG, newPassword } })
  const enableSecondFactor = () => page.send(`${AUTH}/two-factor/enable`, { body: { password: WRONG } })
  for (let attempt = 0; attempt < 10; attempt++) {
    const guess = attempt % 2 === 0 ? changePassword : enableSecondFactor
    expect(outcomeOf(await guess())).toMatch(/^40/)
  }
  records.length = 0
  for (const guess of [changePassword, enableSecondFactor])
    expect(outcomeOf(await guess())).toBe('429 too_many_attempts')
  const change = { body: { currentPassword: user.password, newPassword } }
  expect(outcomeOf(await other.send(`${AUTH}/change-password`, change))).toBe('429 too_many_attempts')
  expect(records).toMatchObject([
    { actor: { id: user.id }, action: 'users.lock', object: { type: 'users', id: user.id } },
  ])
  expect(outcomeOf(await browser().signIn(user.email, user.password))).toBe('200')
  await admin.query(`update sign_in_failures set failures = 9, locked_until = null`)
  expect(outcomeOf(await other.send(`${AUTH}/change-password`, change))).toBe('200')
  const again = { body: { currentPassword: newPassword, newPassword: user.password } }
  expect(outcomeOf(await other.send(`${AUTH}/change-password`, again))).toBe('200')
})

test('a request with NUL in a text is refused and is no failure of the service', async () => {
  const { users, browser } = await freshStart()
  const user = await fixture.newUser(users)
  const page = browser()
  await page.signIn(user.email, user.password)
  const nul = 'jo\u0000@example.com'
  for (const [path, body] of [
    ['auth/sign-in/email', { email: nul, password: WRONG }],
    ['auth/request-password-reset', { email: nul }],
    ['auth/passkey/verify-authentication', { response: { id: nul } }],
    ['auth/passkey/delete-passkey', { id: nul }],
    ['auth/change-password', { currentPassword: nul, newPassword: WRONG }],
    ['auth/sign-in/email', { email: user.email, password: WRONG, [nul]: 1 }],
    ['setup', { token: 'x', name: 'Jo', email: nul, password: WRONG }],
  ] as const) {
    expect([path, (await page.send(`/console/api/${path}`, { body })).status]).toEqual([path, 400])
  }
  for (const path of ['sessions/%00', 'sessions/ses_%00']) {
    expect((await page.send(`/console/api/${path}`, { method: 'DELETE' })).status).toBe(404)
  }
  expect((await page.send('/console/api/invitations/%00')).status).toBe(404)
})
