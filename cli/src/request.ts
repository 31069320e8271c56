import manifest from '../package.json' with { type: 'json' }
import { ApiError, ConnectionError } from 'quittance'
import type { Connection } from './connection.ts'
import { parseExact } from './exact-json.ts'

const TIMEOUT_MS = 60_000

export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Begins with a slash and may have a query. */
  readonly path: string
  readonly body?: unknown
  readonly idempotencyKey?: string
}

interface RawReply {
  readonly code?: number
  readonly message?: string
  readonly data?: { error?: object } & Record<string, unknown>
}

/** Sends a request and returns `data` of the reply with its numbers as they were sent. */
export async function sendRaw(
  { url, apiKey }: Connection,
  { method, path, body, idempotencyKey }: RawRequest,
): Promise<Record<string, unknown>> {
  const target = url + path
  let response: Response
  let text: string
  try {
    response = await fetch(target, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'user-agent': `quittance-cli/${manifest.version}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    text = await response.text()
  } catch (cause) {
    throw new ConnectionError(`${method} ${target} failed before a response arrived.`, { cause })
  }
  const reply = readReply(text)
  if (response.ok && reply?.data !== undefined) return reply.data
  const { error = {}, ...data } = reply?.data ?? {}
  throw new ApiError({
    status: response.status,
    headers: response.headers,
    message: reply?.message ?? `The response with status ${response.status} is not from the service.`,
    data,
    error,
  })
}

export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? path : `${path}?${search.toString()}`
}

function readReply(text: string): RawReply | undefined {
  try {
    const value = parseExact(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
