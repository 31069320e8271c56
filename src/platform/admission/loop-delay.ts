import { Counter, Gauge, type Registry } from 'prom-client'
import { FairQueue } from '#platform/admission/fair-queue'
import type { RequestPriority } from '#platform/http/routes/route'
import { currentRequest } from '#platform/request-scope'

const TICK_MS = 20
const WINDOW_MS = 200
/** One long pause, such as a start or a garbage collection, is no overload. */
const MIN_TURNS = 4
const MAX_DELAY_MS: Readonly<Record<RequestPriority, number>> = { critical: 400, standard: 200, low: 50 }

const STARTS_PER_TURN = 8
const STARTS_PER_TENANT = 6

export class LoopDelay {
  readonly #starts = new FairQueue({
    slots: STARTS_PER_TURN,
    perTenant: STARTS_PER_TENANT,
    putsUnderWay: false,
  })
  readonly #timer: NodeJS.Timeout
  readonly #refused: Counter<'priority'>
  #dueAtMs = performance.now() + TICK_MS
  #windowEndsAtMs = 0
  #shortestMs = 0
  #delayMs = 0
  #turns = 0

  constructor(registry: Registry) {
    this.#refused = new Counter({
      name: 'overload_event_loop_refused_total',
      help: 'Requests refused with 503 overloaded because the event loop was late, by priority.',
      labelNames: ['priority'],
      registers: [registry],
    })
    const delay: Gauge = new Gauge({
      name: 'overload_event_loop_delay_seconds',
      help: 'The shortest delay of the event loop in a window of at least 200 ms.',
      registers: [registry],
      collect: () => {
        delay.set(this.#delayMs / 1_000)
      },
    })
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref()
  }

  nextTurn(tenant: string): Promise<void> | undefined {
    const scope = currentRequest()
    const leaveLater = (): void => void setImmediate(() => this.#starts.leave(tenant, scope))
    const entered = this.#starts.enter(tenant, scope)
    if (entered !== undefined) return entered.then(leaveLater)
    leaveLater()
    return undefined
  }

  isTooLateFor(priority: RequestPriority): boolean {
    if (this.#delayMs <= MAX_DELAY_MS[priority]) return false
    this.#refused.inc({ priority })
    return true
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    const now = performance.now()
    this.#shortestMs = Math.min(this.#shortestMs, Math.max(0, now - this.#dueAtMs))
    this.#dueAtMs = now + TICK_MS
    if (++this.#turns < MIN_TURNS || now < this.#windowEndsAtMs) return
    this.#turns = 0
    this.#windowEndsAtMs = now + WINDOW_MS
    this.#delayMs = this.#shortestMs
    this.#shortestMs = Infinity
  }
}
