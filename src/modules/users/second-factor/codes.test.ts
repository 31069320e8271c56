import { expect, test } from 'vitest'
import { enrolledUser, verifyCode } from '../testing/enrolled.ts'
import { createFixture } from '../testing/fixture.ts'
import { outcomeOf } from '../testing/reason.ts'
import { totpCode } from '../testing/totp.ts'

const fixture = await createFixture()
const AUTH = '/console/api/auth'
const WRONG = '000000'
const REFUSED = '401 sign_in_failed'
const LOCKED = '429 too_many_attempts'

// Proves reference/users#second-factor.
test('with a second factor the password alone opens nothing', async () => {
  const { browser, user, page, totpURI, before } = await enrolledUser(fixture)
  expect(page.sessionCookie).not.toBe(before)
  expect((await page.send('/console/api/session')).body.user.two_factor_enabled).toBe(true)
  const other = browser()
  const half = await other.signIn(user.email, user.password)
  expect(half.body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] })
  expect(other.sessionCookie).toBeUndefined()
  expect((await other.send('/console/api/session')).status).toBe(401)
  expect(await verifyCode(other, WRONG)).toBe(REFUSED)
  expect(await verifyCode(other, totpCode(totpURI, -5))).toBe(REFUSED)
  expect(await verifyCode(other, totpCode(totpURI, 1))).toBe('200')
  expect((await other.send('/console/api/session')).status).toBe(200)
})

test('the factor is not turned on without the password', async () => {
  const { users, browser } = await fixture.serve()
  const user = await fixture.newUser(users)
  const page = browser()
  await page.signIn(user.email, user.password)
  const refused = await page.send(`${AUTH}/two-factor/enable`, { body: { password: 'wrong password' } })
  expect(outcomeOf(refused)).toBe('400 sign_in_refused')
})

test('a code works once, also the one that turned the factor on', async () => {
  const { halfway, page, code, totpURI } = await enrolledUser(fixture)
  expect(await verifyCode(await halfway(), code)).toBe(REFUSED)
  const next = totpCode(totpURI, 1)
  expect(await verifyCode(await halfway(), next)).toBe('200')
  expect(await verifyCode(await halfway(), next)).toBe(REFUSED)
  expect(await verifyCode(page, next)).toBe(REFUSED)
})

test('of two sign-ins with the same code at once one wins', async () => {
  const { halfway, totpURI } = await enrolledUser(fixture)
  const pages = [await halfway(), await halfway()]
  const code = totpCode(totpURI, 1)
  const outcomes = await Promise.all(pages.map((page) => verifyCode(page, code)))
  expect(outcomes.toSorted()).toEqual(['200', REFUSED])
})

test('a backup code works once', async () => {
  const { halfway, backupCodes } = await enrolledUser(fixture)
  const [code = ''] = backupCodes
  const use = async () => {
    const page = await halfway()
    return outcomeOf(await page.send(`${AUTH}/two-factor/verify-backup-code`, { body: { code } }))
  }
  expect(await use()).toBe('200')
  expect(await use()).toBe(REFUSED)
})

test('five wrong codes lock the second factor, whatever the password, and the lock ends', async () => {
  const { halfway, totpURI, user, records } = await enrolledUser(fixture)
  for (let attempt = 1; attempt <= 5; attempt++) {
    expect(await verifyCode(await halfway(), WRONG)).toBe(REFUSED)
  }
  const page = await halfway()
  const right = { code: totpCode(totpURI, 1) }
  const locked = await page.send(`${AUTH}/two-factor/verify-totp`, { body: right })
  expect(outcomeOf(locked)).toBe(LOCKED)
  const seconds = Number(locked.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(890)
  expect(seconds).toBeLessThanOrEqual(900)
  const locks = records.filter(({ action }) => action === 'two_factor.lock')
  expect(locks).toMatchObject([
    { actor: { id: user.id }, ipAddress: '127.0.0.1', requestId: expect.stringMatching(/^req_/) },
  ])
  await fixture.admin.query(`
    update sign_in_failures set window_ends = window_ends - interval '15 minutes', locked_until = locked_until - interval '15 minutes'`)
  expect(await verifyCode(await halfway(), right.code)).toBe('200')
})

test.each([1, 8])('forty wrong codes at once in %i sign-ins lock the second factor', async (signIns) => {
  const { halfway, totpURI } = await enrolledUser(fixture)
  const pages = await Promise.all(Array.from({ length: signIns }, halfway))
  const guess = (page: (typeof pages)[number]) =>
    Array.from({ length: 40 / signIns }, (_, index) => verifyCode(page, String(100_000 + index)))
  const outcomes = await Promise.all(pages.flatMap(guess))
  expect(outcomes.filter((outcome) => outcome === REFUSED)).toHaveLength(5)
  expect(outcomes.filter((outcome) => outcome === LOCKED)).toHaveLength(35)
  expect(await verifyCode(await halfway(), totpCode(totpURI, 1))).toBe(LOCKED)
})

test('the right code forgets the wrong ones before', async () => {
  const { halfway, totpURI, backupCodes } = await enrolledUser(fixture)
  for (let attempt = 1; attempt <= 4; attempt++) await verifyCode(await halfway(), WRONG)
  expect(await verifyCode(await halfway(), totpCode(totpURI, 1))).toBe('200')
  for (let attempt = 1; attempt <= 4; attempt++) await verifyCode(await halfway(), WRONG)
  const page = await halfway()
  const used = await page.send(`${AUTH}/two-factor/verify-backup-code`, { body: { code: backupCodes[0] } })
  expect(outcomeOf(used)).toBe('200')
})

test('the secret and the backup codes are stored encrypted', async () => {
  const { totpURI, backupCodes, user } = await enrolledUser(fixture)
  const { rows } = await fixture.admin.query(
    'select secret, backup_codes from user_two_factors where user_id = $1',
    [user.id],
  )
  const stored = JSON.stringify(rows)
  expect(rows).toHaveLength(1)
  for (const code of backupCodes) expect(stored).not.toContain(code)
  expect(stored).not.toContain(new URL(totpURI).searchParams.get('secret'))
})
