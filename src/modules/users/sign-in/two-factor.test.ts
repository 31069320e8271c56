import { expect, test } from 'vitest'
import { createFixture } from '../testing/fixture.ts'
import { outcomeOf } from '../testing/reason.ts'
import { totpCode } from '../testing/totp.ts'

const fixture = await createFixture()
const AUTH = '/console/api/auth'
const WRONG_CODE = { code: '000000' }

async function withTwoFactor() {
  await fixture.admin.query('delete from sign_in_failures')
  const service = await fixture.serve()
  const user = await fixture.newUser(service.users)
  const page = service.browser()
  await page.signIn(user.email, user.password)
  const { password } = user
  const refused = await page.send(`${AUTH}/two-factor/enable`, { body: { password: 'wrong password' } })
  expect(outcomeOf(refused)).toBe('400 sign_in_refused')
  const enabled = await page.send(`${AUTH}/two-factor/enable`, { body: { password } })
  const { totpURI, backupCodes } = enabled.body as { totpURI: string; backupCodes: string[] }
  const before = page.sessionCookie
  const verified = await page.send(`${AUTH}/two-factor/verify-totp`, { body: { code: totpCode(totpURI) } })
  expect(outcomeOf(verified)).toBe('200')
  expect(page.sessionCookie).not.toBe(before)
  return { ...service, user, page, totpURI, backupCodes }
}

// Proves reference/users#second-factor.
test('with a second factor the password alone opens nothing', async () => {
  const { browser, user, page, totpURI } = await withTwoFactor()
  expect((await page.send('/console/api/session')).body.user.two_factor_enabled).toBe(true)
  const other = browser()
  const half = await other.signIn(user.email, user.password)
  expect(half.body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] })
  expect(other.sessionCookie).toBeUndefined()
  expect((await other.send('/console/api/session')).status).toBe(401)
  const wrong = await other.send(`${AUTH}/two-factor/verify-totp`, { body: WRONG_CODE })
  expect(outcomeOf(wrong)).toBe('401 sign_in_failed')
  const old = { code: totpCode(totpURI, -5) }
  expect(outcomeOf(await other.send(`${AUTH}/two-factor/verify-totp`, { body: old }))).toBe(
    '401 sign_in_failed',
  )
  const right = await other.send(`${AUTH}/two-factor/verify-totp`, { body: { code: totpCode(totpURI) } })
  expect(outcomeOf(right)).toBe('200')
  expect((await other.send('/console/api/session')).status).toBe(200)
})

test('a backup code works once', async () => {
  const { browser, user, backupCodes } = await withTwoFactor()
  const [code = ''] = backupCodes
  const use = async () => {
    const page = browser()
    await page.signIn(user.email, user.password)
    return outcomeOf(await page.send(`${AUTH}/two-factor/verify-backup-code`, { body: { code } }))
  }
  expect(await use()).toBe('200')
  expect(await use()).toBe('401 sign_in_failed')
})

test('five wrong codes lock the second factor, whatever the password', async () => {
  const { browser, user, totpURI } = await withTwoFactor()
  const verify = async (code: string) => {
    const page = browser()
    await page.signIn(user.email, user.password)
    return page.send(`${AUTH}/two-factor/verify-totp`, { body: { code } })
  }
  for (let attempt = 1; attempt <= 5; attempt++) {
    expect(outcomeOf(await verify('000000'))).toBe('401 sign_in_failed')
  }
  const locked = await verify(totpCode(totpURI))
  expect(outcomeOf(locked)).toBe('429 too_many_attempts')
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('the secret and the backup codes are stored encrypted', async () => {
  const { totpURI, backupCodes, user } = await withTwoFactor()
  const { rows } = await fixture.admin.query(
    'select secret, backup_codes from user_two_factors where user_id = $1',
    [user.id],
  )
  const stored = JSON.stringify(rows)
  expect(rows).toHaveLength(1)
  for (const code of backupCodes) expect(stored).not.toContain(code)
  expect(stored).not.toContain(new URL(totpURI).searchParams.get('secret'))
})
