import { expect, test } from 'vitest'
import { startHttpServer } from '#platform/testing/http-server'
import { JsonRpc } from './json-rpc.ts'

const REQUEST = { method: 'eth_chainId', params: [] }

// Proves reference/wallets#deposits.
test('a node cannot send the service to another address', async () => {
  const called: string[] = []
  const inside = await startHttpServer((request, response) => {
    called.push(request.url ?? '')
    response.end('{"jsonrpc":"2.0","id":0,"result":"0x1"}')
  })
  for (const status of [301, 302, 303, 307, 308]) {
    const node = await startHttpServer((_request, response) => {
      response.writeHead(status, { location: `${inside}/secrets` }).end()
    })
    const answer = new JsonRpc(node).call(REQUEST, AbortSignal.timeout(60_000))
    await expect(answer).rejects.toThrow(`HTTP status ${status}`)
  }
  expect(called).toEqual([])
})
