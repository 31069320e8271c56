import { realClock } from '#kernel/clock'
import { Money } from '#kernel/money'
import { startHttpServer } from '#platform/testing/http-server'
import type { AccountSettings, ConnectedAcquirer } from '../../port/adapter.ts'
import type { ChargeRequest, FollowUpRequest, Lookup } from '../../port/port.ts'
import { airwallexAdapter } from '../index.ts'
import { timeText } from '../wire/members.ts'

export type HttpReply = readonly [status: number, body: object]

export interface Asked {
  readonly target: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
}

/** Of several answers each is given once, and the last one from then on. */
type Script = HttpReply | readonly HttpReply[] | ((asked: Asked) => HttpReply)

const CREDENTIALS = {
  client_id: 'a-client-id',
  api_key: 'an-api-key',
  webhook_secret: 'whsec_an-example-secret',
}

export function loginAnswer(lifeSeconds = 1_800, token = `eyJ${crypto.randomUUID()}`): HttpReply {
  return [201, { token, expires_at: timeText(realClock.now().add({ seconds: lifeSeconds })) }]
}

/** A double of Airwallex that gives the answers of a test, and keeps what it was asked. Logins succeed unless a test says otherwise. */
export async function startDouble() {
  const asked: Asked[] = []
  const given = new Map<string, number>()
  let scripts: Readonly<Record<string, Script>> = {}

  function answerTo(one: Asked): HttpReply {
    const script = scripts[one.target]
    if (script === undefined) return one.target === LOGIN ? loginAnswer() : [404, { code: 'not_found' }]
    if (typeof script === 'function') return script(one)
    if (!isList(script)) return script
    const index = given.get(one.target) ?? 0
    given.set(one.target, index + 1)
    return script[Math.min(index, script.length - 1)] ?? [500, {}]
  }

  const url = await startHttpServer((request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://double')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
      const target = `${request.method} ${pathname.replace(/^\/api\/v1/, '')}`
      const one = { target, query: searchParams, headers: request.headers, body }
      asked.push(one)
      const [status, answer] = answerTo(one)
      reply.writeHead(status).end(JSON.stringify(answer))
    })
  })

  return {
    url,
    asked,
    /** What was asked since the answers were set, but for logins. */
    targets: () => asked.map(({ target }) => target).filter((target) => target !== LOGIN),
    logins: () => asked.filter(({ target }) => target === LOGIN).length,
    answer: (next: Readonly<Record<string, Script>>) => {
      scripts = next
      asked.length = 0
      given.clear()
    },
    connect: (settings: Partial<AccountSettings> = {}): ConnectedAcquirer =>
      airwallexAdapter.connect(
        {
          environment: 'test',
          credentials: CREDENTIALS,
          apiBase: url,
          statementDescriptor: null,
          wallets: { walletA: 'wechat_pay', walletB: 'alipay_hk' },
          merchantId: 'acct_1',
          ...settings,
        },
        { connect: {}, timeoutMs: 60_000, findNotices: async () => [] },
      ),
  }
}

export const LOGIN = 'POST /authentication/login'
export const INTENTS = '/pa/payment_intents'
export const INTENT = `${INTENTS}/int_1`
export const CONSENT = '/pa/payment_consents/cst_1'
export const REFUNDS = '/pa/refunds'

function isList(script: HttpReply | readonly HttpReply[]): script is readonly HttpReply[] {
  return Array.isArray(script[0])
}

const HUNDRED = Money.ofDecimal('HKD', '100.01')
const KEY = 'txn_01m84jwk5perpsrzvd2cr981hh'

export function intent(status: string, more: object = {}): HttpReply {
  return [200, { id: 'int_1', status, amount: 100.01, currency: 'HKD', captured_amount: 0, ...more }]
}

export const paid = (more: object = {}): HttpReply =>
  intent('SUCCEEDED', { captured_amount: 100.01, ...more })

export function chargeRequest(options: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    key: KEY,
    at: realClock.now(),
    amount: HUNDRED,
    instrument: { type: 'acquirer_token', id: 'cst_1', payerReference: 'cus_1' },
    payerPresent: true,
    returnUrl: 'https://shop.example/back',
    orderNumber: 'O-1',
    commitReference: async () => true,
    ...options,
  }
}

export function followUp(options: Partial<FollowUpRequest> = {}): FollowUpRequest {
  const { key, at, amount, commitReference } = chargeRequest()
  return { key, at, amount, commitReference, originalKey: 'txn_0', originalReference: 'int_1', ...options }
}

export function lookup(options: Partial<Lookup> = {}): Lookup {
  return {
    kind: 'sale',
    key: KEY,
    at: realClock.now(),
    reference: 'int_1',
    sentAt: realClock.now(),
    amount: HUNDRED,
    originalReference: null,
    returned: {},
    commitReference: async () => true,
    ...options,
  }
}

export const card = {
  type: 'card',
  number: '4035501000000008',
  expMonth: 12,
  expYear: 2030,
  holderName: 'A Payer',
  cvc: '123',
} as const

export const wallet = { type: 'wallet_b', autoDebit: false } as const
export const fps = { type: 'fps', autoDebit: false } as const
