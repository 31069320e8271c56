import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Instant, realClock } from '#kernel/clock'
import { Semaphore } from '#kernel/semaphore'
import { newId } from '#kernel/ids'
import { type Blocker, MAX_LIMIT, isWithoutPlaces, Lanes, type Place } from './lanes.ts'
import type { WebhooksDependencies } from '../dependencies.ts'
import { type ClaimedDelivery, claimDeliveries, type DueLane, dueLanes } from '../storage/queue.repository.ts'
import { notWaitingForDisk, Recorder } from './recorder.ts'
import { Sender } from '../delivery/sender.ts'

/** Receivers that one claim looks at, and deliveries that it takes. */
const WALK_STEPS = 200
const MAX_CLAIMED = MAX_LIMIT / 2
/**
 * Until when a process that was killed keeps others from its deliveries. Longer than an exchange that
 * is not slow yet takes to be recorded; slow ones get `SLOW_LEASE_MS` (see `Sender`).
 */
const LEASE_MS = 6_000
/** Transactions of deliveries at a time: the pool is the requests' too. */
const MAX_TRANSACTIONS = 4
/** Outcomes that are not written yet; beyond, nothing more is sent. */
const MAX_UNRECORDED = 1_000
/** Places that become free within this, or so many, are filled by one claim: each costs two statements. */
const GATHER_MS = 10
const GATHER_PLACES = 24
/** When the process stops, those under way get this long; then they are called off and left to the next process. */
const DRAIN_MS = 2_000

/** Where the walk over a business's receivers goes on, and whether it found anything to send. */
interface Walk {
  readonly afterLane: string
  readonly hasFound: boolean
}

/** What places were taken for. */
interface Taken {
  /** How many deliveries of which receiver. */
  readonly wanted: ReadonlyMap<string, number>
  /** A receiver has more due than was counted, and could be sent it. */
  readonly isMoreDue: boolean
  /** The receiver at which places ran out for all, or the claim was full: the walk goes on there. */
  readonly stoppedAt: number | undefined
}

/**
 * Sends what is due, of all businesses, in this process. Claims only what it has a place for, so it
 * holds nothing back from other processes; nothing waits in memory.
 */
export class Dispatcher {
  readonly #deps: WebhooksDependencies
  readonly #lanes = new Lanes()
  readonly #transactions = new Semaphore(MAX_TRANSACTIONS)
  readonly #recorder: Recorder
  readonly #sender: Sender
  readonly #sending = new Set<Promise<void>>()
  readonly #walks = new Map<string, Walk>()
  /** Businesses that had more than there were places for, by what they wait for. */
  readonly #blocked = new Map<Blocker, Set<string>>()
  readonly #pulling = new Map<string, Promise<number>>()
  readonly #asked = new Map<string, { readonly timer: NodeJS.Timeout; readonly atMs: number }>()
  /** Businesses that were turned away while too many outcomes were not written. */
  readonly #turnedAway = new Set<string>()
  /** Places that became free since a business was told of them. */
  #freedPlaces = 0
  #stopping = false

  constructor(deps: WebhooksDependencies) {
    this.#deps = deps
    this.#recorder = new Recorder({
      db: deps.db,
      log: deps.log,
      transactions: this.#transactions,
      onRecorded: (businessId, released) => {
        if (released > 0) this.ask(businessId)
        this.#letIn()
      },
    })
    this.#sender = new Sender(deps, this.#recorder)
  }

  /** Looks soon for what a business has due. */
  ask(businessId: string, inMs = GATHER_MS): void {
    if (this.#stopping) return
    const asked = this.#asked.get(businessId)
    const atMs = performance.now() + inMs
    if (asked !== undefined && asked.atMs <= atMs) return
    clearTimeout(asked?.timer)
    const timer = setTimeout(() => {
      this.#asked.delete(businessId)
      this.pull(businessId).catch((error: unknown) => {
        this.#deps.log.error({ err: error, business_id: businessId }, 'could not claim deliveries')
      })
    }, inMs)
    this.#asked.set(businessId, { timer, atMs })
  }

  /** True while a business has more due than there are places for. */
  isBlocked(businessId: string): boolean {
    for (const blocked of this.#blocked.values()) if (blocked.has(businessId)) return true
    return false
  }

  /** Claims what there are places for and sends it; answers how many. One at a time for a business. */
  async pull(businessId: string): Promise<number> {
    await this.#pulling.get(businessId)?.catch(() => {})
    if (this.#stopping) return 0
    if (this.#recorder.count >= MAX_UNRECORDED) {
      this.#turnedAway.add(businessId)
      return 0
    }
    const again = this.#pulling.get(businessId)
    if (again !== undefined) return again
    const pulling = this.#transactions.run(() => this.#pull(businessId))
    this.#pulling.set(businessId, pulling)
    try {
      return await pulling
    } finally {
      this.#pulling.delete(businessId)
    }
  }

  #letIn(): void {
    if (this.#recorder.count >= MAX_UNRECORDED) return
    for (const businessId of this.#turnedAway) this.ask(businessId, 0)
    this.#turnedAway.clear()
  }

  async #pull(businessId: string): Promise<number> {
    this.#unblock(businessId)
    const walk = this.#walks.get(businessId) ?? { afterLane: '', hasFound: false }
    const places: Place[] = []
    try {
      const claim = await this.#deps.db.transact(businessId, async (tx) => {
        // The transaction may be run again.
        this.#giveBack(places.splice(0))
        const realNow = realClock.now()
        // One more than a receiver can have: it shows that there is something to wait for a place.
        const most = { ofEach: MAX_LIMIT + 1, ofAll: 2 * MAX_CLAIMED }
        const steps = { afterLane: walk.afterLane, steps: WALK_STEPS, most }
        const [, { lanes, next }] = await Promise.all([notWaitingForDisk(tx), dueLanes(tx, steps, realNow)])
        const { wanted, stoppedAt, isMoreDue } = this.#takePlaces(businessId, lanes, places)
        const lease = { id: newId('lse'), until: realNow.add({ milliseconds: LEASE_MS }) }
        const claimed = wanted.size === 0 ? [] : await claimDeliveries(tx, wanted, lease, realNow)
        const goOnAfter = stoppedAt === undefined ? next : (lanes[stoppedAt - 1]?.lane ?? walk.afterLane)
        return { claimed, isMoreDue, next: goOnAfter, leaseId: lease.id, at: tx.now }
      })
      this.#walkOn(businessId, walk, claim)
      this.#send(businessId, claim, places.splice(0))
      return claim.claimed.length
    } catch (error) {
      this.#giveBack(places)
      throw error
    }
  }

  /**
   * Goes on where the walk stopped. After the last receiver it begins again only when it found something:
   * a walk that found nothing to send waits for a place, or for the head of the business.
   */
  #walkOn(
    businessId: string,
    walk: Walk,
    claim: { claimed: readonly unknown[]; isMoreDue: boolean; next: string | null },
  ): void {
    const hasFound = walk.hasFound || claim.claimed.length > 0
    const isOver = claim.next === null || claim.next === ''
    if (isOver) this.#walks.delete(businessId)
    else this.#walks.set(businessId, { afterLane: claim.next ?? '', hasFound })
    const wasLong = walk.afterLane !== '' && hasFound
    if (!isOver || wasLong || claim.isMoreDue || claim.claimed.length >= MAX_CLAIMED) {
      // While nothing is free whoever frees a place asks. Who found something may have more places: the next claim is
      // made while this one is sent.
      if (!this.#isOutOfPlaces(businessId)) this.ask(businessId, claim.claimed.length > 0 ? 0 : GATHER_MS)
    }
  }

  /** Takes places in rounds: each receiver gets its share before any gets more, over connections that it has open. */
  #takePlaces(businessId: string, lanes: readonly DueLane[], places: Place[]): Taken {
    const wanted = new Map<string, number>()
    let isMoreDue = false
    let open = lanes.map((lane, index) => ({ ...lane, index }))
    for (let round = 1; open.length > 0; round++) {
      const share = Math.max(1, Math.floor((MAX_CLAIMED - places.length) / open.length))
      const stillOpen: typeof open = []
      for (const { lane, count, isMore, index } of open) {
        const stopped = { wanted, isMoreDue, stoppedAt: round === 1 ? index : undefined }
        const most = Math.min(count, share, MAX_CLAIMED - places.length)
        if (most === 0) return stopped
        const taken = this.#lanes.take(lane, most)
        places.push(...taken.places)
        if (taken.places.length > 0) wanted.set(lane, (wanted.get(lane) ?? 0) + taken.places.length)
        if (taken.blocker !== undefined) this.#blockOn(taken.blocker, businessId)
        else if (most < count) stillOpen.push({ lane, count: count - most, isMore, index })
        else isMoreDue ||= isMore
        if (isWithoutPlaces(taken.blocker)) return stopped
      }
      open = stillOpen
    }
    return { wanted, isMoreDue, stoppedAt: undefined }
  }

  #isOutOfPlaces(businessId: string): boolean {
    return [...this.#blocked].some(
      ([blocker, blocked]) => isWithoutPlaces(blocker) && blocked.has(businessId),
    )
  }

  #unblock(businessId: string): void {
    for (const [blocker, blocked] of this.#blocked) {
      blocked.delete(businessId)
      if (blocked.size === 0) this.#blocked.delete(blocker)
    }
  }

  #blockOn(blocker: Blocker, businessId: string): void {
    const blocked = this.#blocked.get(blocker)
    if (blocked === undefined) this.#blocked.set(blocker, new Set([businessId]))
    else blocked.add(businessId)
  }

  #send(
    businessId: string,
    claim: { claimed: readonly ClaimedDelivery[]; leaseId: string; at: Instant },
    places: readonly Place[],
  ): void {
    const free = Map.groupBy(places, (place) => place.lane)
    for (const delivery of claim.claimed) {
      const place = free.get(delivery.lane)?.pop()
      if (place === undefined) throw new Error('a delivery was claimed without a place')
      const sending = this.#sender
        .send(businessId, delivery, {
          leaseId: claim.leaseId,
          at: claim.at,
          onSlow: () => this.#freed(this.#lanes.turnsSlow(place)),
        })
        .then((durationMs) => this.#freed(this.#lanes.leave(place, durationMs)))
        .finally(() => this.#sending.delete(sending))
      this.#sending.add(sending)
    }
    this.#giveBack([...free.values()].flat())
  }

  #giveBack(places: readonly Place[]): void {
    for (const place of places) this.#freed(this.#lanes.leave(place, undefined))
  }

  #freed(blockers: readonly Blocker[]): void {
    this.#freedPlaces++
    for (const blocker of blockers) {
      const blocked = this.#blocked.get(blocker)
      if (blocked === undefined) continue
      // Those who wait for the same receiver share it; places of a pace go to one business after the other.
      const [first] = blocked
      if (first === undefined) continue
      const isEnough = this.#freedPlaces >= GATHER_PLACES
      if (isEnough) this.#freedPlaces = 0
      blocked.delete(first)
      this.ask(first, isEnough ? 0 : GATHER_MS)
    }
  }

  /** Lets what is under way finish for a moment; the rest is called off, and due again at once. */
  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.allSettled(this.#pulling.values())
    await Promise.race([Promise.all(this.#sending), sleep(DRAIN_MS, undefined, { ref: false })])
    this.#sender.stop()
    await Promise.all(this.#sending)
    await this.#recorder.flush()
  }
}
