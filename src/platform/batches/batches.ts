import { MAX_WAIT_MS, overloaded, type Sheddable } from '#platform/admission/fair-queue'
import { platformErrors } from '#platform/errors'
import { currentTraceparent, isRecording, recordingSpan, traced } from '#platform/observability/tracing'
import type { Database, Tx } from '#platform/postgres/database'
import { isRolledBack } from '#platform/postgres/database-errors'
import { currentRequest, inCompany, type KeptScope, keepScope, type Priority } from '#platform/request-scope'

/**
 * What a set makes of one member.
 * - `refused`: The set has written nothing for it.
 * - `alone`: The set has written nothing for it and cannot say what becomes of it. It runs again as a set of one.
 */
export type Outcome<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'refused'; readonly error: Error }
  | { readonly kind: 'alone' }

/**
 * - `run`: Runs members in one transaction, as `Database.transact` does, and returns an outcome for each. What it throws
 *   fails the set: the members of a larger set then run again, each alone.
 * - `subjectOf`: What a set locks for its member. Members with the same subject are never in two sets at a time.
 */
export interface BatchOptions<Request, Value> {
  readonly run: (tx: Tx, requests: readonly Request[]) => Promise<readonly Outcome<Value>[]>
  readonly subjectOf?: (request: Request) => string
}

/** The next set is worked on while the one before it commits. A third would only make sets smaller and more numerous. */
const MAX_RUNNING = 2
/**
 * A second set beside the first starts when 16 members wait. With a lower threshold, half load on cards made 700 small sets
 * a second and reduced the processors' idle time from 20 % to 12 %.
 */
const MIN_WAITING_FOR_SECOND = 16
/** A set that takes longer waits for a lock, such as a card's. Members for other subjects start without it. */
const SLOW_MS = 20
const MAX_MEMBERS = 128
const MAX_BYTES = 1_000_000
/** Further requests get 503: their callers would time out before the outcome. */
const MAX_WAITING = 10_000
const SWEEP_MS = 250

/**
 * Callers of one tenant that wait for a connection at the same moment run in one transaction (docs/decisions/decision-batches). A caller who
 * comes while no set of its tenant runs starts at once, and takes along who waits when it has its connection.
 */
export class Batches<Request, Value> {
  readonly #db: Pick<Database, 'transact'>
  readonly #options: BatchOptions<Request, Value>
  readonly #queues = new Map<string, Queue<Request, Value>>()

  constructor(db: Pick<Database, 'transact'>, options: BatchOptions<Request, Value>) {
    this.#db = db
    this.#options = options
  }

  /** Throws the error that refuses this member, or what its transaction threw; 503 when too many wait, or it waited too long. */
  async submit(businessId: string, request: Request): Promise<Value> {
    const priority = currentRequest()?.priority ?? 'background'
    const key = `${priority} ${businessId}`
    let queue = this.#queues.get(key)
    if (queue === undefined) {
      queue = new Queue((work) => this.#db.transact(businessId, work), this.#options, priority)
      this.#queues.set(key, queue)
    }
    try {
      return await queue.submit(request)
    } finally {
      if (queue.isIdle) this.#queues.delete(key)
    }
  }
}

interface Member<Request, Value> extends PromiseWithResolvers<Value> {
  readonly request: Request
  readonly subject: unknown
  readonly scope: KeptScope
  readonly sinceMs: number
}

type Outcomes<Value> = readonly Outcome<Value>[]
type Transact<Value> = (work: (tx: Tx) => Promise<Outcomes<Value>>) => Promise<Outcomes<Value>>

class Queue<Request, Value> {
  readonly #transact: Transact<Value>
  readonly #options: BatchOptions<Request, Value>
  readonly #priority: Priority
  readonly #waiting = new Map<unknown, Member<Request, Value>[]>()
  readonly #busySubjects = new Set<unknown>()
  #waitingCount = 0
  #running = 0
  #slow = 0
  #isWaitingForConnection = false
  #sweep: NodeJS.Timeout | undefined

  constructor(transact: Transact<Value>, options: BatchOptions<Request, Value>, priority: Priority) {
    this.#transact = transact
    this.#options = options
    this.#priority = priority
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#waitingCount === 0
  }

  submit(request: Request): Promise<Value> {
    if (this.#waitingCount >= MAX_WAITING) throw platformErrors.unavailable({ retryAfterSeconds: 1 })
    const subject = this.#options.subjectOf?.(request) ?? Symbol('no subject')
    const member = {
      ...Promise.withResolvers<Value>(),
      request,
      subject,
      scope: keepScope(),
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
      const [first] = this.#take([], 1)
      if (first === undefined) return
      void this.#run(first)
    }
  }

  #take(members: readonly Member<Request, Value>[], most: number): Member<Request, Value>[] {
    const own = new Set(members.map(({ subject }) => subject))
    const taken: Member<Request, Value>[] = []
    let bytes = sizeOf(members)
    for (const [subject, waiting] of this.#waiting) {
      if (taken.length === most || bytes > MAX_BYTES) break
      if (this.#busySubjects.has(subject) && !own.has(subject)) continue
      while (taken.length < most && bytes <= MAX_BYTES) {
        const next = waiting.shift()
        if (next === undefined) break
        taken.push(next)
        bytes += sizeOf([next])
      }
      this.#waiting.delete(subject)
      // The rest goes behind the other subjects. Otherwise two busy ones would starve all others.
      if (waiting.length > 0) this.#waiting.set(subject, waiting)
      this.#busySubjects.add(subject)
      own.add(subject)
    }
    this.#waitingCount -= taken.length
    return taken
  }

  async #run(first: Member<Request, Value>): Promise<void> {
    const members = [first]
    let timer: NodeJS.Timeout | undefined
    let isSlow = false
    this.#running++
    this.#isWaitingForConnection = true
    const begin = (): void => {
      if (timer !== undefined) return
      this.#isWaitingForConnection = false
      members.push(...this.#take(members, MAX_MEMBERS - 1))
      if (members.length > 1) traceCompany(members)
      timer = setTimeout(() => {
        isSlow = true
        this.#slow++
        this.#start()
      }, SLOW_MS)
      this.#start()
    }
    const alone = await this.#settle(members, begin)
    clearTimeout(timer)
    if (timer === undefined) {
      this.#isWaitingForConnection = false
      this.#refuseOlder(maxWaitMs(this.#priority) / 2)
    }
    if (isSlow) this.#slow--
    this.#running--
    for (const { subject } of members) this.#busySubjects.delete(subject)
    for (const member of alone) void this.#settle([member])
    this.#start()
  }

  /** @returns the members that have no outcome yet, and must run alone */
  async #settle(
    members: readonly Member<Request, Value>[],
    begin: () => void = () => {},
  ): Promise<readonly Member<Request, Value>[]> {
    let isDecided = false
    const run = async (tx: Tx): Promise<Outcomes<Value>> => {
      isDecided = false
      begin()
      const requests = members.map(({ request }) => request)
      const scopes = members.map(({ scope }) => scope)
      const work = () => this.#options.run(tx, requests)
      const outcomes = await (members.length === 1 ? work() : inCompany(scopes, work))
      isDecided = true
      const [only] = outcomes
      if (members.length === 1 && only?.kind === 'refused') throw only.error
      if (!outcomes.some(({ kind }) => kind === 'done')) throw new NothingToCommit(outcomes)
      return outcomes
    }
    const [{ scope }] = members as [Member<Request, Value>]
    try {
      return give(members, await scope.run(() => this.#transact(run)))
    } catch (error) {
      if (error instanceof NothingToCommit) return give(members, error.outcomes as Outcomes<Value>)
      if (members.length > 1 && isRolledBack(error, isDecided)) return members
      for (const { reject } of members) reject(error)
      return []
    }
  }

  #sweepOld(): void {
    this.#refuseOlder(maxWaitMs(this.#priority))
    this.#sweep = this.#waitingCount > 0 ? setTimeout(() => this.#sweepOld(), SWEEP_MS).unref() : undefined
  }

  #refuseOlder(thanMs: number): void {
    const since = performance.now() - thanMs
    for (const [subject, waiting] of this.#waiting) {
      const kept = waiting.filter(
        ({ sinceMs, scope }) => sinceMs > since || scope.request?.isUnderWay === true,
      )
      for (const { reject } of waiting.filter((member) => !kept.includes(member)))
        reject(overloaded(this.#priority as Sheddable))
      this.#waitingCount -= waiting.length - kept.length
      if (kept.length === 0) this.#waiting.delete(subject)
      else this.#waiting.set(subject, kept)
    }
  }
}

class NothingToCommit extends Error {
  readonly outcomes: readonly Outcome<unknown>[]

  constructor(outcomes: readonly Outcome<unknown>[]) {
    super('no member of the set was done')
    this.outcomes = outcomes
  }
}

/** @returns the members that must run alone */
function give<Request, Value>(
  members: readonly Member<Request, Value>[],
  outcomes: Outcomes<Value>,
): readonly Member<Request, Value>[] {
  return members.filter(({ resolve, reject }, index) => {
    const outcome = outcomes[index]
    if (outcome?.kind === 'done') resolve(outcome.value)
    else if (outcome?.kind === 'refused') reject(outcome.error)
    else if (outcome?.kind === 'alone' && members.length > 1) return true
    else reject(new Error('a set has no outcome for its member'))
    return false
  })
}

/** The statements are in the trace of the first member. Those of the others show the wait, and lead there. */
function traceCompany(
  members: readonly { readonly scope: KeptScope; readonly promise: Promise<unknown> }[],
): void {
  const attributes = { 'quittance.set_size': members.length }
  recordingSpan()?.setAttributes(attributes)
  const first = currentTraceparent()
  for (const { scope, promise } of members.slice(1)) {
    scope.run(() => {
      if (!isRecording()) return
      const options = { attributes, ...(first !== null && { follows: first }) }
      traced('transaction in company', options, () => promise).catch(() => {})
    })
  }
}

function sizeOf(members: readonly { readonly scope: KeptScope }[]): number {
  return members.reduce((bytes, { scope }) => bytes + (scope.request?.bytes ?? 0), 0)
}

function maxWaitMs(priority: Priority): number {
  return priority === 'background' ? Infinity : MAX_WAIT_MS[priority]
}
