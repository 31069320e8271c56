import { expect, test } from 'vitest'
import { createMailer } from '#platform/mail/mailer'
import { mailServerForTest } from '#platform/mail/testing/mail-server'
import { eventually } from '#platform/testing/until'
import { createFixture, PASSWORD } from '../testing/fixture.ts'
import { linkIn } from '../testing/link-in.ts'
import { outcomeOf } from '../testing/reason.ts'

const fixture = await createFixture()
const NEW_PASSWORD = 'a quite different passphrase'
const RESET = '/console/api/auth/reset-password'

function tokenOf(link: string): string {
  return new URL(link).searchParams.get('token') ?? ''
}

// Proves reference/users#first-user.
test('the link of the first start makes one operator, and then no link works any more', async () => {
  const { users, browser, url } = await fixture.serve()
  const business = await fixture.newBusiness()
  const links = [await users.setupLink(), await users.setupLink(), await users.setupLink()]
  for (const link of links) expect(link).toMatch(new RegExp(`^${url}/console/setup\\?token=[\\w-]{43}$`))
  const tokens = links.map((link) => tokenOf(link ?? ''))
  const { rows } = await fixture.admin.query('select hash from user_setup_links')
  for (const token of tokens) expect(JSON.stringify(rows)).not.toContain(token)
  const page = browser()
  expect((await page.send('/console/api/settings')).body.settings.needs_setup).toBe(true)
  expect(outcomeOf(await page.send(`/console/api/setup/${tokens[0]}`))).toBe('200')
  expect(outcomeOf(await page.send('/console/api/setup/made-up'))).toBe('404 one_time_link_not_found')
  const setUp = (token: string | undefined, changes: object = {}) => {
    const body = { token, name: 'Jo', email: 'jo@example.com', password: PASSWORD, ...changes }
    return page.send('/console/api/setup', { body })
  }
  expect(outcomeOf(await setUp('made-up'))).toBe('404 one_time_link_not_found')
  expect(outcomeOf(await setUp(tokens[0], { password: 'short' }))).toBe('400 password_length')
  expect(outcomeOf(await setUp(tokens[0], { email: 'jo' }))).toBe('400 invalid_member')
  await fixture.admin.query(`update user_setup_links set expires_at = now() where hash = $1`, [rows[2].hash])
  const outcomes = await Promise.all(
    tokens.map(async (token, index) => outcomeOf(await setUp(token, { email: `jo${index}@example.com` }))),
  )
  expect(outcomes.toSorted()).toEqual(['200', '404 one_time_link_not_found', '404 one_time_link_not_found'])
  const session = await page.send('/console/api/session')
  expect(session.body.user.operator).toBe(true)
  expect(session.body.memberships).toMatchObject([{ business: { code: business.code }, live_role: 'owner' }])
  expect(await users.setupLink()).toBeUndefined()
  expect((await page.send('/console/api/settings')).body.settings.needs_setup).toBe(false)
})

// Proves reference/users#passwords.
test('a reset is mailed, works once, and ends all sessions', async () => {
  const mail = await mailServerForTest()
  const mailer = createMailer({ smtpUrl: mail.url, mailFrom: 'Quittance <noreply@example.com>' })
  const { users, browser } = await fixture.serve({ mailer })
  const user = await fixture.newUser(users)
  const page = browser()
  await page.signIn(user.email, user.password)
  await page.send('/console/api/profile', { method: 'PUT', body: { locale: 'zh-Hans' } })
  const ask = (email: string) =>
    browser().send('/console/api/auth/request-password-reset', { body: { email } })
  const unknown = await ask('nobody@example.com')
  const known = await ask(user.email)
  expect(known.body).toEqual(unknown.body)
  await eventually(
    async () => mail.received.length,
    (count) => count === 1,
  )
  const [received] = mail.received
  expect(received?.to).toEqual([user.email])
  expect(received?.headers['from']).toBe('Quittance <noreply@example.com>')
  expect(received?.headers['subject']).toMatch(/^=\?UTF-8\?/)
  const token = tokenOf(linkIn(received?.text))
  const { rows } = await fixture.admin.query('select identifier from user_verifications')
  expect(JSON.stringify(rows)).not.toContain(token)
  const reset = async (newPassword: string) =>
    outcomeOf(await browser().send(RESET, { body: { token, newPassword } }))
  expect(await reset('short')).toBe('400 password_length')
  expect(await reset(NEW_PASSWORD)).toBe('200')
  expect(await reset(PASSWORD)).toBe('404 one_time_link_not_found')
  expect(outcomeOf(await page.send('/console/api/session'))).toBe('401 session_ended')
  expect(outcomeOf(await browser().signIn(user.email, PASSWORD))).toBe('401 sign_in_failed')
  expect(outcomeOf(await browser().signIn(user.email, NEW_PASSWORD))).toBe('200')
})

test('resets of one address are mailed five times in a quarter of an hour', async () => {
  const mail = await mailServerForTest()
  const mailer = createMailer({ smtpUrl: mail.url, mailFrom: 'noreply@example.com' })
  const { users, browser } = await fixture.serve({ mailer })
  const user = await fixture.newUser(users)
  const outcomes: string[] = []
  for (let attempt = 1; attempt <= 6; attempt++) {
    const reply = await browser().send('/console/api/auth/request-password-reset', {
      body: { email: user.email },
    })
    outcomes.push(outcomeOf(reply))
  }
  expect(outcomes).toEqual([...Array.from({ length: 5 }, () => '200'), '429 too_many_attempts'])
})

test('the operator makes a user whose link sets the first password', async () => {
  const { users, browser, url } = await fixture.serve()
  const business = await fixture.newBusiness()
  const email = 'Link@Example.com'
  const wanted = { email, operator: false, business: { code: business.code, role: 'finance' as const } }
  await users.create(wanted)
  await expect(users.create(wanted)).rejects.toThrow('exists already')
  await expect(users.create({ ...wanted, email: 'nobody' })).rejects.toThrow('not an e-mail address')
  const stranger = { email: 'other@example.com', operator: false }
  await expect(users.create({ ...stranger, password: 'short' })).rejects.toThrow('12 to 128')
  const elsewhere = { ...stranger, business: { code: 'mch_none', role: 'owner' as const } }
  await expect(users.create(elsewhere)).rejects.toThrow('mch_none')
  await expect(users.passwordLink('other@example.com')).rejects.toThrow('No user')
  expect(outcomeOf(await browser().signIn(email, NEW_PASSWORD))).toBe('401 sign_in_failed')
  const link = await users.passwordLink(email)
  expect(link).toMatch(new RegExp(`^${url}/console/reset-password\\?token=`))
  const set = { token: tokenOf(link), newPassword: NEW_PASSWORD }
  expect(outcomeOf(await browser().send(RESET, { body: set }))).toBe('200')
  const page = browser()
  expect(outcomeOf(await page.signIn(email, NEW_PASSWORD))).toBe('200')
  expect((await page.send('/console/api/session')).body).toMatchObject({
    user: { email: 'link@example.com' },
    memberships: [{ test_role: 'finance', live_role: 'finance' }],
  })
})

test('disabling a user says which businesses lose their last owner', async () => {
  const { users } = await fixture.serve()
  const business = await fixture.newBusiness()
  const [owner, second] = [await fixture.newUser(users), await fixture.newUser(users)]
  await fixture.setRoles(business.code, owner.id, 'owner', 'owner')
  await fixture.setRoles(business.code, second.id, 'owner', 'finance')
  expect(await users.disable(owner.email)).toEqual({ id: owner.id, lastOwnerOf: [business.code] })
  await expect(users.disable('nobody@example.com')).rejects.toThrow('No user')
  const listed = await users.list()
  expect(listed.find(({ id }) => id === owner.id)?.disabledAt).not.toBeNull()
  expect(listed.find(({ id }) => id === second.id)?.memberships).toMatchObject([{ liveRole: 'finance' }])
})
