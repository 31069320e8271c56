import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Config, EnvironmentEnum } from '@adyen/api-library'
import { vi } from 'vitest'
import type { Movement } from '../../common/books.ts'
import { startTwinServer } from '../../common/server.ts'
import { openAdyenTwin } from '../adyen-twin.ts'

export const ACCOUNT = 'TwinShopECOM'
export const HMAC_KEY = 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00'
export const API_KEY = 'AQEtwin'

export interface Exchange {
  readonly request: { readonly method: string; readonly path: string; readonly body: string }
  readonly reply: { readonly status: number; readonly body: string }
}

export interface ReceivedNotice {
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

export interface WitnessedReply {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- replies are read member by member in tests
  readonly body: any
}

/** A twin in this process that records every exchange of its API. */
export async function startWitnessedTwin() {
  const dir = await mkdtemp(join(tmpdir(), 'twin-adyen-'))
  const exchanges: Exchange[] = []
  const server = await startTwinServer(
    async (context) => {
      const twin = await openAdyenTwin(context)
      return {
        ...twin,
        handle: async (request) => {
          const reply = await twin.handle(request)
          if (reply !== 'cut') {
            exchanges.push({
              request: { method: request.method, path: request.path, body: request.body.toString() },
              reply: { status: reply.status, body: reply.body.toString() },
            })
          }
          return reply
        },
      }
    },
    { port: 0, dir },
  )
  const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<WitnessedReply> =>
    exchange(server.url, 'POST', path, body, { 'x-api-key': API_KEY, ...headers })

  return {
    url: server.url,
    exchanges,
    post,
    control: async (method: string, path: string, body: object = {}): Promise<WitnessedReply['body']> => {
      const answer = await exchange(server.url, method, `/_twin/${path}`, body, {})
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      return answer.body
    },
    movements: async (): Promise<Movement[]> => {
      const text = await (await fetch(`${server.url}/_twin/books`)).text()
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Movement)
    },
    close: async () => {
      await server.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export type WitnessedTwin = Awaited<ReturnType<typeof startWitnessedTwin>>

async function exchange(
  url: string,
  method: string,
  path: string,
  body: object,
  headers: Record<string, string>,
): Promise<WitnessedReply> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
    redirect: 'manual',
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') === true
  return {
    status: answer.status,
    headers: answer.headers,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  }
}

/** Adyen's unchanged library. Its requests to Adyen's test hosts go to the twin. */
export function sdkOf(url: string, apiKey = API_KEY): Client {
  const { hostname, port } = new URL(url)
  vi.spyOn(https, 'request').mockImplementation(((options: http.RequestOptions) =>
    http.request({
      ...options,
      protocol: 'http:',
      hostname,
      port,
      agent: undefined,
    })) as unknown as typeof https.request)
  return new Client(new Config({ apiKey, environment: EnvironmentEnum.TEST }))
}

/** Receives the twin's notices, as a merchant's server does. `status` is what it answers. */
export async function startReceiver() {
  const received: ReceivedNotice[] = []
  const receiver = { received, status: 200, url: '', close: async () => {} }
  const server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (receiver.status === 200) received.push({ headers: request.headers, body })
      response.writeHead(receiver.status).end('[accepted]')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  receiver.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return receiver
}

export interface NoticeItem {
  readonly eventCode: string
  readonly pspReference: string
  readonly originalReference?: string
  readonly merchantReference: string
  readonly success: string
  readonly reason: string
  readonly amount: { readonly value: number; readonly currency: string }
  readonly additionalData: Readonly<Record<string, string>>
}

export function itemOf({ body }: ReceivedNotice): NoticeItem {
  const { notificationItems } = JSON.parse(body) as {
    notificationItems: [{ NotificationRequestItem: NoticeItem }]
  }
  return notificationItems[0].NotificationRequestItem
}

export const CARD = {
  type: 'scheme',
  encryptedCardNumber: 'test_4111111111111111',
  encryptedExpiryMonth: 'test_03',
  encryptedExpiryYear: 'test_2030',
  encryptedSecurityCode: 'test_737',
  holderName: 'John Smith',
} as const

/** The body of POST /payments for an authorization that the merchant captures. */
export function payment(reference: string, members: object = {}): Record<string, unknown> {
  return {
    merchantAccount: ACCOUNT,
    reference,
    amount: { currency: 'EUR', value: 1000 },
    paymentMethod: CARD,
    returnUrl: 'https://shop.example/return?order=1',
    additionalData: { manualCapture: 'true' },
    ...members,
  }
}
