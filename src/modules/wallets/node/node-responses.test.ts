import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#platform/embedded-postgres/free-port'
import { Node } from './node.ts'

interface RpcRequest {
  readonly id: number
  readonly method: string
  readonly params: readonly [string, boolean]
}

type Reply = (request: RpcRequest | RpcRequest[], response: ServerResponse, headers: IncomingMessage) => void

let reply: Reply = () => undefined
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest | RpcRequest[]
    reply(body, response, request)
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
if (address === null || typeof address === 'string') throw new Error('no port')
const url = `http://127.0.0.1:${address.port}`
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

function always(status: number, body: string, contentType = 'application/json'): Reply {
  return (_request, response) => response.writeHead(status, { 'content-type': contentType }).end(body)
}

const RPC_ERROR = '{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"too many results"}}'

test.for([
  ['a JSON-RPC error', 'refused', always(200, RPC_ERROR), 'JSON-RPC error -32005'],
  ['a JSON-RPC error with an HTTP error', 'refused', always(500, RPC_ERROR), 'JSON-RPC error -32005'],
  ['HTTP status 413', 'refused', always(413, '<h1>too large</h1>', 'text/html'), 'HTTP status 413'],
  ['HTTP status 400', 'refused', always(400, '', 'text/plain'), 'HTTP status 400'],
  ['HTTP status 429', 'failed', always(429, 'slow down', 'text/plain'), 'HTTP status 429'],
  ['HTTP status 503', 'failed', always(503, '{"message":"down"}'), 'HTTP status 503'],
  ['text', 'failed', always(200, 'ok', 'text/plain'), ''],
  ['half of a JSON text', 'failed', always(200, '{"jsonrpc":"2.0","resu'), ''],
  ['nothing', 'refused', always(200, 'null'), ''],
  ['no result', 'wrong', always(200, '{}'), "the node's response has no valid result"],
  ['a list', 'wrong', always(200, '[]'), "the node's response has no valid result"],
  ['another result', 'wrong', always(200, '{"result":"seven"}'), "the node's response has no valid result"],
] as const)('a node that returns %s has the error "%s"', async ([, kind, response, message]) => {
  reply = response
  await expect(new Node(url).chainId()).rejects.toMatchObject({
    kind,
    message: expect.stringContaining(message),
  })
})

test('a node that cannot be reached has failed', async () => {
  const node = new Node(`http://127.0.0.1:${await freePort()}`)
  await expect(node.chainId()).rejects.toMatchObject({ kind: 'failed', message: 'no response' })
})

test('a response of more than 32 MB is refused while it arrives', async () => {
  let sent = 0
  reply = (_request, response) => {
    const part = Buffer.alloc(1024 * 1024, ' ')
    const send = () => {
      while (!response.destroyed && sent < 200) {
        sent++
        if (!response.write(part)) return response.once('drain', send)
      }
      return response.end()
    }
    send()
  }
  await expect(new Node(url, { timeoutMs: 100_000 }).chainId()).rejects.toMatchObject({
    kind: 'refused',
    message: 'the response is too long',
  })
  expect(sent).toBeLessThan(150)
})

test('a response that does not end is refused in time', async () => {
  reply = (_request, response) => response.writeHead(200).write('{"jsonrpc":"2.0",')
  await expect(new Node(url, { timeoutMs: 300 }).chainId()).rejects.toMatchObject({
    kind: 'refused',
    message: 'no response in time',
  })
})

test('a name and password of the URL are sent in the header for them', async () => {
  let authorization: string | undefined
  reply = (_request, response, { headers }) => {
    authorization = headers.authorization
    always(200, '{"jsonrpc":"2.0","id":1,"result":"0x7"}')(_request, response, { headers } as IncomingMessage)
  }
  expect(await new Node(url.replace('//', '//us%40er:pass%20word@')).chainId()).toBe(7)
  expect(authorization).toBe(`Basic ${btoa('us@er:pass word')}`)
})

const hash = (number: number) => `0x${number.toString(16).padStart(64, '0')}`

function block({ id, params: [number] }: RpcRequest) {
  const hashes = { hash: hash(Number(number) + 1), parentHash: hash(Number(number)) }
  return { jsonrpc: '2.0', id, result: { number, ...hashes, timestamp: '0x1' } }
}

test('the responses of a batch belong to requests by their ids, in whatever order they come', async () => {
  reply = (requests, response) => {
    if (!Array.isArray(requests)) throw new Error('not a batch')
    const [first, ...others] = requests.map(block)
    response.end(JSON.stringify([...others.reverse(), first]))
  }
  const blocks = await new Node(url).blocks(1, 60, false)
  expect(blocks.map(({ number }) => number)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
})

test.for([
  ['without one response', (all: object[]) => all.slice(1)],
  [
    'with an error for one request',
    (all: object[]) => [{ ...all[0], result: undefined, error: { code: -32000 } }, ...all.slice(1)],
  ],
  ['with nothing for one request', (all: object[]) => [null, ...all.slice(1)]],
  ['that is one error', () => ({ error: { code: -32600, message: 'batch too large' } })],
  ['that is nothing', () => null],
] as const)('a batch %s is repeated in smaller ones', async ([, change]) => {
  const sizes: number[] = []
  reply = (requests, response) => {
    sizes.push(Array.isArray(requests) ? requests.length : 1)
    const body = Array.isArray(requests) ? change(requests.map(block)) : block(requests)
    response.end(JSON.stringify(body))
  }
  const blocks = await new Node(url).blocks(1, 4, false)
  expect(blocks.map(({ number }) => number)).toEqual([1, 2, 3, 4])
  expect(sizes).toEqual([4, 1, 1, 1, 1])
})
