import { MAX_WAIT_MS, overloaded, type Sheddable } from '#platform/admission/fair-queue'
import { type Member, runSet, type RunSet, type Transact } from '#platform/batches/run-set'
import { platformErrors } from '#platform/errors'
import { keepScope, type Priority } from '#platform/request-scope'

/** The next set is worked on while the one before it commits. A third would only make sets smaller and more numerous. */
const MAX_RUNNING = 2
/**
 * A second set beside the first starts when 16 members wait. With a lower threshold, half load on cards made 700 small sets
 * a second and reduced the processors' idle time from 20 % to 12 %.
 */
const MIN_WAITING_FOR_SECOND = 16
/** A set that takes longer waits for a lock, such as a card's. Members for other subjects start without it. */
const SLOW_MS = 20
/** A set that takes this long no longer counts, lest two locks stop all others. Then connections are the limit. */
const BLOCKED_MS = 500
/** Both bounds of a transaction: docs/decisions/decision-batches. */
const MAX_MEMBERS = 128
const MAX_BYTES = 1_000_000
/** Further requests get 503: their callers would time out before the outcome. */
const MAX_WAITING = 10_000
/** How much later than its bound a waiting member is refused at the most. */
const SWEEP_MS = 250

interface QueueOptions<Request, Value> {
  readonly priority: Priority
  readonly transact: Transact<Value>
  readonly run: RunSet<Request, Value>
  readonly subjectOf: ((request: Request) => string) | undefined
  readonly onIdle: () => void
}

interface Waiting<Request, Value> extends Member<Request, Value> {
  readonly subject: unknown
}

/** The waiting members of one tenant and one priority. */
export class BatchQueue<Request, Value> {
  readonly #options: QueueOptions<Request, Value>
  readonly #waiting = new Map<unknown, Waiting<Request, Value>[]>()
  readonly #busySubjects = new Set<unknown>()
  #waitingCount = 0
  #sets = 0
  #running = 0
  #slow = 0
  #isWaitingForConnection = false
  #sweep: NodeJS.Timeout | undefined

  constructor(options: QueueOptions<Request, Value>) {
    this.#options = options
  }

  submit(request: Request): Promise<Value> {
    const scope = keepScope()
    // A request that has begun must end, because its caller would repeat it after a 503.
    if (this.#waitingCount >= MAX_WAITING && scope.request?.isUnderWay !== true)
      throw platformErrors.unavailable({ retryAfterSeconds: 1 })
    const subject = this.#options.subjectOf?.(request) ?? Symbol('no subject')
    const member = {
      ...Promise.withResolvers<Value>(),
      request,
      subject,
      scope,
      sinceMs: performance.now(),
    }
    const sameSubject = this.#waiting.get(subject)
    if (sameSubject === undefined) this.#waiting.set(subject, [member])
    else sameSubject.push(member)
    this.#waitingCount++
    this.#start()
    if (this.#waitingCount > 0 && this.#sweep === undefined)
      this.#sweep = setTimeout(() => this.#sweepOld(), SWEEP_MS).unref()
    return member.promise
  }

  get #mayStart(): boolean {
    if (this.#isWaitingForConnection || this.#running === MAX_RUNNING) return false
    return this.#running === this.#slow || this.#waitingCount >= MIN_WAITING_FOR_SECOND
  }

  #start(): void {
    while (this.#mayStart) {
      const first = this.#takeOldest()
      if (first === undefined) return
      void this.#run(first)
    }
  }

  /** By its age the queue for connections decides when the set is served, and whether it is refused. */
  #takeOldest(): Waiting<Request, Value> | undefined {
    let oldest: Waiting<Request, Value> | undefined
    for (const [first] of this.#waiting.values()) {
      if (first === undefined || this.#busySubjects.has(first.subject)) continue
      if (oldest === undefined || first.sinceMs < oldest.sinceMs) oldest = first
    }
    if (oldest !== undefined) {
      const { subject } = oldest
      this.#putBehind(subject, this.#waiting.get(subject)?.slice(1) ?? [])
      this.#waitingCount--
    }
    return oldest
  }

  #takeBeside(first: Waiting<Request, Value>): Waiting<Request, Value>[] {
    const own = new Set([first.subject])
    const taken: Waiting<Request, Value>[] = []
    let bytes = sizeOf([first])
    const isFull = (): boolean => taken.length === MAX_MEMBERS - 1 || bytes > MAX_BYTES
    for (const [subject, waiting] of this.#waiting) {
      if (isFull()) break
      if (this.#busySubjects.has(subject) && !own.has(subject)) continue
      while (!isFull()) {
        const next = waiting.shift()
        if (next === undefined) break
        taken.push(next)
        bytes += sizeOf([next])
      }
      this.#putBehind(subject, waiting)
      own.add(subject)
    }
    this.#waitingCount -= taken.length
    return taken
  }

  /** The rest of a subject goes behind the others. Otherwise two busy subjects would starve all others. */
  #putBehind(subject: unknown, rest: Waiting<Request, Value>[]): void {
    this.#waiting.delete(subject)
    if (rest.length > 0) this.#waiting.set(subject, rest)
    this.#busySubjects.add(subject)
  }

  async #run(first: Waiting<Request, Value>): Promise<void> {
    const members = [first]
    let timer: NodeJS.Timeout | undefined
    let pace = 'quick' as 'quick' | 'slow' | 'blocked'
    this.#sets++
    this.#running++
    this.#isWaitingForConnection = true
    const begin = (): void => {
      this.#isWaitingForConnection = false
      members.push(...this.#takeBeside(first))
      timer = setTimeout(() => {
        pace = 'slow'
        this.#slow++
        this.#start()
        timer = setTimeout(() => {
          pace = 'blocked'
          this.#slow--
          this.#running--
          this.#start()
        }, BLOCKED_MS - SLOW_MS)
      }, SLOW_MS)
      this.#start()
    }
    const alone = await this.#runSet(members, begin)
    clearTimeout(timer)
    if (timer === undefined) {
      this.#isWaitingForConnection = false
      this.#refuseOlder(this.#maxWaitMs / 2)
    }
    this.#sets--
    if (pace === 'slow') this.#slow--
    if (pace !== 'blocked') this.#running--
    for (const { subject } of members) this.#busySubjects.delete(subject)
    for (const member of alone) void this.#runSet([member])
    this.#start()
    if (this.#sets === 0) this.#options.onIdle()
  }

  #runSet(
    members: readonly Waiting<Request, Value>[],
    begin?: () => void,
  ): Promise<readonly Waiting<Request, Value>[]> {
    return runSet(members, this.#options.transact, this.#options.run, begin)
  }

  get #maxWaitMs(): number {
    const { priority } = this.#options
    return priority === 'background' ? Infinity : MAX_WAIT_MS[priority]
  }

  #sweepOld(): void {
    this.#refuseOlder(this.#maxWaitMs)
    this.#sweep = this.#waitingCount > 0 ? setTimeout(() => this.#sweepOld(), SWEEP_MS).unref() : undefined
  }

  #refuseOlder(thanMs: number): void {
    const since = performance.now() - thanMs
    for (const [subject, waiting] of this.#waiting) {
      const kept = waiting.filter(
        ({ sinceMs, scope }) => sinceMs > since || scope.request?.isUnderWay === true,
      )
      for (const { reject } of waiting.filter((member) => !kept.includes(member)))
        reject(overloaded(this.#options.priority as Sheddable))
      this.#waitingCount -= waiting.length - kept.length
      if (kept.length === 0) this.#waiting.delete(subject)
      else this.#waiting.set(subject, kept)
    }
  }
}

function sizeOf(members: readonly Pick<Member<unknown, unknown>, 'scope'>[]): number {
  return members.reduce((bytes, { scope }) => bytes + (scope.request?.bytes ?? 0), 0)
}
