import { AccountClient } from '../../port/account-client.ts'
import type { Exchange } from '../../port/http-exchange.ts'
import { encodeForm, type Form } from './form.ts'
import { type Members, parseMembers } from '../../port/members.ts'
import { membersOf } from './members.ts'

/** The version that the package `stripe` 23.1.0 pins. */
const STRIPE_VERSION = '2026-10-28.endive'
/** A page of a list is the largest response. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024

export type StripeResponse =
  | { readonly kind: 'ok'; readonly object: Members }
  | { readonly kind: 'error'; readonly status: number; readonly error: Members }
  | { readonly kind: 'unknown'; readonly status: number | null; readonly message: string }

type Via = 'begin' | 'send' | 'ask'

interface PostOptions {
  readonly via: Via
  readonly key?: string
}

export interface StripeClient {
  get(path: string, query?: Form, via?: Via): Promise<StripeResponse>
  post(path: string, form: Form, options: PostOptions): Promise<StripeResponse>
  upload(
    path: string,
    body: { readonly contentType: string; readonly content: Buffer },
    key: string,
  ): Promise<StripeResponse>
  close(): Promise<void>
}

export interface StripeClientOptions {
  readonly apiBase: string
  readonly secretKey: string
  readonly connect: object
  readonly timeoutMs?: number
}

export function createStripeClient({ apiBase, secretKey, ...options }: StripeClientOptions): StripeClient {
  const client = new AccountClient({
    baseUrl: apiBase,
    headers: { authorization: `Bearer ${secretKey}`, 'stripe-version': STRIPE_VERSION },
    ...options,
  })
  return {
    get: async (path, query = {}, via = 'ask') => {
      const encoded = encodeForm(query)
      const target = encoded === '' ? path : `${path}?${encoded}`
      return readResponse(await client[via]({ method: 'GET', path: target, maxBytes: MAX_RESPONSE_BYTES }))
    },
    post: async (path, form, { via, key }) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...keyHeader(key) }
      return readResponse(await client[via]({ method: 'POST', path, body: encodeForm(form), headers }))
    },
    upload: async (path, { contentType, content }, key) => {
      const headers = { 'content-type': contentType, ...keyHeader(key) }
      return readResponse(await client.ask({ method: 'POST', path, body: content, headers }))
    },
    close: () => client.close(),
  }
}

function keyHeader(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { 'idempotency-key': key }
}

function readResponse(response: Exchange | { readonly kind: 'not_sent' }): StripeResponse {
  if (response.kind === 'not_sent') {
    return {
      kind: 'unknown',
      status: 0,
      message: 'Stripe is not answering at the moment, so the request was not sent.',
    }
  }
  if (response.kind === 'unanswered') return { kind: 'unknown', status: null, message: response.reason }
  const { status } = response
  const body = parseMembers(response.text)
  if (status >= 200 && status < 300 && body !== null) return { kind: 'ok', object: body }
  const error = membersOf(body?.error)
  if (isRefusal(status, error)) return { kind: 'error', status, error }
  return { kind: 'unknown', status, message: `Stripe responded with HTTP ${status}.` }
}

/** After these statuses a request under the key may still have run. Stripe sends 424 for failures of third parties. */
const INCONCLUSIVE: ReadonlySet<number> = new Set([408, 409, 424, 425, 429])

function isRefusal(status: number, error: Members): boolean {
  if (status < 400 || status >= 500 || INCONCLUSIVE.has(status)) return false
  return error.type !== 'idempotency_error'
}
