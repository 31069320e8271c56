import { beforeEach, expect, test, vi } from 'vitest'
import { deleteExpiredVerifications } from '../storage/user.repository.ts'
import { createFixture } from '../testing/fixture.ts'

const { admin, db, serve } = await createFixture()
const OPTIONS = '/console/api/auth/passkey/generate-authenticate-options'

// A busy machine may take longer than a minute for these requests.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Temporal.Now.instant().epochMilliseconds })
  return () => void vi.useRealTimers()
})

async function storedChallenges(): Promise<number> {
  const { rows } = await admin.query('select count(*)::integer as count from user_verifications')
  return rows[0].count
}

// Proves reference/access#rate-limits.
test('a client address makes at most 300 challenges of passkeys a minute, and other addresses are not held up', async () => {
  const { browser } = await serve({ rateLimit: 500 })
  const ask = (address: string) => browser().send(OPTIONS, { headers: { 'x-forwarded-for': address } })
  const replies = await Promise.all(Array.from({ length: 400 }, () => ask('203.0.113.9')))
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(100)
  expect(refused[0]?.body.data.error.reason).toBe('rate_limited')
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await storedChallenges()).toBeLessThanOrEqual(300)
  expect((await ask('203.0.113.10')).status).toBe(200)
})

test('sign-in, resets, invitations and the first setup count towards the limit of a client address', async () => {
  const { browser } = await serve({ rateLimit: 500 })
  const headers = { 'x-forwarded-for': '203.0.113.11' }
  await Promise.all(Array.from({ length: 300 }, () => browser().send(OPTIONS, { headers })))
  for (const [method, path] of [
    ['POST', '/console/api/auth/sign-in/email'],
    ['POST', '/console/api/auth/sign-in/social'],
    ['POST', '/console/api/auth/request-password-reset'],
    ['GET', '/console/api/invitations/none'],
    ['POST', '/console/api/invitations/none/accept'],
    ['POST', '/console/api/setup'],
  ] as const) {
    const body = method === 'POST' ? { body: {} } : {}
    const reply = await browser().send(path, { method, headers, ...body })
    expect([path, reply.status, reply.body.data.error.reason]).toEqual([path, 429, 'rate_limited'])
  }
})

test('expired challenges and proofs are deleted, and the others kept', async () => {
  const { browser } = await serve()
  await admin.query('delete from user_verifications')
  for (let sent = 0; sent < 3; sent++) await browser().send(OPTIONS)
  await admin.query(`update user_verifications set expires_at = now() - interval '1 second'
                      where id in (select id from user_verifications limit 2)`)
  await deleteExpiredVerifications(db.shared)
  expect(await storedChallenges()).toBe(1)
})
