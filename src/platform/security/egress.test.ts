import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { Pool } from 'undici'
import { Egress, type EgressRequest } from '#platform/security/egress'
import { isPublicAddress } from '#platform/security/public-address'

const LOOPBACK = '127.0.0.1'

async function startServer(listener: Parameters<typeof createServer>[1]) {
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    listener?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, requests: () => requests }
}

/** Loopback stands in for the public internet; all other rules apply. */
function testEgress(addresses: string[][]) {
  const asked: string[] = []
  const egress = new Egress({
    allowPrivate: false,
    isAllowed: (address) => address === LOOPBACK,
    resolve: async (hostname) => {
      asked.push(hostname)
      const next = addresses.length > 1 ? addresses.shift() : addresses[0]
      return (next ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  })
  onTestFinished(() => egress.close())
  return { egress, asked }
}

function requestTo(url: string, more: Partial<EgressRequest> = {}): EgressRequest {
  return { url, headers: {}, body: Buffer.from('{}'), timeoutMs: 60_000, maxResponseBytes: 1_000, ...more }
}

test.each([
  'http://127.0.0.1/',
  'http://127.0.0.1./',
  'http://2130706433/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://１２７.0.0.1/',
  'http://0.0.0.0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.0.1:8080/x',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.100.100.200/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[::127.0.0.1]/',
  'http://[::808:808]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[4000::1]/',
  'http://localhost/',
  'http://LOCALHOST.:3000/',
  'http://app.localhost/',
  'http://localhost%2e/',
])('%s is refused at registration and when it is called', async (url) => {
  const egress = new Egress({ allowPrivate: false, resolve: () => Promise.reject(new Error('was asked')) })
  onTestFinished(() => egress.close())
  expect(egress.checkUrl(url)).toMatch(/must not lead to a private/)
  expect(await egress.post(requestTo(url))).toEqual({ kind: 'unanswered', problem: 'address_not_allowed' })
})

test.each([
  'https://example.com/hook',
  'http://8.8.8.8/',
  'http://[2606:4700::1111]:8443/x',
  'http://localhost.example.com/',
])('%s may be registered', async (url) => {
  const egress = new Egress({ allowPrivate: false })
  onTestFinished(() => egress.close())
  expect(egress.checkUrl(url)).toBeUndefined()
})

test.each(['ftp://example.com/', 'nonsense', '/path', 'http://', 'javascript:alert(1)'])(
  '%s is not a URL that may be called',
  async (url) => {
    const egress = new Egress({ allowPrivate: true })
    onTestFinished(() => egress.close())
    expect(egress.checkUrl(url)).toBe('must be an http or https URL')
  },
)

// Proves reference/events#receiver-addresses.
test('a text that is not an address is not public', () => {
  expect(['', 'example.com', '1.2.3', '::g', '1.2.3.4/8'].filter(isPublicAddress)).toEqual([])
})

test('loopback is allowed if the development setting permits it', async () => {
  const server = await startServer((_request, response) => response.end('hello'))
  const egress = new Egress({ allowPrivate: true })
  onTestFinished(() => egress.close())
  for (const host of [LOOPBACK, 'localhost']) {
    const result = await egress.post(requestTo(`http://${host}:${server.port}/`))
    expect(result).toMatchObject({ kind: 'answered', status: 200, text: 'hello' })
  }
})

test('a name with one private address among public ones is refused without any connection', async () => {
  const server = await startServer((_request, response) => response.end())
  for (const addresses of [['10.0.0.1'], [LOOPBACK, '10.0.0.1'], ['::1', LOOPBACK], ['::ffff:127.0.0.1']]) {
    const { egress } = testEgress([addresses])
    const result = await egress.post(requestTo(`http://hook.example.com:${server.port}/`))
    expect(result).toEqual({ kind: 'unanswered', problem: 'address_not_allowed' })
  }
  expect(server.requests()).toBe(0)
})

test('each connection goes to the checked address, and a changed DNS answer is checked again', async () => {
  const server = await startServer((_request, response) => response.setHeader('connection', 'close').end())
  const { egress, asked } = testEgress([[LOOPBACK], ['10.0.0.1']])
  const request = requestTo(`http://rebind.example.com:${server.port}/`)
  expect(await egress.post(request)).toMatchObject({ status: 200 })
  expect(await egress.post(request)).toEqual({ kind: 'unanswered', problem: 'address_not_allowed' })
  expect(asked).toEqual(['rebind.example.com', 'rebind.example.com'])
  expect(server.requests()).toBe(1)
})

test('redirects are not followed', async () => {
  const inside = await startServer((_request, response) => response.end())
  const server = await startServer((_request, response) =>
    response.writeHead(302, { location: `http://${LOOPBACK}:${inside.port}/` }).end(),
  )
  const { egress } = testEgress([[LOOPBACK]])
  const result = await egress.post(requestTo(`http://hook.example.com:${server.port}/`))
  expect(result).toMatchObject({ kind: 'answered', status: 302 })
  expect(inside.requests()).toBe(0)
})

test('proxies from the environment are ignored', async () => {
  const proxy = await startServer((_request, response) => response.end('proxied'))
  const server = await startServer((_request, response) => response.end('direct'))
  process.env['HTTP_PROXY'] = `http://${LOOPBACK}:${proxy.port}`
  onTestFinished(() => {
    delete process.env['HTTP_PROXY']
  })
  const { egress } = testEgress([[LOOPBACK]])
  const result = await egress.post(requestTo(`http://hook.example.com:${server.port}/`))
  expect(result).toMatchObject({ text: 'direct' })
})

test('an unresolvable name, a closed port and a lost connection are reported as different failures', async () => {
  const unresolved = testEgress([[]]).egress
  const { egress } = testEgress([[LOOPBACK]])
  const cutting = createTcpServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => cutting.listen(0, LOOPBACK, resolve))
  const { port } = cutting.address() as AddressInfo
  const url = `http://hook.example.com:${port}/`
  expect(await unresolved.post(requestTo(url))).toMatchObject({ problem: 'name_not_resolved' })
  expect(await egress.post(requestTo(url))).toMatchObject({ problem: 'connection_failed' })
  await new Promise((resolve) => cutting.close(resolve))
  expect(await egress.post(requestTo(url))).toMatchObject({ problem: 'connection_refused' })
})

test('an endless response is cut off at the limit and still counts', async () => {
  const server = await startServer((_request, response) => {
    const more = setInterval(() => response.write('x'.repeat(700)), 5)
    response.on('close', () => clearInterval(more))
  })
  const { egress } = testEgress([[LOOPBACK]])
  const result = await egress.post(requestTo(`http://hook.example.com:${server.port}/`))
  expect(result).toMatchObject({ kind: 'answered', status: 200, text: 'x'.repeat(1_000) })
})

test('the timeout covers the whole exchange, whether the receiver is silent or responds byte by byte', async () => {
  const silent = await startServer(() => {})
  const dripping = await startServer((_request, response) => {
    const drops = setInterval(() => response.write('.'), 50)
    response.on('close', () => clearInterval(drops))
  })
  const { egress } = testEgress([[LOOPBACK]])
  for (const { port } of [silent, dripping]) {
    const result = await egress.post(requestTo(`http://hook.example.com:${port}/`, { timeoutMs: 300 }))
    expect(result).toEqual({ kind: 'unanswered', problem: 'timeout' })
  }
})

test('a cancelled request ends at once', async () => {
  const server = await startServer(() => {})
  const { egress } = testEgress([[LOOPBACK]])
  const exchange = egress.start(requestTo(`http://hook.example.com:${server.port}/`))
  await sleep(50)
  exchange.cancel()
  expect(await exchange.result).toEqual({ kind: 'unanswered', problem: 'aborted' })
  const unsent = egress.start(requestTo(`http://hook.example.com:${server.port}/`))
  unsent.cancel()
  expect(await unsent.result).toEqual({ kind: 'unanswered', problem: 'aborted' })
})

test('connections that others open with its connector go to checked addresses only', async () => {
  const server = await startServer((_request, response) => response.end('hello'))
  const { egress } = testEgress([['10.0.0.1'], [LOOPBACK]])
  const statusAt = async (origin: string, guard: Egress) => {
    const pool = new Pool(origin, { connect: guard.connect })
    onTestFinished(() => pool.destroy())
    return pool.request({ method: 'GET', path: '/' }).then(
      ({ statusCode }) => statusCode,
      (error: Error & { code?: string }) => error.code,
    )
  }
  const named = `http://acquirer.example.com:${server.port}`
  expect(await statusAt(named, egress)).toBe('ADDRESS_NOT_ALLOWED')
  expect(await statusAt(named, egress)).toBe(200)
  const guarded = new Egress({ allowPrivate: false })
  onTestFinished(() => guarded.close())
  for (const host of [LOOPBACK, 'localhost', '2130706433']) {
    expect(await statusAt(`http://${host}:${server.port}`, guarded)).toBe('ADDRESS_NOT_ALLOWED')
  }
  expect(server.requests()).toBe(1)
})
