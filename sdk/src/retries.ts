import { ApiError, ConnectionError } from './errors.ts'

const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 8_000
/** A longer Retry-After is left to the caller. */
const MAX_RETRY_AFTER_MS = 60_000

/**
 * How long to wait before the request is sent again, or undefined if it must not be. Only for requests that are safe to
 * repeat: reads, and requests with an Idempotency-Key.
 */
export function retryDelayMs(error: unknown, retry: number, random = Math.random): number | undefined {
  const backoff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retry) * (0.5 + random() / 2)
  if (error instanceof ConnectionError) return backoff
  if (!(error instanceof ApiError)) return undefined
  // The first request with this key is still running, for example after its connection was lost.
  if (error.reason === 'idempotency_key_in_use') return backoff
  // With the same key, the service returns the outcome as soon as it is known.
  if (error.status === 504) return backoff
  if (error.status !== 429 && error.status !== 503) return undefined
  const afterMs = retryAfterMs(error.headers)
  if (afterMs === undefined || afterMs > MAX_RETRY_AFTER_MS) return undefined
  return afterMs + random() * FIRST_DELAY_MS
}

/** Retry-After is seconds here; another server before the service may send a date. */
function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** Rejects with the reason of the signal if it aborts first. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
