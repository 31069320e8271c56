import { ConnectionError } from 'quittance'
import { readEnvelope } from '#app/envelope.ts'

/** How long a write may take. The service waits 10 s for an acquirer, sometimes twice. */
export const WRITE_MS = 30_000

const KEY = 'idempotency-key'

/** The browser has no connection. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError'
}

/**
 * The service did not respond in time, or the connection was lost on the way.
 * - `isRepeatable`: Sending the same request again runs it at most once.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError'
  readonly isRepeatable: boolean

  constructor(isRepeatable: boolean, cause: unknown) {
    super('The service did not respond', { cause })
    this.isRepeatable = isRepeatable
  }
}

export function checkOnline(): void {
  // An offline browser would send nothing either, but only here is that certain.
  if (!navigator.onLine) throw new NotSentError('The browser has no connection')
}

/**
 * What a person tries to do until it is done, in one dialog or with one button. A request that is sent again keeps
 * its idempotency key, unless the service refused it. Another request, such as one with another amount, has a key of
 * its own.
 */
export class Attempt {
  readonly #keys = new Map<string, string>()
  #isRepeatable = true
  #isUnknown = false

  readonly send: typeof fetch = async (url, init = {}) => {
    checkOnline()
    const headers = new Headers(init.headers)
    // Deleting something twice is the same as deleting it once.
    this.#isRepeatable = headers.has(KEY) || init.method === 'DELETE'
    if (!headers.has(KEY)) return fetch(url, init)
    const request = JSON.stringify([init.method, url, init.body])
    const key = this.#keys.get(request) ?? crypto.randomUUID()
    this.#keys.set(request, key)
    headers.set(KEY, key)
    const response = await fetch(url, { ...init, headers })
    if (await isRefused(response)) this.#keys.delete(request)
    return response
  }

  /** Whether something may have been done that nobody knows of. */
  get isUnknown(): boolean {
    return this.#isUnknown
  }

  /** The next request is something new, even if it equals the last one. */
  renew(): void {
    this.#keys.clear()
    this.#isUnknown = false
  }

  /** Turns what the client throws into an error that says whether something may have happened. */
  failureOf(error: unknown): unknown {
    if (!(error instanceof ConnectionError)) return error
    if (error.cause instanceof NotSentError) return error.cause
    this.#isUnknown = true
    return new OutcomeUnknownError(this.#isRepeatable, error)
  }
}

async function isRefused(response: Response): Promise<boolean> {
  const { status } = response
  if (status !== 409) return status >= 400 && status < 500
  const envelope = await readEnvelope(response.clone())
  // The first request with the key is still under way.
  return envelope?.data?.error?.reason !== 'idempotency_key_in_use'
}
