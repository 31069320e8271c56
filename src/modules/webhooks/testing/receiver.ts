import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { realNowMs } from '#kernel/clock'

/** A message as a receiver got it. */
interface Received {
  readonly path: string
  readonly headers: Record<string, string>
  readonly text: string
  readonly body: { type: string; timestamp: string; data: Record<string, unknown>; sequence: number }
  readonly atMs: number
}

export type Reply = (message: Received, response: ServerResponse) => void

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** What it answers from now on. */
  reply: Reply
}

export const answering =
  (status: number, headers: Record<string, string> = {}, text = ''): Reply =>
  (_message, response) => {
    response.writeHead(status, headers).end(text)
  }

export const neverAnswering: Reply = () => {}

/** A real HTTP server on loopback, closed after the test file. Answers 200 until told otherwise. */
export async function startReceiver(reply: Reply = answering(200)): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void readMessage(request).then((message) => {
      received.push(message)
      receiver.reply(message, response)
      return message
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = { url: `http://127.0.0.1:${port}`, received, reply }
  return receiver
}

async function readMessage(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return {
    path: request.url ?? '',
    headers: request.headers as Record<string, string>,
    text,
    body: JSON.parse(text) as Received['body'],
    atMs: realNowMs(),
  }
}
