import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

interface RpcRequest {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** What a faulty node does instead of asking the real one: an answer's `result` or `error`, or what is no answer at all. */
type Fault = (
  request: RpcRequest,
) => { result: unknown } | { error: object } | 'bad json' | 'hang up' | 'http 500' | 'no answer' | undefined

/** A node between us and a real one that fails as it is told. */
export interface FaultyNode {
  readonly url: string
  fault: Fault
  /** Requests by method, batched ones each. */
  readonly asked: Map<string, number>
  /** How many requests came at once, batch by batch. */
  readonly batches: number[]
  /** Larger batches are refused as a whole, by one error that is no list. */
  mostInBatch: number
  /** How long every answer takes beside the real node's own time. */
  delayMs: number
  stop(): Promise<void>
}

export async function startFaultyNode(target: string): Promise<FaultyNode> {
  const state = {
    fault: (() => undefined) as Fault,
    asked: new Map<string, number>(),
    batches: [] as number[],
    mostInBatch: 1_000,
    delayMs: 0,
  }
  const server = createServer((request, response) => {
    void answer(request).then(
      (text) => {
        if (text === undefined) return response.destroy()
        response.writeHead(text.status, { 'content-type': 'application/json' })
        return response.end(text.body)
      },
      () => response.destroy(),
    )
  })

  async function answer(request: IncomingMessage): Promise<{ status: number; body: string } | undefined> {
    const given = JSON.parse(await bodyOf(request)) as RpcRequest | RpcRequest[]
    const requests = Array.isArray(given) ? given : [given]
    state.batches.push(requests.length)
    if (state.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, state.delayMs))
    if (requests.length > state.mostInBatch) {
      return {
        status: 200,
        body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}}',
      }
    }
    const passed: RpcRequest[] = []
    const answers: object[] = []
    for (const one of requests) {
      state.asked.set(one.method, (state.asked.get(one.method) ?? 0) + 1)
      const fault = state.fault(one)
      if (fault === 'hang up') return undefined
      if (fault === 'no answer') return new Promise<never>(() => {})
      if (fault === 'bad json') return { status: 200, body: '{"jsonrpc":"2.0","result":' }
      if (fault === 'http 500') return { status: 500, body: 'trouble' }
      if (fault === undefined) passed.push(one)
      else answers.push({ jsonrpc: '2.0', id: one.id, ...fault })
    }
    if (passed.length > 0) answers.push(...(await forward(target, passed)))
    return { status: 200, body: JSON.stringify(Array.isArray(given) ? answers : answers[0]) }
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
  const answer = await fetch(target, { method: 'POST', headers, body: JSON.stringify(requests) })
  return (await answer.json()) as object[]
}
