import { TenantDemand } from '#platform/admission/tenant-demand'
import { platformErrors } from '#platform/errors'
import type { Priority, RequestScope } from '#platform/request-scope'

const MAX_WAIT_MS: Readonly<Record<Sheddable, { readonly usual: number; readonly standing: number }>> = {
  critical: { usual: 10_000, standing: 5_000 },
  standard: { usual: 5_000, standing: 2_500 },
  low: { usual: 2_000, standing: 750 },
}
const RETRY_AFTER_SECONDS: Readonly<Record<Sheddable, number>> = { critical: 1, standard: 2, low: 5 }
/** A queue is standing once its oldest request has been older than `TARGET_MS` for `INTERVAL_MS` (CoDel, RFC 8289). */
const TARGET_MS = 500
const INTERVAL_MS = 200
/** The other grants of a standing queue go to its oldest requests, which would starve after a pause. */
const GRANTS_PER_NEWEST = 2
const SWEEP_MS = 10
const GRANTS_PER_LOWEST = 8
const COUNTS_AS_OTHER_MS = 1_000

type Sheddable = Exclude<Priority, 'background'>

type Rank = Priority | 'under_way'

const BY_RANK: readonly Rank[] = ['under_way', 'critical', 'standard', 'low', 'background']
const LOWEST_FIRST: readonly Rank[] = ['under_way', 'background', 'low', 'standard', 'critical']
export const SHEDDABLE: readonly Sheddable[] = ['low', 'standard', 'critical']

interface Waiter {
  readonly tenant: string
  readonly scope: RequestScope | undefined
  readonly queuedAtMs: number
  readonly grant: () => void
  readonly refuse: (error: Error) => void
}

export interface QueueObserver {
  waited(priority: Priority, ms: number): void
  refused(priority: Priority): void
}

/**
 * - `perTenant`: The most that one tenant holds.
 * - `besideOthers`: The same while other tenants work, too.
 * - `demand`: Queues share it if what they lend competes for the same processors.
 */
export interface FairQueueOptions {
  readonly slots: number
  readonly perTenant: number
  readonly besideOthers?: number
  readonly putsUnderWay?: boolean
  readonly demand?: TenantDemand
  readonly observer?: QueueObserver | undefined
  readonly now?: () => number
}

/** Lends slots by priority, tenants by turns (docs/decisions/tenants-take-turns, overload-is-refused-by-age). */
export class FairQueue {
  readonly demand: TenantDemand
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
  #freshAtMs: number
  #sweep: NodeJS.Timeout | undefined

  constructor(options: FairQueueOptions) {
    const { slots, perTenant, besideOthers = perTenant, putsUnderWay = true, observer } = options
    const { now = () => performance.now() } = options
    this.demand = options.demand ?? new TenantDemand(now)
    this.demand.whenEnded(() => this.#grantFree())
    this.#putsUnderWay = putsUnderWay
    this.#free = slots
    this.#perTenant = perTenant
    this.#besideOthers = besideOthers
    this.#observer = observer
    this.#now = now
    this.#freshAtMs = now()
  }

  /** Takes a slot, at once when this returns undefined. Throws 503 `overloaded`. `leave` gives it back. */
  enter(tenant: string, scope: RequestScope | undefined): Promise<void> | undefined {
    if (scope !== NOBODYS) {
      this.#notice(tenant)
      this.demand.begin(tenant, scope)
    }
    if (this.#free > 0 && this.#mayTake(tenant, scope)) {
      this.#take(tenant, scope)
      return undefined
    }
    return new Promise((grant, refuse) => {
      const waiter = { tenant, scope, queuedAtMs: this.#now(), grant, refuse }
      this.#waiting[rankOf(scope)].add(waiter)
      this.#startSweeping()
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
    const held = this.#heldBy(tenant)
    return held < most && held < this.demand.mostBeside(tenant, scope)
  }

  #startSweeping(): void {
    if (this.#sweep !== undefined) return
    this.#freshAtMs = this.#now()
    this.#sweep = setInterval(() => this.sweep(), SWEEP_MS).unref()
  }

  enterFirst(): Promise<void> | undefined {
    return this.enter('', NOBODYS)
  }

  leaveFirst(): void {
    this.leave('', NOBODYS)
  }

  leave(tenant: string, scope: RequestScope | undefined): void {
    if (scope !== undefined) scope.held--
    const held = this.#heldBy(tenant) - 1
    if (held === 0) this.#held.delete(tenant)
    else this.#held.set(tenant, held)
    this.#free++
    if (scope !== NOBODYS) this.demand.end(tenant, scope)
    this.#grantFree()
  }

  sweep(): void {
    const now = this.#now()
    const oldest = Math.min(...SHEDDABLE.map((priority) => this.#waiting[priority].oldestAtMs))
    if (now - oldest <= TARGET_MS || oldest === Infinity) this.#freshAtMs = now
    for (const priority of SHEDDABLE) {
      const { usual, standing } = MAX_WAIT_MS[priority]
      const ofMany = now - (this.isStanding ? standing : usual)
      const tooOld = this.#waiting[priority].removeOlder({ ofMany, alone: now - usual })
      for (const waiter of tooOld) this.#refuse(waiter, priority)
    }
    this.#grantFree()
    if (this.waiting === 0) {
      clearInterval(this.#sweep)
      this.#sweep = undefined
    }
  }

  get isStanding(): boolean {
    return this.#now() - this.#freshAtMs > INTERVAL_MS && this.#sweep !== undefined
  }

  get waiting(): number {
    return BY_RANK.reduce((count, rank) => count + this.#waiting[rank].size, 0)
  }

  #refuse(waiter: Waiter, priority: Sheddable): void {
    if (waiter.scope?.isUnderWay === true) {
      this.#waiting.under_way.add(waiter)
      return
    }
    this.demand.end(waiter.tenant, waiter.scope)
    this.#observer?.refused(priority)
    waiter.refuse(overloaded(priority))
  }

  #grantFree(): void {
    while (this.#free > 0) {
      const waiter = this.#next()
      if (waiter === undefined) return
      this.#take(waiter.tenant, waiter.scope)
      this.#observer?.waited(priorityOf(waiter.scope), this.#now() - waiter.queuedAtMs)
      waiter.grant()
    }
  }

  #next(): Waiter | undefined {
    const takesNewest = this.isStanding && this.#grants % GRANTS_PER_NEWEST === 0
    const ranks = this.#grants % GRANTS_PER_LOWEST === GRANTS_PER_LOWEST - 1 ? LOWEST_FIRST : BY_RANK
    const isAllowed = ({ tenant, scope }: Waiter) => this.#mayTake(tenant, scope)
    for (const rank of ranks) {
      const newestFirst = takesNewest && rank !== 'background' && rank !== 'under_way'
      const waiter = this.#waiting[rank].next(isAllowed, newestFirst)
      if (waiter === undefined) continue
      this.#grants++
      return waiter
    }
    return undefined
  }

  #take(tenant: string, scope: RequestScope | undefined): void {
    this.#free--
    this.#held.set(tenant, this.#heldBy(tenant) + 1)
    if (scope !== NOBODYS) this.demand.take(tenant)
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
  isUnderWay: true,
  held: 0,
}

function rankOf(scope: RequestScope | undefined): Rank {
  return scope?.isUnderWay === true && scope.priority !== 'low' ? 'under_way' : priorityOf(scope)
}

function priorityOf(scope: RequestScope | undefined): Priority {
  return scope?.priority ?? 'background'
}

export function overloaded(priority: Sheddable): Error {
  return platformErrors.overloaded({ retryAfterSeconds: RETRY_AFTER_SECONDS[priority] })
}

class TenantQueues {
  readonly #queues = new Map<string, Waiter[]>()
  readonly #inOrder = new Set<Waiter>()

  get size(): number {
    return this.#inOrder.size
  }

  get oldestAtMs(): number {
    const [oldest] = this.#inOrder
    return oldest === undefined ? Infinity : oldest.queuedAtMs
  }

  add(waiter: Waiter): void {
    this.#inOrder.add(waiter)
    const queue = this.#queues.get(waiter.tenant)
    if (queue === undefined) this.#queues.set(waiter.tenant, [waiter])
    else queue.push(waiter)
  }

  next(isAllowed: (waiter: Waiter) => boolean, newestFirst: boolean): Waiter | undefined {
    for (const [tenant, queue] of this.#queues) {
      const waiter = newestFirst ? queue.at(-1) : queue[0]
      if (waiter === undefined) throw new Error('an empty queue of a tenant was kept')
      if (!isAllowed(waiter)) continue
      if (newestFirst) queue.pop()
      else queue.shift()
      this.#queues.delete(tenant)
      if (queue.length > 0) this.#queues.set(tenant, queue)
      this.#inOrder.delete(waiter)
      return waiter
    }
    return undefined
  }

  removeOlder({ ofMany, alone }: { readonly ofMany: number; readonly alone: number }): Waiter[] {
    const removed: Waiter[] = []
    for (const waiter of this.#inOrder) {
      if (waiter.queuedAtMs >= ofMany) break
      const queue = this.#queues.get(waiter.tenant) ?? []
      if (queue.length === 1 && waiter.queuedAtMs >= alone) continue
      queue.splice(queue.indexOf(waiter), 1)
      if (queue.length === 0) this.#queues.delete(waiter.tenant)
      this.#inOrder.delete(waiter)
      removed.push(waiter)
    }
    return removed
  }
}
