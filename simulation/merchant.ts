import { setTimeout as sleep } from 'node:timers/promises'
import { type Answered, type CallOptions, Client } from '../scenarios/harness/client.ts'
import type { SandboxFile } from '../src/sandbox-file.ts'

/** Answers that tell a well-written program to send the same request, with the same key, again. */
const AGAIN_STATUSES = new Set([408, 429, 500, 503, 504])
const AGAIN_REASONS = new Set(['idempotency_key_in_use', 'payment_in_progress', 'clock_advancing'])

const FIRST_PAUSE_MS = 10
const MAX_PAUSE_MS = 400
/** How long one request may go without a final answer. Far above any lease or timeout of the service. */
const PATIENCE_MS = 240_000

/**
 * A merchant's program that is written as the documentation says: everything that changes something carries a key of its
 * own, and is sent again with that key until it is answered for good, whatever is cut, killed or late in between.
 */
export class Merchant extends Client {
  readonly #signal: AbortSignal
  /** Rejects when the simulation is given up, so that nothing waits for a service that hangs. */
  readonly #givenUp: Promise<never>
  #keys = 0
  /** How often what answer made us send a request again. */
  readonly again = new Map<string, number>()
  /** Every 500: each is worth a look, although it is only to be retried. */
  readonly serverErrors: string[] = []
  /** Requests that answered 504 at first and something final later, with the same key. */
  resolvedLater = 0

  constructor(sandbox: SandboxFile, signal: AbortSignal) {
    super(sandbox)
    this.#signal = signal
    this.#givenUp = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
    this.#givenUp.catch(() => {})
  }

  /** Answers only what is final: 200, or an error that the same request would get again. */
  override async call(
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Answered> {
    const idempotencyKey = options.idempotencyKey ?? `simulation-${++this.#keys}`
    const withKey = method === 'GET' ? options : { ...options, idempotencyKey }
    const giveUpAtMs = performance.now() + PATIENCE_MS
    let wasUnknown = false
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 1.5)) {
      this.#signal.throwIfAborted()
      const asking = super.call(method, path, body, withKey).catch((error: unknown) => error)
      const answer = await Promise.race([asking, this.#givenUp])
      const why = whyAgain(answer)
      if (why === null) {
        if (wasUnknown) this.resolvedLater++
        return answer as Answered
      }
      this.#note(why, answer)
      wasUnknown ||= why.startsWith('504')
      if (performance.now() > giveUpAtMs) {
        throw new Error(`${method} ${path} has no final answer after ${PATIENCE_MS / 1000} s, but: ${why}`)
      }
      await sleep(pauseMs)
    }
  }

  #note(why: string, answer: unknown): void {
    this.again.set(why, (this.again.get(why) ?? 0) + 1)
    if (why.startsWith('500')) this.serverErrors.push(JSON.stringify(answer).slice(0, 500))
  }
}

/** Null for an answer that is final. */
function whyAgain(answer: unknown): string | null {
  if (!isAnswer(answer)) return 'no answer'
  const reason: unknown = answer.data?.error?.reason
  const word = typeof reason === 'string' ? reason : 'no reason'
  if (AGAIN_STATUSES.has(answer.status)) return `${answer.status} ${word}`
  return answer.status === 409 && AGAIN_REASONS.has(word) ? `409 ${word}` : null
}

/** What was thrown is a cut connection, or an answer that was cut in the middle. */
function isAnswer(answer: unknown): answer is Answered {
  return typeof answer === 'object' && answer !== null && 'status' in answer
}
