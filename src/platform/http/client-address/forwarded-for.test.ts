import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { startTestServer } from '#platform/testing/test-server'

const pages = (app: FastifyInstance): void => {
  app.get('/who', async ({ ip }, reply) => reply.send(ip))
}

async function addressFor(trustedProxies: readonly string[], ...headers: string[]): Promise<string> {
  const server = await startTestServer({ plainRoutes: pages, trustedProxies })
  const { text } = await server.send('GET', '/who', { headers: { 'x-forwarded-for': headers.join(', ') } })
  return text
}

// Proves reference/access#client-addresses.
test('a peer that no setting names gives no address but its own', async () => {
  expect(await addressFor([], '203.0.113.9')).toBe('127.0.0.1')
  expect(await addressFor(['10.0.0.0/8', 'uniquelocal'], '203.0.113.9')).toBe('127.0.0.1')
})

test('the address of the client is the last hop that is no trusted proxy', async () => {
  const trusted = ['loopback', '10.0.0.0/8']
  expect(await addressFor(trusted, '203.0.113.9')).toBe('203.0.113.9')
  expect(await addressFor(trusted, '1.1.1.1', '203.0.113.9', '10.1.2.3')).toBe('203.0.113.9')
  expect(await addressFor(trusted, '10.0.0.1', '192.168.0.1')).toBe('192.168.0.1')
  expect(await addressFor(trusted, '2001:db8::1', '10.1.2.3')).toBe('2001:db8::1')
})

test('an address may have a port, as some proxies write it', async () => {
  expect(await addressFor(['127.0.0.1'], '203.0.113.9:4711')).toBe('203.0.113.9')
  expect(await addressFor(['127.0.0.1'], '[2001:db8::1]:4711')).toBe('2001:db8::1')
  expect(await addressFor(['127.0.0.1'], '[2001:db8::1]')).toBe('2001:db8::1')
})

test('a text that is no address is never the address of the client', async () => {
  for (const text of [
    'unknown',
    '<script>',
    '1',
    '127.1',
    '0x7f.1',
    '203.0.113.9.',
    '_hidden',
    'fe80::1%x',
    '',
  ]) {
    expect([text, await addressFor(['127.0.0.1'], text)]).toEqual([text, '127.0.0.1'])
    expect([text, await addressFor(['127.0.0.1'], '203.0.113.9', text)]).toEqual([text, '127.0.0.1'])
    expect([text, await addressFor(['127.0.0.1'], text, '203.0.113.9')]).toEqual([text, '203.0.113.9'])
  }
})
