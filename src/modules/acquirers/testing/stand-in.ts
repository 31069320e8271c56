import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { startHttpServer } from '#platform/testing/http-server'
import { AccountClient } from '../port/account-client.ts'
import type { AccountSettings, AcquirerAdapter, AcquirerName, ConnectedAcquirer } from '../port/adapter.ts'
import type { Notice, NoticeReading, NoticeRequest } from '../port/notices.ts'
import type { Acquirer, Capabilities, Outcome } from '../port/port.ts'

const MAX_AGE_MS = 300_000
const MEMBERS: Readonly<Record<AcquirerName, readonly [secret: string, ...others: string[]]>> = {
  stripe: ['secret_key', 'publishable_key', 'webhook_secret'],
  adyen: ['api_key', 'client_key', 'merchant_account', 'hmac_key'],
  airwallex: ['api_key', 'client_id', 'webhook_secret'],
}

export interface StandIn {
  readonly url: string
  readonly requests: { readonly path: string; readonly authorization: string }[]
  answer: ((path: string, response: ServerResponse) => void | Promise<void>) | undefined
}

export async function startStandIn(): Promise<StandIn> {
  const standIn: StandIn = { url: '', requests: [], answer: undefined }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url: path = '', headers } = request
    await text(request)
    const authorization = headers.authorization ?? ''
    standIn.requests.push({ path, authorization })
    if (standIn.answer !== undefined) return standIn.answer(path, response)
    const isBad = authorization.includes('bad')
    response.writeHead(isBad ? 401 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isBad ? {} : { id: `merchant_${authorization.split('_')[2]}` }))
  }
  const url = await startHttpServer((request, response) => void serve(request, response))
  return Object.assign(standIn, { url })
}

export function standInAdapter(name: AcquirerName): AcquirerAdapter {
  const [secretMember] = MEMBERS[name]
  const member = `credentials.${secretMember}`
  return {
    name,
    capabilities: CAPABILITIES,
    credentialMembers: MEMBERS[name],
    defaultApiBase: { test: 'https://acquirer.invalid', live: null },
    checkForm: ({ environment, credentials }) =>
      credentials[secretMember]?.startsWith(`sk_${environment}_`) === true
        ? null
        : { kind: 'refused', member, message: `must be a ${environment} key` },
    checkCredentials: async (settings, deps) => {
      const client = clientOf(settings, deps, secretMember)
      const answer = await client.ask({ method: 'GET', path: '/account' })
      await client.close()
      if (answer.kind === 'unanswered') return { kind: 'unavailable', message: answer.reason }
      if (answer.status === 401) return { kind: 'refused', member, message: `is not valid at ${name}` }
      if (answer.status !== 200) return { kind: 'unavailable', message: `status ${answer.status}` }
      return { kind: 'accepted', merchantId: (JSON.parse(answer.text) as { id: string }).id }
    },
    connect: (settings, deps) => connectStandIn(name, settings, clientOf(settings, deps, secretMember)),
  }
}

function clientOf(
  { apiBase, credentials }: Pick<AccountSettings, 'apiBase' | 'credentials'>,
  deps: { readonly connect: object; readonly timeoutMs?: number },
  secretMember: string,
): AccountClient {
  return new AccountClient({
    baseUrl: apiBase,
    headers: { authorization: `Bearer ${credentials[secretMember]}` },
    ...deps,
  })
}

const CAPABILITIES: Capabilities = {
  closes: new Set(),
  commitsReferences: false,
  multipleCaptures: false,
  voidsCaptured: false,
  needsSecurityCode: false,
}
const unavailable = async () => ({ kind: 'unavailable', message: 'the stand-in has none' }) as const
const unknown = async (): Promise<Outcome & { kind: 'unknown' }> => ({
  kind: 'unknown',
  responseMessage: 'the stand-in has none',
})

function connectStandIn(
  name: AcquirerName,
  settings: AccountSettings,
  client: AccountClient,
): ConnectedAcquirer {
  const charge: Acquirer['sale'] = async ({ key }) => {
    const answer = await client.begin({ method: 'POST', path: '/charges', body: JSON.stringify({ key }) })
    if (answer.kind !== 'answered') return unknown()
    const answered = {
      gatewayTransactionId: key,
      rrn: '',
      authCode: '',
      batchNumber: '',
      responseCode: String(answer.status),
      responseMessage: '',
    }
    return answer.status === 200
      ? { kind: 'approved', ...answered }
      : { kind: 'declined', hard: false, ...answered }
  }
  return {
    name,
    merchantId: settings.merchantId,
    capabilities: CAPABILITIES,
    sale: charge,
    authorize: charge,
    capture: unknown,
    refund: unknown,
    void: unknown,
    verify: unknown,
    inquire: unknown,
    closeKey: unknown,
    readInstrument: unavailable,
    readNotices: (request) => readNotices(settings.credentials, request),
    disputes: {
      get: unavailable,
      list: unavailable,
      submit: unavailable,
      evidenceTexts: new Set(),
      evidenceFiles: new Set(),
    },
    settlement: { entries: unavailable, payouts: unavailable, payoutEntries: unavailable },
    component: {
      acquirer: name,
      publicKey: settings.credentials['publishable_key'] ?? '',
      environment: settings.environment,
      scriptUrl: 'https://js.acquirer.invalid/v3',
      styleUrl: null,
      origins: {},
      confirmsInBrowser: false,
    },
    disconnect: () => client.close(),
  }
}

export function signedHeaders(secret: string, body: string, atMs: number): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${atMs}.${body}`).digest('hex')
  return { 'x-signature': `${atMs}.${signature}` }
}

function readNotices(
  credentials: Readonly<Record<string, string>>,
  { body, headers, receivedAt }: NoticeRequest,
): NoticeReading {
  const secret = credentials['webhook_secret'] ?? credentials['hmac_key'] ?? ''
  const [atMs = '', given = ''] = String(headers['x-signature']).split('.')
  const expected = signedHeaders(secret, body.toString(), Number(atMs))['x-signature']?.split('.')[1] ?? ''
  const isFresh = Math.abs(receivedAt.epochMilliseconds - Number(atMs)) <= MAX_AGE_MS
  const isSigned =
    given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  if (!isFresh || !isSigned) return { ok: false, reason: 'invalid_signature' }
  try {
    return { ok: true, notices: JSON.parse(body.toString()) as Notice[] }
  } catch {
    return { ok: false, reason: 'invalid_body' }
  }
}
