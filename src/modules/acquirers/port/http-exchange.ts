import type { Pool } from 'undici'
import { codeOf } from '#platform/thrown'

/** What came back: an answer, or why there is none. Without one nothing is known of what the other side did. */
export type Exchange =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  | { readonly kind: 'unanswered'; readonly why: string }

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  /** Milliseconds that an answer may take, to its last byte, from when the request leaves; and as long again to wait for a free connection. */
  readonly timeoutMs: number
}

/** An acquirer's answers are a few hundred bytes. */
const MAX_RESPONSE_BYTES = 256 * 1024

/**
 * One request and its whole answer. Never throws and never repeats a request: whether to ask again is the caller's to
 * decide, by key.
 *
 * Uses the pool's `dispatch`, since only there one sees when a request leaves: the time to answer must not be used up
 * by waiting for a connection, or a busy moment would turn charges into unknown ones.
 */
export function exchange(pool: Pool, request: ExchangeRequest): Promise<Exchange> {
  const { method, path, body, timeoutMs } = request
  return new Promise((resolve) => {
    let abort: ((reason: Error) => void) | null = null
    let over = false
    let status = 0
    let bytes = 0
    const chunks: Buffer[] = []

    const settle = (result: Exchange): void => {
      if (over) return
      over = true
      clearTimeout(timer)
      resolve(result)
    }
    const giveUp = (why: string): void => {
      settle({ kind: 'unanswered', why })
      abort?.(new Error(why))
    }
    const timer = setTimeout(() => {
      giveUp(abort === null ? 'no connection became free in time' : 'no answer in time')
    }, timeoutMs)

    pool.dispatch(
      {
        method,
        path,
        body: body ?? null,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        // The timer above is the only one.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(controller) {
          // Given up while it waited for a connection: it is taken back before a byte of it leaves.
          if (over) return controller.abort(new Error('given up before it was sent'))
          abort = (reason) => controller.abort(reason)
          timer.refresh()
        },
        onResponseStart(_controller, statusCode) {
          status = statusCode
        },
        onResponseData(_controller, chunk) {
          bytes += chunk.length
          if (bytes > MAX_RESPONSE_BYTES) giveUp('the answer is too large')
          else chunks.push(chunk)
        },
        onResponseEnd() {
          settle({ kind: 'answered', status, text: Buffer.concat(chunks).toString() })
        },
        onResponseError(_controller, error) {
          settle({ kind: 'unanswered', why: describe(error) })
        },
      },
    )
  })
}

/** The error's code where it has one, such as ECONNREFUSED or UND_ERR_SOCKET; messages can hold addresses. */
function describe(error: Error): string {
  const code = codeOf(error)
  return code === undefined ? 'no answer' : `no answer: ${code}`
}
