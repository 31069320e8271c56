import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { startMailServer } from '#platform/mail/testing/mail-server'
import { cleanUp } from '#platform/testing/clean-up'
import { until } from '#platform/testing/until'
import { startScenario } from './harness/scenario.ts'
import { startService } from './harness/service.ts'
import { monthly } from './harness/client.ts'

// Proves reference/portal#sign-in, reference/portal#links, reference/portal#sessions.
const B = '/svc/billing/api/v1/openapi'
const PORTAL = '/svc/portal/api/v1/openapi'
const DECLINING = '4000000000000341'
const MINUTE_MS = 60_000

const clockFile = join(tmpdir(), `portal-clock-${process.pid}`)
const mail = await startMailServer()
cleanUp(() => mail.close())
const env = {
  SMTP_URL: mail.url,
  MAIL_FROM: 'The Shop <pay@shop.example>',
  LOG_LEVEL: 'info',
  CLOCK_FILE: clockFile,
  NODE_OPTIONS: `--import ${fileURLToPath(new URL('./harness/shifted-clock.js', import.meta.url))}`,
}
const { service, client, databaseUrl } = await startScenario({ env })
const base = client.sandbox.base_url

interface Message {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly to: string
  readonly html: string
  readonly text: string
  readonly object_id: string
}

async function messagesOf(filter: string): Promise<Message[]> {
  const { messages } = await client.ok('GET', `${B}/messages?filter=${encodeURIComponent(filter)}&limit=100`)
  return messages
}

const enable = (members: object) => client.ok('PUT', `${B}/message_settings`, { message_settings: members })
const allow = (members: object) => client.ok('PUT', `${B}/portal`, { portal: { allow: members } })
const mailsTo = (address: string) => mail.received.filter(({ to }) => to.includes(address))
const linkIn = (text: string) => /https?:\/\/\S+\/portal\/open\/[\w.-]+/.exec(text)?.[0] ?? ''
const open = (url: string) => fetch(url, { method: 'POST', redirect: 'manual' })

async function moveClock(minutes: number) {
  await writeFile(clockFile, String(minutes * MINUTE_MS))
  service.process.kill('SIGUSR2')
  await until(() => !existsSync(clockFile))
}

async function sessionOf(customerUuid: string, members: object = {}) {
  const { portal_session } = await client.ok('POST', `${B}/portal/sessions`, {
    portal_session: { customer_uuid: customerUuid, ...members },
  })
  return portal_session as { url: string; token: string }
}

let signInUrl = ''

function signIn(email: string, { url = signInUrl, lang = 'en' } = {}): Promise<Response> {
  return fetch(`${url}?lang=${lang}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email }).toString(),
  })
}

beforeAll(async () => {
  const { portal } = await client.ok('GET', `${B}/portal`)
  signInUrl = portal.sign_in_url
})

test('a session that is to be sent is mailed to the customer, with the same link, and to nobody without an address', async () => {
  const { uuid } = await client.createCustomer({ email: 'sent@example.com' })
  const { url, token } = await sessionOf(uuid, { send: true })
  const [kept] = await messagesOf(`customer.uuid = "${uuid}"`)
  expect(kept).toMatchObject({ kind: 'portal_link', to: 'sent@example.com' })
  expect([linkIn(kept?.text ?? ''), linkIn(kept?.html ?? '').split('"')[0]]).toEqual([url, url])
  expect(JSON.stringify(kept)).not.toContain(token)
  expect((await open(url)).status).toBe(303)
  const { uuid: unreachable } = await client.createCustomer()
  const refused = await client.call('POST', `${B}/portal/sessions`, {
    portal_session: { customer_uuid: unreachable, send: true },
  })
  expect([refused.status, refused.data.error.reason]).toEqual([409, 'recipient_missing'])
})

test('once it was mailed a link is neither shown nor kept', async () => {
  await enable({ deliver_in_test: true })
  const { uuid } = await client.createCustomer({ email: 'mailed@example.com' })
  const { url } = await sessionOf(uuid, { send: true })
  const [queued] = await messagesOf(`customer.uuid = "${uuid}"`)
  expect(JSON.stringify(queued)).not.toContain('qpl_')
  await until(async () => (await messagesOf(`customer.uuid = "${uuid}"`))[0]?.state === 'sent')
  expect(linkIn(mailsTo('mailed@example.com')[0]?.text ?? '')).toBe(url)
  const [sent] = await messagesOf(`customer.uuid = "${uuid}"`)
  expect(sent?.text).toContain('/portal/open/…')
  expect(JSON.stringify(sent)).not.toContain('qpl_')
  await enable({ deliver_in_test: false })
})

test('the sign-in page exists while links are mailed, and works in every language without a script', async () => {
  expect((await fetch(signInUrl)).status).toBe(404)
  await enable({ enabled: ['portal_link'] })
  for (const lang of ['en', 'de', 'ar']) {
    const page = await fetch(`${signInUrl}?lang=${lang}`)
    const html = await page.text()
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(html).toContain(`lang="${lang}"`)
    expect(html).not.toMatch(/<script| style=| on[a-z]+=/)
  }
  for (const path of ['no-such-business', '%00', `${signInUrl.split('/').at(-1)}x`]) {
    expect((await fetch(`${base}/portal/sign-in/${path}`)).status).toBe(404)
  }
})

test('a known address gets a link, and the answer to an unknown one is the same, also in time', async () => {
  const { uuid } = await client.createCustomer({ email: 'Known@Example.com' })
  const timed = async (email: string) => {
    const start = performance.now()
    const reply = await signIn(email)
    return { status: reply.status, html: await reply.text(), ms: performance.now() - start }
  }
  const known = await timed(' known@example.com ')
  const unknown = await timed('unknown@example.com')
  expect([known.status, known.html]).toEqual([200, unknown.html])
  expect(Math.min(known.ms, unknown.ms)).toBeGreaterThan(390)
  const [message] = await messagesOf(`customer.uuid = "${uuid}"`)
  expect(message?.kind).toBe('portal_link')
  const opened = await open(linkIn(message?.text ?? ''))
  expect([opened.status, opened.headers.get('location')]).toEqual([303, expect.stringMatching(/\/portal\?/)])
  expect(await messagesOf('to = "unknown@example.com"')).toEqual([])
})

test('a customer who wants no such mails gets none, and nobody learns it', async () => {
  const { uuid } = await client.createCustomer({
    email: 'silent@example.com',
    messages: { off: ['portal_link'] },
  })
  const [silent, unknown] = [await signIn('silent@example.com'), await signIn('unknown@example.com')]
  expect([silent.status, await silent.text()]).toEqual([200, await unknown.text()])
  expect(await messagesOf(`customer.uuid = "${uuid}"`)).toEqual([])
})

test('something that is no address shows the form again', async () => {
  for (const email of ['', 'x', 'a@b, c@d', 'a@b\r\nBcc: c@d', 'a\0@b', 'a\u202e@b', 'x'.repeat(15_000)]) {
    const html = await (await signIn(email)).text()
    expect(html).toContain('aria-invalid="true"')
  }
})

test('a link goes to the address as the business knows it, whatever else is the same without case', async () => {
  const { uuid } = await client.createCustomer({ email: 'Kim@example.com' })
  const billed = await client.createCustomer()
  await client.ok('PUT', `${B}/customers/${billed.uuid}/billing_details`, {
    billing_details: { invoice_email: 'books@example.com' },
  })
  // The Kelvin sign is a small k in lower case, and a letter of its own in the address of a mailbox.
  await signIn('\u212aim@example.com')
  await signIn('boo\u212as@example.com')
  expect(await messagesOf(`customer.uuid = "${uuid}"`)).toMatchObject([{ to: 'Kim@example.com' }])
  expect(await messagesOf(`customer.uuid = "${billed.uuid}"`)).toMatchObject([{ to: 'books@example.com' }])
})

test('nobody leads others into an account by naming their address for invoices', async () => {
  const own = await client.createCustomer({ email: 'own@example.com' })
  const newer = await client.createCustomer()
  await client.ok('PUT', `${B}/customers/${newer.uuid}/billing_details`, {
    billing_details: { invoice_email: 'own@example.com' },
  })
  await signIn('own@example.com')
  expect(await messagesOf(`customer.uuid = "${newer.uuid}"`)).toEqual([])
  expect(await messagesOf(`customer.uuid = "${own.uuid}"`)).toHaveLength(1)
})

test('a page of another site neither opens a link nor has one mailed', async () => {
  const { uuid } = await client.createCustomer({ email: 'lured@example.com' })
  const { url } = await sessionOf(uuid)
  for (const [address, body] of [
    [url, ''],
    [signInUrl, 'email=lured@example.com'],
  ] as const) {
    const reply = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
      body,
      redirect: 'manual',
    })
    expect([reply.status, reply.headers.getSetCookie()]).toEqual([403, []])
  }
  expect(await messagesOf(`customer.uuid = "${uuid}"`)).toEqual([])
  expect((await open(url)).status).toBe(303)
})

test('an address gets three links an hour, however many ask at once and at several processes', async () => {
  const { uuid } = await client.createCustomer({ email: 'often@example.com' })
  // It never reaches an acquirer.
  const other = await startService({
    env: { ...env, DATABASE_URL: databaseUrl, SIMULATOR_URL: 'http://127.0.0.1:1' },
    dataDir: service.dataDir,
  })
  cleanUp(() => other.stop())
  const elsewhere = signInUrl.replace(base, `http://127.0.0.1:${other.env['PORT']}`)
  expect(elsewhere).not.toBe(signInUrl)
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      signIn(index % 2 === 0 ? 'often@example.com' : 'OFTEN@example.com', {
        url: index < 5 ? signInUrl : elsewhere,
      }),
    ),
  )
  const bodies = new Set(await Promise.all(replies.map((reply) => reply.text())))
  expect([bodies.size, replies.map(({ status }) => status)]).toEqual([1, Array(10).fill(200)])
  expect(await messagesOf(`customer.uuid = "${uuid}"`)).toHaveLength(3)
  await other.stop()
})

test('whoever reads the invoices may sign in, too, and of several customers one that is billed comes first', async () => {
  const billed = await client.createCustomer({ email: 'two@example.com' })
  await client.bindCard(billed.uuid, '4242424242424242')
  await client.createPlan({
    customer_uuid: billed.uuid,
    recurring_cycles: monthly(await client.createItem(10)),
  })
  const newer = await client.createCustomer({ email: 'two@example.com' })
  await client.ok('PUT', `${B}/customers/${newer.uuid}/billing_details`, {
    billing_details: { invoice_email: 'accounts@example.com' },
  })
  await signIn('two@example.com')
  await signIn('accounts@example.com')
  expect(await messagesOf(`customer.uuid = "${billed.uuid}"`)).toMatchObject([{ to: 'two@example.com' }])
  expect(await messagesOf(`customer.uuid = "${newer.uuid}"`)).toMatchObject([{ to: 'accounts@example.com' }])
})

test('a failed payment leads straight to the cards and to nothing else, once', async () => {
  await enable({ enabled: ['payment_failed', 'portal_link'] })
  await allow({ invoices: true, cancel: { reasons: ['x'] } })
  const { uuid } = await client.createCustomer({ email: 'failed@example.com' })
  await client.bindCard(uuid, DECLINING)
  const plan = await client.createPlan({
    customer_uuid: uuid,
    recurring_cycles: monthly(await client.createItem(10)),
  })
  const filter = `customer.uuid = "${uuid}" AND kind = payment_failed`
  await until(async () => (await messagesOf(filter)).length === 1)
  const [before] = await messagesOf(filter)
  await allow({ invoices: true, payment_methods: true, cancel: { reasons: ['x'] } })
  const { message } = await client.ok('POST', `${B}/messages/${before?.id}/resend`)
  const shown = (await client.ok('GET', `${B}/messages/${message.id}`)).message as Message
  const url = linkIn(shown.text)
  expect(url).not.toBe('')
  expect(shown.text).toMatch(/\/pay\//)
  expect((await fetch(url)).status).toBe(200)
  const opened = await Promise.all(Array.from({ length: 6 }, () => open(url)))
  expect(opened.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 410, 410, 410, 410, 410])
  const done = opened.find(({ status }) => status === 303)
  expect(done?.headers.get('location')).toContain('/portal/cards')
  const cookie = (done?.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const get = (path: string) => fetch(`${base}/portal${path}`, { headers: { cookie } })
  const statuses = await Promise.all(
    ['/cards', '', '/invoices', `/plans/${plan.id}/cancel`].map(async (path) => (await get(path)).status),
  )
  expect(statuses).toEqual([200, 200, 403, 403])
  const canceled = await fetch(`${base}/portal/plans/${plan.id}/cancel`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'reason=x',
  })
  expect(canceled.status).not.toBe(303)
  expect((await client.getPlan(plan.id)).cancel_at).toBeUndefined()
})

test('a link opens within 15 minutes, a session lasts 60, and the link of a message seven days', async () => {
  await enable({ enabled: ['card_expiring', 'portal_link', 'payment_failed'] })
  await allow({ payment_methods: true })
  const { uuid } = await client.createCustomer({ email: 'late@example.com' })
  await client.bindCard(uuid, DECLINING)
  await client.createPlan({
    customer_uuid: uuid,
    recurring_cycles: monthly(await client.createItem(10)),
  })
  const filter = `customer.uuid = "${uuid}" AND kind = payment_failed`
  await until(async () => (await messagesOf(filter))[0]?.state === 'kept')
  const fromMessage = linkIn((await messagesOf(filter))[0]?.text ?? '')
  const [early, late] = [await sessionOf(uuid), await sessionOf(uuid)]
  const call = async (token: string) =>
    (await fetch(`${base}${PORTAL}/overview`, { headers: { authorization: `Bearer ${token}` } })).status
  await moveClock(14)
  const opened = await open(early.url)
  expect(opened.status).toBe(303)
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const page = async () => (await fetch(`${base}/portal`, { headers: { cookie } })).status
  await moveClock(16)
  const old = await fetch(late.url)
  expect([old.status, (await open(late.url)).status]).toEqual([410, 410])
  expect(await old.text()).toContain('/portal/sign-in/')
  await moveClock(59)
  expect([await call(early.token), await call(late.token), await page()]).toEqual([200, 200, 200])
  await moveClock(61)
  expect([await call(early.token), await call(late.token), await page()]).toEqual([401, 401, 200])
  await moveClock(75)
  expect(await page()).toBe(401)
  await moveClock(6 * 24 * 60)
  expect((await fetch(fromMessage)).status).toBe(200)
  await moveClock(8 * 24 * 60)
  expect([(await fetch(fromMessage)).status, (await open(fromMessage)).status]).toEqual([410, 410])
  await moveClock(0)
})

test('no token and no link is in the log or in the request log', async () => {
  const { request_log: requests } = await client
    .ok('GET', '/svc/log/api/v1/openapi/requests?limit=100')
    .then((data) => ({ request_log: JSON.stringify(data) }))
  for (const text of [service.output(), requests]) {
    expect(text.match(/q(?:ps|pl|pp)_(?!\[redacted)[\w.-]+/)).toBeNull()
  }
})
