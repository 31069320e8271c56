import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  handleWhenResult,
} from 'cockatiel'
import { Pool } from 'undici'
import { exchange, type Exchange, type ExchangeRequest } from './http-exchange.ts'

/** Concurrent requests to one account. Inquiries have connections of their own, so that payments never queue behind them. */
const CONNECTIONS = 32
/** The default of ACQUIRER_TIMEOUT_MS. The lease of a call covers it twice (`lease.ts`). */
const TIMEOUT_MS = 10_000
/** undici's default, also where a server offers to keep connections longer. */
const KEEP_ALIVE_MS = 4_000
/** After this many consecutive failures no new payment starts for `OPEN_MS`; then one goes through as a trial. */
const FAILURES_TO_OPEN = 10
/** With 5 s, an account that failed half of its requests was shut out for half a minute. */
const OPEN_MS = 2_000

export interface AccountClientOptions {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly connect: object
  readonly timeoutMs?: number
}

type Request = Omit<ExchangeRequest, 'timeoutMs'> & { readonly timeoutMs?: number }

/**
 * The HTTP side of one account at a real acquirer: bounded connections, timeouts and a circuit breaker. Nothing is retried
 * here: only the caller, who knows the key, may decide to.
 * - `begin`: Sends the first request of a payment. An open circuit does not send it: nothing is booked, and another
 *   account may try.
 * - `send`: Sends later requests of a payment even while the circuit is open, because a started payment must be finished.
 * - `ask`: Sends inquiries, reports and other requests for which no payer waits.
 */
export class AccountClient {
  readonly #instructions: Pool
  readonly #inquiries: Pool
  readonly #prefix: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #timeoutMs: number
  readonly #breaker: CircuitBreakerPolicy

  constructor({ baseUrl, headers, connect, timeoutMs = TIMEOUT_MS }: AccountClientOptions) {
    const { origin, pathname } = new URL(baseUrl)
    const newPool = () =>
      new Pool(origin, {
        connections: CONNECTIONS,
        pipelining: 1,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MS,
        connect,
      })
    this.#instructions = newPool()
    this.#inquiries = newPool()
    this.#prefix = pathname === '/' ? '' : pathname
    this.#headers = headers
    this.#timeoutMs = timeoutMs
    this.#breaker = circuitBreaker(handleWhenResult(isFailure), {
      halfOpenAfter: OPEN_MS,
      breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
    })
  }

  async begin(request: Request): Promise<Exchange | { readonly kind: 'not_sent' }> {
    try {
      return await this.#breaker.execute(() => this.#exchange(this.#instructions, request))
    } catch (error) {
      if (error instanceof BrokenCircuitError) return { kind: 'not_sent' }
      throw error
    }
  }

  send(request: Request): Promise<Exchange> {
    return this.#exchange(this.#instructions, request)
  }

  ask(request: Request): Promise<Exchange> {
    return this.#exchange(this.#inquiries, request)
  }

  async close(): Promise<void> {
    await Promise.all([this.#instructions.close(), this.#inquiries.close()])
  }

  #exchange(pool: Pool, request: Request): Promise<Exchange> {
    return exchange(pool, {
      timeoutMs: this.#timeoutMs,
      ...request,
      path: this.#prefix + request.path,
      headers: { ...this.#headers, ...request.headers },
    })
  }
}

function isFailure(result: unknown): boolean {
  const answer = result as Exchange
  return answer.kind === 'unanswered' || answer.status >= 500
}
