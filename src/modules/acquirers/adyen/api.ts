import { maskCardNumbers } from '#platform/security/redaction'
import { AccountClient } from '../port/account-client.ts'
import type { AccountSettings, AdapterDependencies } from '../port/adapter.ts'
import type { Reply } from '../port/disputes.ts'
import type { Exchange } from '../port/http-exchange.ts'
import { type Members, parseMembers } from '../port/members.ts'
import { textOf } from './members.ts'

/**
 * `rejected` is an explicit 4xx: nothing was done. `unknown` is any reply that proves nothing, including 409 and error
 * 704 (the first request under the key is still running).
 */
export type AdyenResponse =
  | { readonly kind: 'ok'; readonly body: Members }
  | { readonly kind: 'rejected'; readonly status: number; readonly code: string; readonly message: string }
  | { readonly kind: 'unknown'; readonly message: string }

interface Instruction {
  readonly path: string
  readonly body: object
  readonly idempotencyKey: string | null
}

export interface AdyenApi {
  readonly merchantAccount: string
  begin(instruction: Instruction): Promise<AdyenResponse | { readonly kind: 'not_sent' }>
  send(instruction: Instruction): Promise<AdyenResponse>
  get(path: string): Promise<AdyenResponse>
  close(): Promise<void>
}

type Connection = Pick<AdapterDependencies, 'connect' | 'timeoutMs'>

const CHECKOUT = '/v72'
const REQUEST_IN_PROGRESS = '704'

export function clientOf(
  baseUrl: string,
  { credentials }: Pick<AccountSettings, 'credentials'>,
  { connect, timeoutMs }: Connection,
): AccountClient {
  return new AccountClient({
    baseUrl,
    headers: { 'x-api-key': credentials.api_key ?? '' },
    connect,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
}

export function createAdyenApi(
  settings: Omit<AccountSettings, 'merchantId'>,
  connection: Connection,
): AdyenApi {
  const client = clientOf(settings.apiBase, settings, connection)
  const post = ({ path, body, idempotencyKey }: Instruction) => ({
    method: 'POST' as const,
    path: CHECKOUT + path,
    body: JSON.stringify(body),
    headers: idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey },
  })
  return {
    merchantAccount: settings.credentials.merchant_account ?? '',
    begin: async (instruction) => {
      const response = await client.begin(post(instruction))
      return response.kind === 'not_sent' ? response : readResponse(response)
    },
    send: async (instruction) => readResponse(await client.send(post(instruction))),
    get: async (path) => readResponse(await client.ask({ method: 'GET', path: CHECKOUT + path })),
    close: () => client.close(),
  }
}

export function readResponse(response: Exchange): AdyenResponse {
  if (response.kind === 'unanswered') return { kind: 'unknown', message: response.reason }
  const { status, headers, text } = response
  const body = parseMembers(text)
  if (status >= 200 && status < 300) {
    return body === null
      ? { kind: 'unknown', message: 'the response cannot be parsed' }
      : { kind: 'ok', body }
  }
  const code = body === null ? '' : textOf(body, 'errorCode')
  const isTransient = headers['transient-error'] === 'true' || code === REQUEST_IN_PROGRESS
  const provesNothing = status < 400 || status >= 500 || [408, 409, 429].includes(status)
  if (isTransient || provesNothing) {
    return { kind: 'unknown', message: `the acquirer responded with HTTP ${status}` }
  }
  const message = maskCardNumbers(body === null ? '' : textOf(body, 'message'))
  return {
    kind: 'rejected',
    status,
    code: code === '' ? `http_${status}` : code,
    message: message === '' ? `The acquirer responded with HTTP ${status}.` : message,
  }
}

export function replyOf(response: AdyenResponse): Reply<Members> {
  if (response.kind === 'ok') return { kind: 'ok', value: response.body }
  if (response.kind === 'unknown') return { kind: 'unavailable', message: response.message }
  if (response.status === 404) return { kind: 'absent' }
  return { kind: 'refused', message: response.message }
}
