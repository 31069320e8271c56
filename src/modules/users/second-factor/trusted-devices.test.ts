import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { signInSecret } from '../sign-in/secret.ts'
import type { Browser } from '../testing/browser.ts'
import { enrol, enrolledUser, verifyCode } from '../testing/enrolled.ts'
import { createFixture } from '../testing/fixture.ts'
import { outcomeOf } from '../testing/reason.ts'
import { totpCode } from '../testing/totp.ts'

const fixture = await createFixture()
const AUTH = '/console/api/auth'
const DEVICES = '/console/api/trusted_devices'
const COOKIE = 'quittance.trusted_device'
const NEW_PASSWORD = 'a quite different passphrase'

async function trusting() {
  const enrolled = await enrolledUser(fixture)
  const { halfway, totpURI, user } = enrolled
  const device = await halfway()
  const usedCode = totpCode(totpURI, 1)
  expect(await verifyCode(device, usedCode, { trustDevice: true })).toBe('200')
  /** Whether the password alone signs in. */
  const isTrusted = async (password = user.password, by: Browser = device) => {
    await by.send(`${AUTH}/sign-out`, { body: {} })
    const { status, body } = await by.signIn(user.email, password)
    expect(status).toBe(200)
    expect(by.sessionCookie === undefined).toBe(body.twoFactorRedirect === true)
    return by.sessionCookie !== undefined
  }
  return { ...enrolled, device, usedCode, isTrusted }
}

type Trusting = Awaited<ReturnType<typeof trusting>>

/** Each of these ends the trust, and returns the new password if it sets one. */
const ENDS: Readonly<Record<string, (of: Trusting) => Promise<string | void>>> = {
  'the end of the device': async ({ page }) => {
    const [device] = (await page.send(DEVICES)).body.trusted_devices
    await page.send(`${DEVICES}/${device.id}`, { method: 'DELETE' })
  },
  'the end of all sessions': async ({ page }) => {
    await page.send('/console/api/sessions', { method: 'DELETE' })
  },
  'the end of all sessions by an owner': async ({ users, browser, user }) => {
    const { code } = await fixture.newBusiness()
    const owner = await fixture.newUser(users)
    await fixture.setRoles(code, owner.id, 'owner', 'owner')
    await fixture.setRoles(code, user.id, 'support', 'support')
    const office = browser()
    await office.signIn(owner.email, owner.password)
    const path = `/svc/account/api/v1/openapi/members/${user.id}/sessions`
    expect(outcomeOf(await office.call(path, code, 'live', { method: 'DELETE' }))).toBe('200')
  },
  'new backup codes': async ({ page, user: { password } }) => {
    await page.send(`${AUTH}/two-factor/generate-backup-codes`, { body: { password } })
  },
  'a factor that was disabled and enrolled again': async ({ page, user: { password } }) => {
    await page.send(`${AUTH}/two-factor/disable`, { body: { password } })
    await enrol(page, password)
  },
  'a changed password': async ({ page, user: { password } }) => {
    const body = { currentPassword: password, newPassword: NEW_PASSWORD }
    await page.send(`${AUTH}/change-password`, { body })
    return NEW_PASSWORD
  },
  'a reset password': async ({ users, browser, user }) => {
    const token = new URL(await users.passwordLink(user.email)).searchParams.get('token')
    await browser().send(`${AUTH}/reset-password`, { body: { token, newPassword: NEW_PASSWORD } })
    return NEW_PASSWORD
  },
  'a lockout of the factor': async ({ halfway }) => {
    const stranger = await halfway()
    const guesses = Array.from({ length: 6 }, () => verifyCode(stranger, '000000'))
    expect(await Promise.all(guesses)).toContain('429 too_many_attempts')
  },
}

// Proves reference/users#trusted-devices.
test.each(Object.entries(ENDS))('the trust in a device ends with %s', async (_name, end) => {
  const of = await trusting()
  expect(await of.isTrusted()).toBe(true)
  expect(await of.isTrusted((await end(of)) ?? of.user.password)).toBe(false)
})

test('disabling the user ends the trust in all devices', async () => {
  const { users, user } = await trusting()
  await users.disable(user.email)
  const { rows } = await fixture.admin.query('select from user_trusted_devices where user_id = $1', [user.id])
  expect(rows).toEqual([])
})

test('the trust outlives a sign-out, the end of one session and a wrong password', async () => {
  const { device, page, isTrusted } = await trusting()
  const { sessions } = (await page.send('/console/api/sessions')).body
  for (const { id, current } of sessions) {
    if (!current) await page.send(`/console/api/sessions/${id}`, { method: 'DELETE' })
  }
  await page.send(`${AUTH}/change-password`, {
    body: { currentPassword: 'not the password', newPassword: NEW_PASSWORD },
  })
  expect(outcomeOf(await device.send('/console/api/session'))).toBe('401 session_ended')
  expect(await isTrusted()).toBe(true)
})

test('no sign-in of the device at the same time outlives the end of its trust', async () => {
  const { device, page, user, browser, isTrusted } = await trusting()
  expect(await isTrusted()).toBe(true)
  const cookie = device.cookies.get(COOKIE) ?? ''
  const again = Array.from({ length: 6 }, () => {
    const copy = browser()
    copy.cookies.set(COOKIE, cookie)
    return copy
  })
  await Promise.all([
    ...again.map((copy) => copy.signIn(user.email, user.password)),
    page.send(`${AUTH}/two-factor/generate-backup-codes`, { body: { password: user.password } }),
  ])
  for (const copy of again) expect(await isTrusted(user.password, copy)).toBe(false)
})

test('a device is trusted only where that was wanted, for its user, for thirty days without a sign-in', async () => {
  const { device, halfway, backupCodes, users, browser, user, isTrusted } = await trusting()
  const other = await halfway()
  const body = { code: backupCodes[0], trustDevice: false }
  await other.send(`${AUTH}/two-factor/verify-backup-code`, { body })
  expect(await isTrusted(user.password, other)).toBe(false)

  const neighbour = await fixture.newUser(users)
  const theirs = browser()
  await theirs.signIn(neighbour.email, neighbour.password)
  await enrol(theirs, neighbour.password)
  device.cookies.delete('quittance.session_token')
  const half = await device.signIn(neighbour.email, neighbour.password)
  expect(half.body.twoFactorRedirect).toBe(true)

  const expiry = async () => {
    const { rows } = await fixture.admin.query(
      `select round(extract(epoch from expires_at - now()) / 86400)::integer as days
         from user_trusted_devices where user_id = $1`,
      [user.id],
    )
    return rows
  }
  await fixture.admin.query(`update user_trusted_devices set expires_at = now() + interval '1 day'`)
  expect(await isTrusted()).toBe(true)
  expect(await expiry()).toEqual([{ days: 30 }])
  await fixture.admin.query(`update user_trusted_devices set expires_at = now()`)
  expect(await isTrusted()).toBe(false)
})

test('the cookie of a device is hidden from scripts, and neither a made-up nor an older one is trusted', async () => {
  const { device, user, halfway, usedCode, isTrusted, browser } = await trusting()
  const { rows } = await fixture.admin.query('select * from user_trusted_devices where user_id = $1', [
    user.id,
  ])
  const [token = ''] = decodeURIComponent(device.cookies.get(COOKIE) ?? '').split('.')
  expect(token).not.toBe('')
  expect(JSON.stringify(rows)).not.toContain(token)
  const forger = browser()
  forger.cookies.set(COOKIE, `${token}.AAAA`)
  expect(await isTrusted(user.password, forger)).toBe(false)

  // Stores a device as earlier programs did, which did not list trusted devices.
  const secret = await signInSecret(fixture.db, fixture.keyring)
  const identifier = 'trust-device-of-an-older-program'
  await fixture.admin.query(
    `insert into user_verifications (id, identifier, value, expires_at, created_at, updated_at)
     values ('uvf_old', $1, $2, now() + interval '30 days', now(), now())`,
    [createHash('sha256').update(identifier).digest('base64url'), user.id],
  )
  const proof = createHmac('sha256', secret).update(`${user.id}!${identifier}`).digest('base64url')
  const value = `${proof}!${identifier}`
  const signature = createHmac('sha256', secret).update(value).digest('base64')
  const older = await halfway()
  older.cookies.set('quittance.trust_device', encodeURIComponent(`${value}.${signature}`))
  expect(await isTrusted(user.password, older)).toBe(false)
  expect(await verifyCode(await halfway(), usedCode)).toBe('401 sign_in_failed')
})

test('a user lists the own devices and ends one', async () => {
  const { device, page, user, users, browser, records } = await trusting()
  const listed = async (by: Browser) => (await by.send(DEVICES)).body.trusted_devices
  const [mine] = await listed(page)
  expect(await listed(page)).toEqual([
    {
      id: expect.stringMatching(/^utd_/),
      ip_address: '127.0.0.1',
      user_agent: expect.any(String),
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      expires_at: expect.any(String),
      current: false,
    },
  ])
  expect(await listed(device)).toMatchObject([{ id: mine.id, current: true }])
  const neighbour = await fixture.newUser(users)
  const stranger = browser()
  await stranger.signIn(neighbour.email, neighbour.password)
  expect(await listed(stranger)).toEqual([])
  const end = async (by: Browser) => outcomeOf(await by.send(`${DEVICES}/${mine.id}`, { method: 'DELETE' }))
  expect(await end(stranger)).toBe('404 trusted_device_not_found')
  expect(await end(page)).toBe('200')
  expect(await end(page)).toBe('404 trusted_device_not_found')
  expect(await listed(page)).toEqual([])
  const recorded = records.filter(({ object }) => object?.type === 'trusted_devices')
  expect(recorded.map(({ actor, action, object }) => [actor.id, action, object?.id])).toEqual([
    [user.id, 'trusted_devices.create', mine.id],
    [user.id, 'trusted_devices.delete', mine.id],
  ])
})
