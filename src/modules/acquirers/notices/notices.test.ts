import { afterEach, expect, test } from 'vitest'
import { realClock, realNowMs } from '#kernel/clock'
import { JobRunner } from '#platform/jobs/jobs'
import { until } from '#platform/testing/until'
import { adminOf } from '#platform/testing/database'
import { createAccountsFixture, type Tenant } from '../testing/accounts.ts'
import { signedHeaders } from '../testing/stand-in.ts'
import { findNotices, type StoredNotice } from '../storage/notice.repository.ts'

const fixture = await createAccountsFixture()
const { acquirers, admin, business, db, deps, serverUrl } = fixture
const handled: StoredNotice[] = []
let failures = 0
acquirers.onNotice(async (_tx, notice) => {
  if (failures > 0) {
    failures--
    throw new Error('the handler failed')
  }
  handled.push(notice)
})
const [noticeJob, purgeJob] = acquirers.jobs as [
  (typeof acquirers.jobs)[number],
  (typeof acquirers.jobs)[number],
]

afterEach(() => {
  failures = 0
  handled.length = 0
})

const SECRET = 'whsec_ONE_1'
const notice = (id: string, members: Record<string, unknown> = {}) => ({
  id,
  type: 'payment_intent.succeeded',
  subject: { kind: 'payment', reference: 'pi_1', key: null },
  facts: {},
  ...members,
})

async function connected() {
  const tenant = await business()
  const account = await tenant.connect()
  const path = new URL(account.webhook_url).pathname
  return { tenant, account, path }
}

async function deliver(
  path: string,
  notices: unknown,
  { secret = SECRET, atMs = realNowMs(), body = JSON.stringify(notices), headers = {} } = {},
): Promise<{ status: number; text: string; reason: string | undefined }> {
  const response = await fetch(serverUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signedHeaders(secret, body, atMs), ...headers },
    body,
  })
  const text = await response.text()
  const reason = text.startsWith('{')
    ? (JSON.parse(text) as { data: { error: { reason: string } } }).data.error.reason
    : undefined
  return { status: response.status, text, reason }
}

const run = (tenant: Tenant, ahead: Temporal.DurationLike = { seconds: 0 }) => {
  const now = realClock.now().add(ahead)
  return noticeJob.run({ businessId: tenant.businessId, until: now, timeOf: () => now })
}
const rowsOf = async (tenant: Tenant) =>
  (
    await admin.query<{ id: string; attempts: number; due_at: string | null }>(
      'select id, attempts, due_at from acquirer_notices where business_id = $1 order by id',
      [tenant.businessId],
    )
  ).rows

// Proves reference/acquirers#notices.
test('a signed notice is stored before the response, and handled once however often it comes', async () => {
  const { tenant, account, path } = await connected()
  const both = [
    notice('evt_1'),
    notice('evt_2', { subject: { kind: 'dispute', reference: 'dp_1', key: null } }),
  ]
  expect(await deliver(path, both)).toMatchObject({ status: 200, text: '[accepted]' })
  expect(await rowsOf(tenant)).toHaveLength(2)
  await Promise.all([
    deliver(path, both),
    deliver(path, [...both, ...both]),
    deliver(path, [both[1], both[0]]),
  ])
  expect(await rowsOf(tenant)).toHaveLength(2)
  await Promise.all([run(tenant), run(tenant)])
  await run(tenant)
  expect((await deliver(path, both)).status).toBe(200)
  expect(await run(tenant)).toBe(0)
  expect(new Set(handled.map(({ id, accountId }) => `${id} of ${accountId}`))).toEqual(
    new Set([`evt_1 of ${account.id}`, `evt_2 of ${account.id}`]),
  )
  expect(handled).toHaveLength(2)
  expect(handled.find(({ id }) => id === 'evt_2')?.subject).toEqual({
    kind: 'dispute',
    reference: 'dp_1',
    key: null,
  })
})

test('a message with a wrong, missing or stale signature, or a changed body, is 400 and nothing is stored', async () => {
  const { tenant, path } = await connected()
  const body = JSON.stringify([notice('evt_1')])
  const answers = [
    await deliver(path, [notice('evt_1')], { secret: 'whsec_other' }),
    await deliver(path, [notice('evt_1')], { headers: { 'x-signature': '' } }),
    await deliver(path, [notice('evt_1')], { atMs: realNowMs() - 301_000 }),
    await deliver(path, [notice('evt_1')], { atMs: realNowMs() + 301_000 }),
    await deliver(path, [notice('evt_2')], { headers: signedHeaders(SECRET, body, realNowMs()) }),
  ]
  for (const answer of answers)
    expect([answer.status, answer.reason]).toEqual([400, 'notice_signature_invalid'])
  expect(await rowsOf(tenant)).toEqual([])
})

test('a signed message that cannot be read or kept is 400', async () => {
  const { tenant, path } = await connected()
  const wrong = [
    notice('x'.repeat(256)),
    notice(''),
    notice('evt\0'),
    notice('evt_1', { facts: { text: 'x'.repeat(3_000) } }),
  ]
  expect(await deliver(path, [], { body: 'not json' })).toMatchObject({
    status: 400,
    reason: 'notice_invalid',
  })
  for (const one of wrong) {
    expect(await deliver(path, [one])).toMatchObject({ status: 400, reason: 'notice_invalid' })
  }
  expect(await rowsOf(tenant)).toEqual([])
})

test('the address of an unknown account is 404, also for the account of another business', async () => {
  const { account } = await connected()
  const stranger = await business()
  for (const path of [
    `/acquirer_webhooks/${stranger.businessId}/${account.id}`,
    `/acquirer_webhooks/${stranger.businessId}/acc_00000000000000000000000000`,
    `/acquirer_webhooks/biz_x/${account.id}`,
    '/acquirer_webhooks/biz_01m84jwk5perpsrzvd2cr981hh/acc_01m84jwk9nedxvp20g1zczzbdq',
    `/acquirer_webhooks/${"a'b".repeat(50)}/%00`,
  ]) {
    const answer = await deliver(path, [notice('evt_1')])
    expect([path, answer.status, answer.reason]).toEqual([path, 404, 'acquirer_account_not_found'])
  }
})

test('one address can send only so many messages a second, and others are not held up by it', async () => {
  const { tenant, path } = await connected()
  const from = (address: string) => deliver(path, [], { headers: { 'x-forwarded-for': address } })
  const statuses = new Set<number>()
  // All at once: sent in smaller groups, they may not reach the limit of a second on a busy machine.
  for (let round = 0; round < 5 && !statuses.has(429); round++) {
    const answers = await Promise.all(Array.from({ length: 800 }, () => from('198.51.100.7')))
    for (const { status } of answers) statuses.add(status)
  }
  expect(statuses).toEqual(new Set([200, 429]))
  expect((await from('198.51.100.8')).status).toBe(200)
  expect(await rowsOf(tenant)).toEqual([])
})

test('a message of more than 256 kB is 413', async () => {
  const { path } = await connected()
  const large = [notice('evt_1', { padding: 'x'.repeat(256 * 1024) })]
  expect((await deliver(path, large)).status).toBe(413)
})

test('new credentials verify the next notice, and a disabled account still receives', async () => {
  const { tenant, account, path } = await connected()
  const credentials = { secret_key: 'sk_test_ONE_1', publishable_key: 'pk', webhook_secret: 'whsec_new' }
  const account_url = `/svc/account/api/v1/openapi/acquirer_accounts/${account.id}`
  await tenant.send('PUT', account_url, { acquirer_account: { credentials } })
  await tenant.send('DELETE', account_url)
  expect((await deliver(path, [notice('evt_1')])).status).toBe(400)
  expect((await deliver(path, [notice('evt_1')], { secret: 'whsec_new' })).status).toBe(200)
})

test('a notice whose handler fails is tried again later, and no other notice waits for it', async () => {
  const { tenant, path } = await connected()
  await deliver(path, [notice('evt_1')])
  await deliver(path, [notice('evt_2')])
  failures = 1
  expect(await run(tenant)).toBe(2)
  expect(handled.map(({ id }) => id)).toEqual(['evt_2'])
  expect(await run(tenant)).toBe(0)
  failures = 1
  expect(await run(tenant, { seconds: 2 })).toBe(1)
  expect(await run(tenant, { seconds: 2 })).toBe(0)
  expect(await run(tenant, { seconds: 12 })).toBe(1)
  expect(handled.map(({ id }) => id)).toEqual(['evt_2', 'evt_1'])
  expect(await rowsOf(tenant)).toMatchObject([
    { id: 'evt_1', attempts: 3, due_at: null },
    { id: 'evt_2', attempts: 1, due_at: null },
  ])
})

test('the notice of a hold that was handled is handled again once its charge has failed, and no other', async () => {
  const { tenant, account, path } = await connected()
  const hold = { kind: 'hold', reference: 'pi_1', key: 'txn_1' }
  await deliver(path, [
    notice('evt_hold', { subject: hold }),
    notice('evt_other', { subject: { ...hold, key: 'txn_2' } }),
    notice('evt_payment', { subject: { ...hold, kind: 'payment' } }),
  ])
  await run(tenant)
  expect(handled).toHaveLength(3)
  const charges = [
    { accountId: account.id, key: 'txn_1' },
    { accountId: 'acc_other', key: 'txn_2' },
  ]
  await db.transact(tenant.businessId, (tx) => acquirers.repeatHolds(tx, charges))
  await run(tenant)
  expect(handled.slice(3).map(({ id }) => id)).toEqual(['evt_hold'])
})

test('the job runner hands over what has come in', async () => {
  const { path } = await connected()
  const runner = new JobRunner({ db, jobs: acquirers.jobs, log: deps.log })
  runner.start()
  await deliver(path, [notice('evt_run')])
  await until(() => handled.some(({ id }) => id === 'evt_run'))
  await runner.stop()
})

test('an adapter finds the notices of its own account by our key or by the id of the object, oldest first', async () => {
  const { tenant, account, path } = await connected()
  const other = await tenant.connect()
  const subject = (reference: string, key: string | null) => ({ kind: 'payment', reference, key })
  await deliver(path, [notice('n_1', { subject: subject('ref_1', 'key_1'), facts: { success: 'true' } })])
  await deliver(path, [notice('n_2', { subject: subject('ref_2', 'key_1') })])
  await deliver(path, [notice('n_3', { subject: subject('ref_2', null) })])
  await deliver(new URL(other.webhook_url).pathname, [notice('n_4', { subject: subject('ref_2', 'key_1') })])
  const find = async (key: string, reference: string | null) =>
    (await findNotices(db, tenant.businessId, account.id, { key, reference })).map(({ id }) => id)
  expect(await find('key_1', null)).toEqual(['n_1', 'n_2'])
  expect(await find('key_1', 'ref_2')).toEqual(['n_1', 'n_2', 'n_3'])
  expect(await find('none', 'ref_1')).toEqual(['n_1'])
  expect(await find('none', null)).toEqual([])
  const [first] = await findNotices(db, tenant.businessId, account.id, { key: 'key_1', reference: null })
  expect(first).toMatchObject({ facts: { success: 'true' } })
})

test('notices are deleted after 30 days, handled or not', async () => {
  const { tenant, path } = await connected()
  await deliver(path, [notice('evt_old')])
  await deliver(path, [notice('evt_new')])
  const node = await adminOf(fixture, tenant.businessId)
  await node.query(
    "update acquirer_notices set received_at = received_at - interval '30 days' where business_id = $1 and id = 'evt_old'",
    [tenant.businessId],
  )
  const now = realClock.now()
  expect(await purgeJob.run({ businessId: tenant.businessId, until: now, timeOf: () => now })).toBe(1)
  expect((await rowsOf(tenant)).map(({ id }) => id)).toEqual(['evt_new'])
})

test('the log and the tables hold neither the body of a notice nor its signature', async () => {
  const { path } = await connected()
  const body = JSON.stringify([notice('evt_1', { card: '4242424242424242', payload: 'kept_nowhere' })])
  await deliver(path, [], { body })
  await deliver(path, [], { body, secret: 'whsec_other' })
  const { rows } = await admin.query<{ row: string }>('select t::text as row from acquirer_notices t')
  const shown = [...rows.map(({ row }) => row), ...fixture.logged].join('\n')
  expect(shown).toContain('evt_1')
  for (const text of [
    '4242424242424242',
    'kept_nowhere',
    signedHeaders(SECRET, body, 1)['x-signature'] ?? '',
  ]) {
    expect(shown).not.toContain(text)
  }
})
