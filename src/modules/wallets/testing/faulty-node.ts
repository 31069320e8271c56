import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

interface RpcRequest {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

type Fault = (
  request: RpcRequest,
) => { result: unknown } | { error: object } | 'bad json' | 'hang up' | 'http 500' | 'no response' | undefined

export interface FaultyNode {
  readonly url: string
  fault: Fault
  readonly batches: number[]
  maxBatchSize: number
  delayMs: number
  stop(): Promise<void>
}

export async function startFaultyNode(target: string): Promise<FaultyNode> {
  const state = {
    fault: (() => undefined) as Fault,
    batches: [] as number[],
    maxBatchSize: 1_000,
    delayMs: 0,
  }
  const server = createServer((request, response) => {
    void replyTo(request).then(
      (reply) => {
        if (reply === undefined) return response.destroy()
        response.writeHead(reply.status, { 'content-type': 'application/json' })
        return response.end(reply.body)
      },
      () => response.destroy(),
    )
  })

  async function replyTo(request: IncomingMessage): Promise<{ status: number; body: string } | undefined> {
    const body = JSON.parse(await bodyOf(request)) as RpcRequest | RpcRequest[]
    const requests = Array.isArray(body) ? body : [body]
    state.batches.push(requests.length)
    if (state.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, state.delayMs))
    if (requests.length > state.maxBatchSize) {
      return {
        status: 200,
        body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}}',
      }
    }
    const forwarded: RpcRequest[] = []
    const responses: object[] = []
    for (const one of requests) {
      const fault = state.fault(one)
      if (fault === 'hang up') return undefined
      if (fault === 'no response') return new Promise<never>(() => {})
      if (fault === 'bad json') return { status: 200, body: '{"jsonrpc":"2.0","result":' }
      if (fault === 'http 500') return { status: 500, body: 'internal error' }
      if (fault === undefined) forwarded.push(one)
      else responses.push({ jsonrpc: '2.0', id: one.id, ...fault })
    }
    if (forwarded.length > 0) responses.push(...(await forward(target, forwarded)))
    return { status: 200, body: JSON.stringify(Array.isArray(body) ? responses : responses[0]) }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return Object.assign(state, {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  request.setEncoding('utf8')
  for await (const chunk of request) text += String(chunk)
  return text
}

async function forward(target: string, requests: readonly RpcRequest[]): Promise<object[]> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(target, { method: 'POST', headers, body: JSON.stringify(requests) })
  return (await response.json()) as object[]
}
