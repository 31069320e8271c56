import type { IncomingMessage, ServerResponse } from 'node:http'
import { realNowMs } from '#kernel/clock'
import { startHttpServer } from './http-server.ts'

export interface Received {
  readonly path: string
  readonly headers: Record<string, string>
  readonly text: string
  readonly body: {
    type: string
    timestamp: string
    data: Record<string, unknown>
    sequence: number
    object_id: string
    truncated?: true
  }
  readonly atMs: number
}

export type Reply = (message: Received, response: ServerResponse) => void

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  reply: Reply
}

export const replyWith =
  (status: number, headers: Record<string, string> = {}, text = ''): Reply =>
  (_message, response) => {
    response.writeHead(status, headers).end(text)
  }

export const neverReply: Reply = () => {}

export async function startReceiver(reply: Reply = replyWith(200)): Promise<Receiver> {
  const receiver = { received: [] as Received[], reply }
  const url = await startHttpServer((request, response) => {
    void readMessage(request).then((message) => {
      receiver.received.push(message)
      receiver.reply(message, response)
      return message
    })
  })
  return Object.assign(receiver, { url })
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
