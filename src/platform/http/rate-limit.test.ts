import { expect, onTestFinished, test, vi } from 'vitest'
import { addressKey, createLimit } from '#platform/http/rate-limit'
import { startTestServer, TEST_PRINCIPAL } from '#platform/testing/test-server'

const CHECK = '/api/v1/openapi/orders/check'

// Proves reference/access#rate-limits.
test('an app may send twice its rate in two seconds, then waits for the next two, independently of other apps', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = await startTestServer({
    rateLimit: 10,
    authenticate: async ({ headers }) => ({ ...TEST_PRINCIPAL, appId: String(headers['x-app']) }),
  })
  const served = async (app: string) => {
    const sent = Array.from({ length: 30 }, () => server.send('POST', CHECK, { headers: { 'x-app': app } }))
    return (await Promise.all(sent)).filter(({ status }) => status === 200).length
  }
  expect(await served('a')).toBe(20)
  expect(await served('b')).toBe(20)
  vi.advanceTimersByTime(2_000)
  expect(await served('a')).toBe(20)
})

// Proves reference/access#rate-limits.
test('a client address that sends more than 300 wrong keys a minute gets 429, and right keys of the address are served', async () => {
  const server = await startTestServer({ rateLimit: 10_000 })
  const send = (key: string, address = '203.0.113.7') =>
    server.send('POST', CHECK, { headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address } })
  const replies = await Promise.all(Array.from({ length: 310 }, (_, index) => send(`wrong_${index}`)))
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(300)
  const refused = replies.find(({ status }) => status === 429)
  expect(refused?.body.data.error.reason).toBe('rate_limited')
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await send('good')).status).toBe(200)
  expect((await send('wrong', '203.0.113.8')).status).toBe(401)
})

test('addresses of one IPv6 /64 count as one, and any text as itself', () => {
  expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe(addressKey('2001:db8:1:2::9'))
  expect(addressKey('2001:db8:1:3::9')).not.toBe(addressKey('2001:db8:1:2::9'))
  expect(addressKey('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(addressKey('fe80::1%eth0')).toBe(addressKey('fe80::2%eth0'))
  expect(addressKey('nobody')).toBe('nobody')
})

test('RATE_LIMIT=0 turns off limits of addresses, too', async () => {
  const server = await startTestServer({
    rateLimit: 0,
    plainRoutes: (pages) => {
      pages.get('/once', { onRequest: createLimit(pages, { max: 1 }) }, async () => 'served')
    },
  })
  for (let sent = 0; sent < 3; sent++) expect((await server.send('GET', '/once')).status).toBe(200)
})
