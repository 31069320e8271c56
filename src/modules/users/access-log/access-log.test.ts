import { expect, test } from 'vitest'
import { addressKey } from '#platform/http/rate-limit'
import { createFixture, PASSWORD } from '../testing/fixture.ts'
import { outcomeOf } from '../testing/reason.ts'
import { totpCode } from '../testing/totp.ts'
import type { AccessRecord } from './access-record.ts'

const fixture = await createFixture()
const AUTH = '/console/api/auth'
const NEW_PASSWORD = 'a quite different passphrase'
const AGENT = { 'user-agent': 'Firefox/200.0' }

async function service() {
  await fixture.admin.query('delete from sign_in_failures')
  const served = await fixture.serve()
  const user = await fixture.newUser(served.users)
  const page = served.browser()
  /** What was recorded since the last call. */
  const recorded = () => served.records.splice(0)
  return { ...served, user, page, recorded }
}

function shown({ actor, action, outcome, object }: AccessRecord) {
  return [actor.id, action, outcome.reason ?? outcome.outcome, object?.type]
}

// Proves reference/logs#audit-entries.
test('a sign-in and the end of a session are recorded with the place that they came from', async () => {
  const { page, user, recorded, browser } = await service()
  await page.send(`${AUTH}/sign-in/email`, {
    body: { email: user.email, password: PASSWORD },
    headers: AGENT,
  })
  const [signedIn, ...others] = recorded()
  expect(others).toEqual([])
  expect(signedIn).toEqual({
    businessId: null,
    actor: { type: 'user', id: user.id },
    action: 'sessions.create',
    object: { type: 'sessions', id: expect.stringMatching(/^ses_/) },
    ipAddress: '127.0.0.1',
    userAgent: 'Firefox/200.0',
    requestId: expect.stringMatching(/^req_/),
    outcome: { outcome: 'completed', after: { method: 'password' } },
  })
  await browser().signIn(user.email, PASSWORD)
  const [second] = recorded()
  const id = second?.object?.id ?? ''
  expect(outcomeOf(await page.send(`/console/api/sessions/${id}`, { method: 'DELETE' }))).toBe('200')
  await page.send('/console/api/sessions', { method: 'DELETE' })
  await page.send(`${AUTH}/sign-out`, { body: {} })
  const ended = recorded()
  expect(ended.map(shown)).toEqual([
    [user.id, 'sessions.delete', 'completed', 'sessions'],
    [user.id, 'sessions.delete', 'completed', undefined],
    [user.id, 'sessions.delete', 'completed', 'sessions'],
  ])
  expect([ended[0]?.object?.id, ended[2]?.object?.id]).toEqual([id, signedIn?.object?.id])
})

test('records and sessions have the address that a trusted proxy names, and never another text', async () => {
  const { page, user, recorded } = await service()
  for (const [sent, kept] of [
    ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['2001:db8::17', '2001:0db8:0000:0000:0000:0000:0000:0017'],
    ['<script>alert(1)</script>', '127.0.0.1'],
  ] as const) {
    await page.send(`${AUTH}/sign-in/email`, {
      body: { email: user.email, password: PASSWORD },
      headers: { 'x-forwarded-for': sent },
    })
    const [{ ipAddress } = { ipAddress: undefined }] = recorded()
    const { sessions } = (await page.send('/console/api/sessions')).body
    const current = sessions.find((session: { current: boolean }) => session.current)
    expect([addressKey(ipAddress ?? ''), current.ip_address]).toEqual([addressKey(kept), kept])
  }
})

test('a refused sign-in is recorded with its reason, and what was typed instead of an address is not', async () => {
  const { page, user, users, recorded } = await service()
  await page.signIn(user.email, 'not the password')
  await page.signIn('my-secret-word@example.com', PASSWORD)
  await users.disable(user.email)
  await page.signIn(user.email, PASSWORD)
  const records = recorded()
  expect(records.map(shown)).toEqual([
    [user.id, 'sessions.create', 'sign_in_failed', undefined],
    ['unknown', 'sessions.create', 'sign_in_failed', undefined],
    [user.id, 'sessions.create', 'account_disabled', undefined],
  ])
  expect(JSON.stringify(records)).not.toContain('my-secret-word')
})

test('a lock is recorded once', async () => {
  const { page, user, recorded } = await service()
  for (let attempt = 1; attempt <= 13; attempt++) await page.signIn(user.email, 'not the password')
  const actions = recorded().map(shown)
  expect(actions.slice(0, 10)).toEqual(
    Array.from({ length: 10 }, () => [user.id, 'sessions.create', 'sign_in_failed', undefined]),
  )
  expect(actions.slice(10)).toEqual([[user.id, 'users.lock', 'completed', 'users']])
})

test('changes of the password and of the second factor are recorded, without passwords, codes and links', async () => {
  const { page, user, users, recorded, browser } = await service()
  await page.signIn(user.email, PASSWORD)
  await page.send(`${AUTH}/change-password`, {
    body: { currentPassword: 'wrong', newPassword: NEW_PASSWORD },
  })
  await page.send(`${AUTH}/change-password`, {
    body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
  })
  const enabled = await page.send(`${AUTH}/two-factor/enable`, { body: { password: NEW_PASSWORD } })
  const { totpURI, backupCodes } = enabled.body as { totpURI: string; backupCodes: string[] }
  const code = totpCode(totpURI)
  await page.send(`${AUTH}/two-factor/verify-totp`, { body: { code } })
  const other = browser()
  await other.signIn(user.email, NEW_PASSWORD)
  await other.send(`${AUTH}/two-factor/verify-totp`, { body: { code: '000000' } })
  const next = totpCode(totpURI, 1)
  await other.send(`${AUTH}/two-factor/verify-totp`, { body: { code: next } })
  const third = browser()
  await third.signIn(user.email, NEW_PASSWORD)
  await third.send(`${AUTH}/two-factor/verify-backup-code`, { body: { code: backupCodes[0] } })
  await page.send(`${AUTH}/two-factor/generate-backup-codes`, { body: { password: NEW_PASSWORD } })
  await page.send(`${AUTH}/two-factor/disable`, { body: { password: NEW_PASSWORD } })
  const link = await users.passwordLink(user.email)
  const token = new URL(link).searchParams.get('token') ?? ''
  await browser().send(`${AUTH}/reset-password`, { body: { token, newPassword: PASSWORD } })
  const records = recorded()
  expect(records.map(shown)).toEqual([
    [user.id, 'sessions.create', 'completed', 'sessions'],
    [user.id, 'passwords.update', 'sign_in_refused', undefined],
    [user.id, 'passwords.update', 'completed', undefined],
    [user.id, 'two_factor.enable', 'completed', undefined],
    [user.id, 'sessions.create', 'sign_in_failed', undefined],
    [user.id, 'sessions.create', 'completed', 'sessions'],
    [user.id, 'sessions.create', 'completed', 'sessions'],
    [user.id, 'backup_codes.create', 'completed', undefined],
    [user.id, 'two_factor.disable', 'completed', undefined],
    [user.id, 'passwords.reset', 'completed', undefined],
  ])
  expect(records.map(({ outcome }) => outcome.after).filter((after) => after !== undefined)).toEqual([
    { method: 'password' },
    { method: 'code' },
    { method: 'backup_code' },
  ])
  const text = JSON.stringify(records)
  const cookies = [page, other, third].map(({ sessionCookie = '' }) => sessionCookie.split('.')[0] ?? '')
  for (const secret of [PASSWORD, NEW_PASSWORD, code, next, token, ...backupCodes, ...cookies]) {
    if (secret !== '') expect(text).not.toContain(secret)
  }
})

test('the use of an invitation stands in the chain of each environment that it opens', async () => {
  const { page, user, recorded, browser } = await service()
  const business = await fixture.newBusiness()
  await fixture.setRoles(business.code, user.id, 'owner', 'owner')
  await page.signIn(user.email, PASSWORD)
  const invite = async (roles: object) => {
    const email = `${crypto.randomUUID()}@example.com`
    const reply = await page.call('/svc/account/api/v1/openapi/invitations', business.code, 'live', {
      body: { invitation: { email, ...roles } },
    })
    const token = String(reply.body.data.link).split('/').at(-1) ?? ''
    recorded()
    const body = { name: 'Jo', password: NEW_PASSWORD }
    await browser().send(`/console/api/invitations/${token}/accept`, { body })
    const records = recorded()
    expect(JSON.stringify(records)).not.toContain(token)
    return { id: reply.body.data.invitation.id as string, records }
  }
  const both = await invite({ test_role: 'developer', live_role: 'read_only' })
  expect(
    both.records.map(({ businessId, action, object, outcome }) => [
      businessId,
      action,
      object,
      outcome.after,
    ]),
  ).toEqual([
    [business.testId, 'invitations.accept', { type: 'invitations', id: both.id }, { role: 'developer' }],
    [business.liveId, 'invitations.accept', { type: 'invitations', id: both.id }, { role: 'read_only' }],
  ])
  const one = await invite({ test_role: 'developer', live_role: null })
  expect(one.records.map(({ businessId }) => businessId)).toEqual([business.testId])
})

test('the use of the setup link is recorded', async () => {
  const empty = await createFixture()
  const { users, browser, records } = await empty.serve()
  const token = new URL((await users.setupLink()) ?? '').searchParams.get('token')
  const body = { token, name: 'Jo', email: 'jo@example.com', password: PASSWORD }
  expect(outcomeOf(await browser().send('/console/api/setup', { body }))).toBe('200')
  expect(records).toMatchObject([
    {
      businessId: null,
      action: 'setup_links.use',
      object: { type: 'users' },
      outcome: { outcome: 'completed', after: { email: 'jo@example.com', operator: true } },
    },
  ])
  expect(JSON.stringify(records)).not.toContain(token)
})
