import { FairQueue } from '#platform/admission/fair-queue'
import type { RequestPriority } from '#platform/http/routes/route'
import { currentRequest } from '#platform/request-scope'

const TICK_MS = 20
const WINDOW_MS = 200
/** One long pause, such as a start or a garbage collection, is no overload. */
const MIN_TURNS = 4
const MAX_DELAY_MS: Readonly<Record<RequestPriority, number>> = { critical: 1_000, standard: 500, low: 100 }

const STARTS_PER_TURN = 8
const STARTS_PER_TENANT = { alone: 6, besideOthers: 1 }

export interface LoopObserver {
  refused(priority: RequestPriority): void
  watch(delayMs: () => number): void
}

export class LoopDelay {
  readonly #starts = new FairQueue({
    slots: STARTS_PER_TURN,
    perTenant: STARTS_PER_TENANT.alone,
    besideOthers: STARTS_PER_TENANT.besideOthers,
    putsUnderWay: false,
  })
  readonly #timer: NodeJS.Timeout
  readonly #observer: LoopObserver
  #dueAtMs = performance.now() + TICK_MS
  #windowEndsAtMs = 0
  #shortestMs = 0
  #delayMs = 0
  #turns = 0

  constructor(observer: LoopObserver) {
    this.#observer = observer
    observer.watch(() => this.#delayMs)
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
    this.#observer.refused(priority)
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
