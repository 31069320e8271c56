import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { ReceiverMode } from '../plan/draw-faults.ts'

export interface Message {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly sequence: number
  readonly object_id: string
  readonly data: Readonly<Record<string, unknown>>
}

const LATE_MS = 1_000

/**
 * A merchant's webhook receiver. It believes only messages with a valid signature, keeps each id once, and has taken a
 * message when its 200 has left.
 */
export class Receiver {
  readonly url: string
  /** Messages by id. */
  readonly taken = new Map<string, Message>()
  readonly findings: string[] = []
  /** Messages that came again after they were taken. */
  repeated = 0
  /** Whether it responded with 410, after which nothing more may come. */
  hasGone = false
  mode: ReceiverMode | 'ok' | 'gone' = 'ok'
  #webhook: Webhook | undefined
  readonly #sequences = new Map<string, number>()
  readonly #close: () => void

  private constructor(port: number, close: () => void) {
    this.url = `http://127.0.0.1:${port}/`
    this.#close = close
  }

  static async start(): Promise<Receiver> {
    const server = createServer().unref()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const receiver = new Receiver((server.address() as AddressInfo).port, () => {
      server.closeAllConnections()
      server.close()
    })
    server.on('request', (request, response) => {
      receiver.#answer(request, response).catch(() => response.destroy())
    })
    return receiver
  }

  set secret(secret: string) {
    this.#webhook = new Webhook(secret)
  }

  stop(): void {
    this.#close()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { mode } = this
    if (mode === 'cut') return void request.destroy()
    const text = await textOf(request)
    const message = this.#verified(request, text)
    if (message === undefined) return void response.writeHead(400).end()
    if (mode === 'stall') return
    if (mode === 'fail') return void response.writeHead(500).end()
    if (mode === 'gone') {
      this.hasGone = true
      return void response.writeHead(410).end()
    }
    if (mode === 'late') await sleep(LATE_MS)
    this.#take(message)
    if (mode === 'lose') return void response.destroy()
    response.writeHead(200).end()
  }

  #verified(request: IncomingMessage, text: string): Message | undefined {
    const id = String(request.headers['webhook-id'])
    try {
      const body = this.#webhook?.verify(text, request.headers as Record<string, string>) as
        | Omit<Message, 'id'>
        | undefined
      return body && { ...body, id }
    } catch (error) {
      this.findings.push(`the webhook ${id} has no valid signature: ${String(error)}`)
      return undefined
    }
  }

  #take(message: Message): void {
    const { id, object_id: object, sequence } = message
    const before = this.taken.get(id)
    if (before !== undefined) {
      this.repeated++
      if (JSON.stringify(before) !== JSON.stringify(message)) {
        this.findings.push(`the webhook ${id} came again with another content`)
      }
      return
    }
    const last = this.#sequences.get(object) ?? 0
    if (sequence !== last + 1) this.findings.push(`${object}: webhook ${sequence} came after ${last}`)
    this.#sequences.set(object, Math.max(last, sequence))
    this.taken.set(id, message)
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
