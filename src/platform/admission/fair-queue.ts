import { platformErrors } from '#platform/errors'
import type { Priority, RequestScope } from '#platform/request-scope'

export const MAX_WAIT_MS: Readonly<Record<Sheddable, number>> = {
  critical: 5_000,
  standard: 2_500,
  low: 1_000,
}
const RETRY_AFTER_SECONDS: Readonly<Record<Sheddable, number>> = { critical: 1, standard: 2, low: 5 }

export function overloaded(priority: Sheddable): Error {
  return platformErrors.overloaded({ retryAfterSeconds: RETRY_AFTER_SECONDS[priority] })
}

/** How much later than its bound a waiting request is refused at the most. */
const SWEEP_MS = 10
/** Billing and deliveries slow down under load and never stop (docs/decisions/overload-is-refused-by-age). */
const GRANTS_PER_LOWEST = 8
/** The time of docs/decisions/tenants-take-turns. */
const COUNTS_AS_OTHER_MS = 1_000

export type Sheddable = Exclude<Priority, 'background'>

type Rank = Priority | 'under_way'

const BY_RANK: readonly Rank[] = ['under_way', 'critical', 'standard', 'low', 'background']
const LOWEST_FIRST: readonly Rank[] = ['under_way', 'background', 'low', 'standard', 'critical']
export const SHEDDABLE: readonly Sheddable[] = ['low', 'standard', 'critical']

interface Waiter {
  readonly tenant: string
  readonly scope: RequestScope | undefined
  readonly sinceMs: number
  readonly grant: () => void
  readonly refuse: (error: Error) => void
}

export interface QueueObserver {
  waited(priority: Priority, ms: number): void
  refused(priority: Priority): void
}

export interface FairQueueOptions {
  readonly slots: number
  readonly perTenant: number
  readonly besideOthers?: number
  readonly putsUnderWay?: boolean
  readonly observer?: QueueObserver | undefined
  readonly now?: () => number
}

/** Lends slots by priority, tenants by turns (docs/decisions/tenants-take-turns, overload-is-refused-by-age). */
export class FairQueue {
  readonly #perTenant: number
  readonly #besideOthers: number
  #lastTenant = ''
  #isAloneAtMs = 0
  readonly #observer: QueueObserver | undefined
  readonly #now: () => number
  readonly #held = new Map<string, number>()
  readonly #putsUnderWay: boolean
  readonly #waiting: Record<Rank, TenantQueues> = {
    under_way: new TenantQueues(),
    critical: new TenantQueues(),
    standard: new TenantQueues(),
    low: new TenantQueues(),
    background: new TenantQueues(),
  }
  #free: number
  #grants = 0
  #sweep: NodeJS.Timeout | undefined

  constructor(options: FairQueueOptions) {
    const { slots, perTenant, besideOthers = perTenant, putsUnderWay = true, observer } = options
    this.#putsUnderWay = putsUnderWay
    this.#free = slots
    this.#perTenant = perTenant
    this.#besideOthers = besideOthers
    this.#observer = observer
    this.#now = options.now ?? (() => performance.now())
  }

  /**
   * Acquires a slot; returns undefined if one was free. Throws 503 `overloaded`.
   * @param sinceMs when the wait began, if the caller has waited elsewhere before
   */
  enter(
    tenant: string,
    scope: RequestScope | undefined,
    sinceMs: number = this.#now(),
  ): Promise<void> | undefined {
    if (scope !== NOBODYS) this.#notice(tenant)
    if (this.#free > 0 && this.#mayTake(tenant, scope)) {
      this.#take(tenant, scope)
      return undefined
    }
    return new Promise((grant, refuse) => {
      const waiter = { tenant, scope, sinceMs, grant, refuse }
      this.#waiting[rankOf(scope)].add(waiter)
      this.#sweep ??= setInterval(() => this.sweep(), SWEEP_MS).unref()
    })
  }

  #notice(tenant: string): void {
    if (tenant === this.#lastTenant) return
    if (this.#lastTenant !== '') this.#isAloneAtMs = this.#now() + COUNTS_AS_OTHER_MS
    this.#lastTenant = tenant
  }

  #mayTake(tenant: string, scope: RequestScope | undefined): boolean {
    if (scope === NOBODYS || (scope?.held ?? 0) > 0) return true
    const most = this.#now() < this.#isAloneAtMs ? this.#besideOthers : this.#perTenant
    return this.#heldBy(tenant) < most
  }

  enterFirst(): Promise<void> | undefined {
    return this.enter('', NOBODYS)
  }

  releaseFirst(): void {
    this.release('', NOBODYS)
  }

  release(tenant: string, scope: RequestScope | undefined): void {
    if (scope !== undefined) scope.held--
    const held = this.#heldBy(tenant) - 1
    if (held === 0) this.#held.delete(tenant)
    else this.#held.set(tenant, held)
    this.#free++
    this.#grantFree()
  }

  sweep(): void {
    for (const priority of SHEDDABLE) {
      const tooOld = this.#waiting[priority].removeOlder(this.#now() - MAX_WAIT_MS[priority])
      for (const waiter of tooOld) this.#refuse(waiter, priority)
    }
    this.#grantFree()
    if (this.waiting === 0) {
      clearInterval(this.#sweep)
      this.#sweep = undefined
    }
  }

  get waiting(): number {
    return BY_RANK.reduce((count, rank) => count + this.#waiting[rank].size, 0)
  }

  #refuse(waiter: Waiter, priority: Sheddable): void {
    if (waiter.scope?.isUnderWay === true) {
      this.#waiting.under_way.add(waiter)
      return
    }
    this.#observer?.refused(priority)
    waiter.refuse(overloaded(priority))
  }

  #grantFree(): void {
    while (this.#free > 0) {
      const waiter = this.#next()
      if (waiter === undefined) return
      this.#take(waiter.tenant, waiter.scope)
      this.#observer?.waited(priorityOf(waiter.scope), this.#now() - waiter.sinceMs)
      waiter.grant()
    }
  }

  #next(): Waiter | undefined {
    const ranks = this.#grants % GRANTS_PER_LOWEST === GRANTS_PER_LOWEST - 1 ? LOWEST_FIRST : BY_RANK
    const isAllowed = ({ tenant, scope }: Waiter) => this.#mayTake(tenant, scope)
    for (const rank of ranks) {
      const waiter = this.#waiting[rank].next(isAllowed)
      if (waiter === undefined) continue
      this.#grants++
      return waiter
    }
    return undefined
  }

  #take(tenant: string, scope: RequestScope | undefined): void {
    this.#free--
    this.#held.set(tenant, this.#heldBy(tenant) + 1)
    if (scope === undefined) return
    scope.held++
    if (this.#putsUnderWay && scope.priority !== 'background') scope.isUnderWay = true
  }

  #heldBy(tenant: string): number {
    return this.#held.get(tenant) ?? 0
  }
}

const NOBODYS: RequestScope = {
  requestId: null,
  actorId: null,
  priority: 'critical',
  bytes: 0,
  isUnderWay: true,
  held: 0,
}

function rankOf(scope: RequestScope | undefined): Rank {
  return scope?.isUnderWay === true && scope.priority !== 'low' ? 'under_way' : priorityOf(scope)
}

function priorityOf(scope: RequestScope | undefined): Priority {
  return scope?.priority ?? 'background'
}

/** The oldest waiter of a tenant is its first. */
class TenantQueues {
  readonly #queues = new Map<string, Waiter[]>()

  get size(): number {
    return this.#queues.values().reduce((count, queue) => count + queue.length, 0)
  }

  add(waiter: Waiter): void {
    const queue = this.#queues.get(waiter.tenant)
    if (queue === undefined) this.#queues.set(waiter.tenant, [waiter])
    else queue.splice(queue.findLastIndex(({ sinceMs }) => sinceMs <= waiter.sinceMs) + 1, 0, waiter)
  }

  next(isAllowed: (waiter: Waiter) => boolean): Waiter | undefined {
    for (const [tenant, queue] of this.#queues) {
      const [waiter] = queue
      if (waiter === undefined || !isAllowed(waiter)) continue
      queue.shift()
      this.#queues.delete(tenant)
      if (queue.length > 0) this.#queues.set(tenant, queue)
      return waiter
    }
    return undefined
  }

  removeOlder(thanMs: number): Waiter[] {
    const removed: Waiter[] = []
    for (const [tenant, queue] of this.#queues) {
      while (queue[0] !== undefined && queue[0].sinceMs < thanMs) removed.push(...queue.splice(0, 1))
      if (queue.length === 0) this.#queues.delete(tenant)
    }
    return removed
  }
}
