import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiReply, type CallOptions, Client } from '../../../scenarios/harness/client.ts'
import type { SandboxFile } from '../../../src/sandbox-file.ts'

interface MerchantCallOptions extends CallOptions {
  /** Accepts 504 after this time, instead of repeating the request until the outcome is known. */
  readonly patienceMs?: number
  /** Accepts 409 `payment_in_progress`, because the other payment may not end meanwhile. */
  readonly takesInProgress?: boolean
  /** A repeated request continues where a kill ended the last one, so only the time of the run bounds it. */
  readonly isLong?: boolean
}

/** The API reference asks a client to repeat the request with the same key after these statuses. */
const RETRYABLE_STATUSES = new Set([408, 429, 500, 503, 504])
const RETRYABLE_REASONS = new Set(['idempotency_key_in_use', 'payment_in_progress', 'clock_advancing'])

const FIRST_PAUSE_MS = 10
const MAX_PAUSE_MS = 400
/** Far above every lease and timeout of the service. */
const FINAL_REPLY_TIMEOUT_MS = 240_000

/**
 * A client that follows the API reference: each change has an Idempotency-Key of its own, and the client repeats the
 * request with that key until it gets a final reply.
 */
export class Merchant extends Client {
  readonly #signal: AbortSignal
  /** Rejects when the simulation is aborted, so that no call waits for a service that hangs. */
  readonly #aborted: Promise<never>
  #keys = 0
  readonly retries = new Map<string, number>()
  /** The 500 replies. The client may retry them, but each points to a defect. */
  readonly serverErrors: string[] = []

  constructor(sandbox: SandboxFile, signal: AbortSignal) {
    super(sandbox)
    this.#signal = signal
    this.#aborted = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
    this.#aborted.catch(() => {})
  }

  /** Resolves with a final reply: a 200, or an error that a retry would get again. */
  override async call(
    method: string,
    path: string,
    body?: unknown,
    { patienceMs = Infinity, takesInProgress = false, isLong = false, ...options }: MerchantCallOptions = {},
  ): Promise<ApiReply> {
    const idempotencyKey = options.idempotencyKey ?? `simulation-${++this.#keys}`
    const withKey = method === 'GET' ? options : { ...options, idempotencyKey }
    const startedAtMs = performance.now()
    const deadlineMs = isLong ? Infinity : startedAtMs + FINAL_REPLY_TIMEOUT_MS
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 1.5)) {
      this.#signal.throwIfAborted()
      const attempt = super.call(method, path, body, withKey).catch((error: unknown) => error)
      const reply = await Promise.race([attempt, this.#aborted])
      const reason = retryReason(reply)
      const isTaken =
        reason === null ||
        (takesInProgress && reason.endsWith('payment_in_progress')) ||
        (reason.startsWith('504') && performance.now() - startedAtMs >= patienceMs)
      if (isTaken) return reply as ApiReply
      this.#recordRetry(reason, reply)
      if (performance.now() > deadlineMs) {
        throw new Error(
          `${method} ${path} got no final reply within ${FINAL_REPLY_TIMEOUT_MS / 1000} s; the last one was: ${reason}`,
        )
      }
      await sleep(pauseMs)
    }
  }

  #recordRetry(reason: string, reply: unknown): void {
    this.retries.set(reason, (this.retries.get(reason) ?? 0) + 1)
    if (reason.startsWith('500')) this.serverErrors.push(JSON.stringify(reply).slice(0, 500))
  }
}

function retryReason(reply: unknown): string | null {
  if (!isReply(reply)) return 'a connection error'
  const given: unknown = reply.data?.error?.reason
  const reason = typeof given === 'string' ? given : 'no reason'
  if (RETRYABLE_STATUSES.has(reply.status)) return `${reply.status} ${reason}`
  return reply.status === 409 && RETRYABLE_REASONS.has(reason) ? `409 ${reason}` : null
}

/** False for an error that `fetch` threw, such as a closed connection. */
function isReply(reply: unknown): reply is ApiReply {
  return typeof reply === 'object' && reply !== null && 'status' in reply
}
