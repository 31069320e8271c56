import { expect, test } from 'vitest'
import { createMailer } from '#platform/mail/mailer'
import { mailServerForTest } from '#platform/mail/testing/mail-server'
import { createFixture, PASSWORD } from '../testing/fixture.ts'
import { linkIn } from '../testing/link-in.ts'
import { outcomeOf } from '../testing/reason.ts'

const fixture = await createFixture()
const INVITATIONS = '/svc/account/api/v1/openapi/invitations'

async function inviter(options: Parameters<typeof fixture.serve>[0] = {}) {
  const service = await fixture.serve(options)
  const { code } = await fixture.newBusiness('Acme & Söhne')
  const owner = await fixture.newUser(service.users)
  await fixture.setRoles(code, owner.id, 'owner', 'owner')
  const page = service.browser()
  await page.signIn(owner.email, owner.password)
  const invite = (email: string, roles: object = { test_role: 'developer', live_role: 'read_only' }) =>
    page.call(INVITATIONS, code, 'live', { body: { invitation: { email, ...roles } } })
  return { ...service, code, owner, page, invite }
}

function pathOf(link: string): string {
  return `/console/api/invitations/${link.split('/').at(-1)}`
}

// Proves reference/users#invitations.
test('without mail the inviter gets the link, which makes a member once', async () => {
  const { invite, browser, url, page, code } = await inviter()
  const invited = await invite('New@Example.com')
  expect(invited.body.data).toMatchObject({
    invitation: { email: 'new@example.com', test_role: 'developer', mailed: false, accepted_at: null },
    link: expect.stringMatching(new RegExp(`^${url}/console/invitations/[\\w-]{43}$`)),
  })
  const path = pathOf(invited.body.data.link)
  const { rows } = await fixture.admin.query('select * from invitations')
  expect(JSON.stringify(rows)).not.toContain(path.split('/').at(-1))
  const guest = browser()
  expect((await guest.send(path)).body.invitation).toMatchObject({
    email: 'new@example.com',
    business: { code, name: 'Acme & Söhne' },
    has_account: false,
  })
  const accept = (body: object) => guest.send(`${path}/accept`, { body })
  expect(outcomeOf(await accept({}))).toBe('400 missing_member')
  expect(outcomeOf(await accept({ name: 'Jo', password: 'short' }))).toBe('400 password_length')
  expect(outcomeOf(await accept({ name: 'Jo', password: PASSWORD, locale: 'zh-Hant' }))).toBe('200')
  expect((await guest.send('/console/api/session')).body).toMatchObject({
    user: { name: 'Jo', email: 'new@example.com', locale: 'zh-Hant', operator: false },
    memberships: [{ test_role: 'developer', live_role: 'read_only' }],
  })
  expect(outcomeOf(await accept({ name: 'Jo', password: PASSWORD }))).toBe('404 one_time_link_not_found')
  expect(outcomeOf(await guest.send(path))).toBe('404 one_time_link_not_found')
  expect(outcomeOf(await invite('new@example.com'))).toBe('409 already_member')
  const list = await page.call(INVITATIONS, code, 'test')
  expect(list.body.data.invitations).toMatchObject([{ email: 'new@example.com', mailed: false }])
  expect(list.body.data.invitations[0].accepted_at).not.toBeNull()
})

test('of several guests with one link only one becomes a member', async () => {
  const { invite, browser, code } = await inviter()
  const link = (await invite('race@example.com')).body.data.link
  const outcomes = await Promise.all(
    [1, 2, 3].map(async () => {
      const body = { name: 'Jo', password: PASSWORD }
      return outcomeOf(await browser().send(`${pathOf(link)}/accept`, { body }))
    }),
  )
  expect(outcomes.filter((outcome) => outcome === '200')).toHaveLength(1)
  const { rows } = await fixture.admin.query('select from memberships where business_code = $1', [code])
  expect(rows).toHaveLength(2)
})

test('an existing user signs in to accept, and gets a new session', async () => {
  const { invite, browser, users, code } = await inviter()
  const [user, other] = [await fixture.newUser(users), await fixture.newUser(users)]
  const path = pathOf((await invite(user.email, { test_role: 'finance' })).body.data.link)
  const page = browser()
  expect((await page.send(path)).body.invitation.has_account).toBe(true)
  const stolen = { name: 'Mallory', password: 'a password of my own' }
  expect(outcomeOf(await page.send(`${path}/accept`, { body: stolen }))).toBe('409 sign_in_first')
  await page.signIn(other.email, other.password)
  expect(outcomeOf(await page.send(`${path}/accept`, { body: {} }))).toBe('403 invitation_for_another')
  await page.signIn(user.email, user.password)
  const before = page.sessionCookie
  expect(outcomeOf(await page.send(`${path}/accept`, { body: {} }))).toBe('200')
  expect(page.sessionCookie).not.toBe(before)
  const session = await page.send('/console/api/session')
  expect(session.body.memberships).toMatchObject([
    { business: { code }, test_role: 'finance', live_role: null },
  ])
  page.cookies.set('quittance.session_token', before ?? '')
  expect(outcomeOf(await page.send('/console/api/session'))).toBe('401 session_ended')
})

test('an expired, revoked or replaced invitation does not open', async () => {
  const { invite, browser, page, code } = await inviter()
  const statusOf = async (link: string) => outcomeOf(await browser().send(pathOf(link)))
  const first = (await invite('late@example.com')).body.data
  const second = (await invite('late@example.com')).body.data
  expect(await statusOf(first.link)).toBe('404 one_time_link_not_found')
  expect(await statusOf(second.link)).toBe('200')
  const { rows } = await fixture.admin.query(
    `update invitations set expires_at = created_at where id = $1 returning id`,
    [second.invitation.id],
  )
  expect(rows).toHaveLength(1)
  expect(await statusOf(second.link)).toBe('404 one_time_link_not_found')
  const third = (await invite('late@example.com')).body.data
  const path = `${INVITATIONS}/${third.invitation.id}`
  expect(outcomeOf(await page.call(path, code, 'live', { method: 'DELETE' }))).toBe('200')
  expect(outcomeOf(await page.call(path, code, 'live', { method: 'DELETE' }))).toBe(
    '404 invitation_not_found',
  )
  expect(await statusOf(third.link)).toBe('404 one_time_link_not_found')
})

test('invitations are mailed, and shown to the inviter only when the mail fails', async () => {
  const mail = await mailServerForTest({ refuses: (recipient) => recipient.startsWith('failed@') })
  const mailer = createMailer({ smtpUrl: mail.url, mailFrom: 'Quittance <noreply@example.com>' })
  const { invite, browser } = await inviter({ mailer })
  const mailed = await invite('mail@example.com')
  expect(mailed.body.data).toMatchObject({ invitation: { mailed: true }, link: null })
  const [received] = mail.received
  expect(received?.to).toEqual(['mail@example.com'])
  expect(received?.text).toContain('You are invited to')
  const body = { name: 'Jo', password: PASSWORD }
  expect(outcomeOf(await browser().send(`${pathOf(linkIn(received?.text))}/accept`, { body }))).toBe('200')
  const failed = await invite('failed@example.com')
  expect(failed.body.data.invitation.mailed).toBe(false)
  expect(outcomeOf(await browser().send(pathOf(failed.body.data.link)))).toBe('200')
})

test('an address must be one, and a role must be given', async () => {
  const { invite } = await inviter()
  expect(outcomeOf(await invite('nobody'))).toBe('400 invalid_member')
  expect(outcomeOf(await invite('a@example.com', {}))).toBe('400 invalid_member')
  expect(outcomeOf(await invite('a@example.com', { test_role: 'king' }))).toBe('400 invalid_member')
})
