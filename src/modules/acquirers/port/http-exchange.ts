import type { Pool } from 'undici'
import { codeOf } from '#platform/thrown'

/** `headers` have lower-case names. `unanswered` says nothing about what the acquirer did. */
export type Exchange =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly text: string
      readonly headers: Readonly<Record<string, string | string[] | undefined>>
    }
  | { readonly kind: 'unanswered'; readonly reason: string }

/**
 * - `headers`: JSON if there is a body and no `content-type` is given.
 * - `maxBytes`: Of the response; 256 KiB by default.
 * - `timeoutMs`: The limit for the complete response, counted from when the request is sent. Waiting for a free
 *   connection may take as long again.
 */
export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  readonly maxBytes?: number
  readonly timeoutMs: number
}

const MAX_RESPONSE_BYTES = 256 * 1024

/**
 * One request and its complete response. Never throws and never retries: only the caller, who knows the key, may decide to.
 *
 * Uses the pool's `dispatch` because only it reports when a request is sent. The timeout must not run while the request
 * waits for a connection, or a busy moment would turn charges into unknown ones.
 */
export function exchange(pool: Pool, request: ExchangeRequest): Promise<Exchange> {
  const { method, path, body, timeoutMs, maxBytes = MAX_RESPONSE_BYTES } = request
  return new Promise((resolve) => {
    let abort: ((reason: Error) => void) | null = null
    let over = false
    let status = 0
    let headers: Readonly<Record<string, string | string[] | undefined>> = {}
    let bytes = 0
    const chunks: Buffer[] = []

    const settle = (result: Exchange): void => {
      if (over) return
      over = true
      clearTimeout(timer)
      resolve(result)
    }
    const abandon = (reason: string): void => {
      settle({ kind: 'unanswered', reason })
      abort?.(new Error(reason))
    }
    const timer = setTimeout(() => {
      abandon(abort === null ? 'no connection became free in time' : 'no response in time')
    }, timeoutMs)

    pool.dispatch(
      {
        method,
        path,
        body: body ?? null,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...request.headers,
        },
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(controller) {
          // The request timed out while it waited for a connection, so not a byte of it is sent.
          if (over) return controller.abort(new Error('timed out before it was sent'))
          abort = (error) => controller.abort(error)
          timer.refresh()
        },
        onResponseStart(_controller, statusCode, responseHeaders) {
          status = statusCode
          headers = responseHeaders
        },
        onResponseData(_controller, chunk) {
          bytes += chunk.length
          if (bytes > maxBytes) abandon('the response is too large')
          else chunks.push(chunk)
        },
        onResponseEnd() {
          settle({ kind: 'answered', status, headers, text: Buffer.concat(chunks).toString() })
        },
        onResponseError(_controller, error) {
          settle({ kind: 'unanswered', reason: describe(error) })
        },
      },
    )
  })
}

/** The error's code, such as ECONNREFUSED. Its message is left out because it can contain addresses. */
function describe(error: Error): string {
  const code = codeOf(error)
  return code === undefined ? 'no response' : `no response: ${code}`
}
