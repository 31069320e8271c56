import { createHash } from 'node:crypto'
import { AccountClient } from '../../port/account-client.ts'
import type { Exchange } from '../../port/http-exchange.ts'
import { type Members, parseMembers } from '../../port/members.ts'
import { safeMessage, textOf } from './members.ts'
import { Tokens } from './tokens.ts'

/** The newest version whose members could be read whole (reference/acquirers#airwallex). Every request names it. */
const API_VERSION = '2025-06-30'
const PREFIX = '/api/v1'
/** A page of a list is the largest response. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024
/** The bound of reference/acquirers#airwallex. */
const MAX_REQUEST_ID = 64

/**
 * - `error`: Airwallex refused the request with a 4xx that says that it was not run.
 * - `unknown`: It may have been run, unless `isSent` is false. `status` is that of the answer, if there was one.
 */
export type AirwallexResponse =
  | { readonly kind: 'ok'; readonly object: Members }
  | { readonly kind: 'error'; readonly status: number; readonly code: string; readonly error: Members }
  | { readonly kind: 'unknown'; readonly isSent: boolean; readonly message: string; readonly status?: number }

export type Via = 'begin' | 'send' | 'ask'

/** `requestId` names the operation, and is the same when the request is repeated. */
export interface AirwallexClient {
  get(path: string, query?: Readonly<Record<string, string>>, via?: Via): Promise<AirwallexResponse>
  post(path: string, body: object, options: { via: Via; requestId?: string }): Promise<AirwallexResponse>
  upload(path: string, body: { contentType: string; content: Buffer }): Promise<AirwallexResponse>
  /** Undefined if the login succeeds. */
  checkLogin(): Promise<{ readonly kind: 'refused'; readonly status: number } | UnknownLogin | undefined>
  close(): Promise<void>
}

interface UnknownLogin {
  readonly kind: 'unknown'
  readonly message: string
}

export interface AirwallexClientOptions {
  readonly apiBase: string
  readonly credentials: Readonly<Record<string, string>>
  readonly connect: object
  readonly timeoutMs?: number
}

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  readonly maxBytes?: number
}

export function createAirwallexClient(options: AirwallexClientOptions): AirwallexClient {
  const { apiBase, credentials, ...rest } = options
  const client = new AccountClient({ baseUrl: apiBase, headers: { 'x-api-version': API_VERSION }, ...rest })
  const tokens = new Tokens(client, credentials)

  const send = async (request: Sent, via: Via): Promise<AirwallexResponse> => {
    const first = await tokens.get()
    if (first.kind !== 'token') return notLoggedIn(first)
    const answer = await client[via](withToken(request, first.token))
    if (answer.kind !== 'answered' || answer.status !== 401) return readResponse(answer)
    // The token ended early. Nothing was run, so the same request goes out once more.
    const second = await tokens.renew(first.token)
    if (second.kind !== 'token') return notLoggedIn(second)
    return readResponse(await client[via === 'begin' ? 'send' : via](withToken(request, second.token)))
  }
  return {
    get: (path, query = {}, via = 'ask') => {
      const encoded = new URLSearchParams(query).toString()
      const target = PREFIX + path + (encoded === '' ? '' : `?${encoded}`)
      return send({ method: 'GET', path: target, maxBytes: MAX_RESPONSE_BYTES }, via)
    },
    post: (path, body, { via, requestId }) => {
      const text = JSON.stringify(
        requestId === undefined ? body : { request_id: shortened(requestId), ...body },
      )
      return send({ method: 'POST', path: PREFIX + path, body: text }, via)
    },
    upload: (path, { contentType, content }) =>
      send(
        { method: 'POST', path: PREFIX + path, body: content, headers: { 'content-type': contentType } },
        'ask',
      ),
    checkLogin: async () => {
      const reply = await tokens.get()
      return reply.kind === 'token' ? undefined : reply
    },
    close: () => client.close(),
  }
}

/** Airwallex takes at most 64 characters. */
function shortened(requestId: string): string {
  return requestId.length <= MAX_REQUEST_ID
    ? requestId
    : createHash('sha256').update(requestId).digest('hex').slice(0, MAX_REQUEST_ID)
}

function withToken({ headers, ...request }: Sent, token: string): Sent {
  return { ...request, headers: { ...headers, authorization: `Bearer ${token}` } }
}

function notLoggedIn(
  reply: { readonly kind: 'refused'; readonly status: number } | UnknownLogin,
): AirwallexResponse {
  if (reply.kind === 'unknown') return { kind: 'unknown', isSent: false, message: reply.message }
  const message = 'Airwallex does not accept the credentials of the account.'
  return { kind: 'error', status: 401, code: 'unauthorized', error: { code: 'unauthorized', message } }
}

/** Codes that do not say whether the request was run (reference/acquirers#airwallex). */
const INCONCLUSIVE_CODES: ReadonlySet<string> = new Set(['provider_unavailable', 'frequency_above_limit'])
const INCONCLUSIVE: ReadonlySet<number> = new Set([401, 408, 409, 425, 429])

function readResponse(response: Exchange | { readonly kind: 'not_sent' }): AirwallexResponse {
  if (response.kind === 'not_sent') {
    const message = 'Airwallex is not answering at the moment, so the request was not sent.'
    return { kind: 'unknown', isSent: false, message }
  }
  if (response.kind === 'unanswered') return { kind: 'unknown', isSent: true, message: response.reason }
  const { status } = response
  const body = parseMembers(response.text)
  if (status >= 200 && status < 300 && body !== null) return { kind: 'ok', object: body }
  const code = textOf(body?.code) ?? ''
  const isRefusal =
    status >= 400 && status < 500 && !INCONCLUSIVE.has(status) && !INCONCLUSIVE_CODES.has(code)
  if (isRefusal && body !== null) return { kind: 'error', status, code, error: body }
  const said = safeMessage(body?.message)
  const message = `Airwallex answered with HTTP ${status}${code === '' ? '' : ` ${code}`}${said === null ? '' : `: ${said}`}.`
  return { kind: 'unknown', isSent: true, message, status }
}
