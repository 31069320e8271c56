import { platformErrors } from '#platform/errors'
import type { DecisionRequest, Decision } from './decide-batch.ts'

/**
 * Requests that arrive while others of their business are being decided wait a moment and are decided together, in one
 * transaction. A commit takes as long as the disk takes to sync; one authorization at a time, a card in heavy use
 * could have no more decisions a second than that. A request that finds nothing under way starts at once.
 * While one batch is committed the next is decided; a third only makes batches smaller and more, and so does a second
 * for a few.
 */
const MAX_UNDER_WAY = 2
const WORTH_A_SECOND = 16
/** One that takes longer waits for a lock, such as of a card: others do not wait with it until they are many. */
const LONG_MS = 20
const MAX_BATCH = 128
/** More than that is answered 503: a caller's patience would end first. */
const MAX_WAITING = 10_000

/** Decides requests of one business together. */
type Decide = (businessId: string, requests: readonly DecisionRequest[]) => Promise<Decision[]>

interface Waiting {
  readonly request: DecisionRequest
  readonly answer: PromiseWithResolvers<Decision>
}

export class DecisionQueues {
  readonly #decide: Decide
  readonly #lanes = new Map<string, DecisionQueue>()

  constructor(decide: Decide) {
    this.#decide = decide
  }

  /** @throws 503 when too many wait; whatever `decide` throws, for each request of the batch */
  async submit(businessId: string, request: DecisionRequest): Promise<Decision> {
    let lane = this.#lanes.get(businessId)
    if (lane === undefined) {
      lane = new DecisionQueue((requests) => this.#decide(businessId, requests))
      this.#lanes.set(businessId, lane)
    }
    try {
      return await lane.submit(request)
    } finally {
      if (lane.isIdle) this.#lanes.delete(businessId)
    }
  }
}

/** The waiting requests of one business. A card is in one batch at a time: a second would only wait for its lock. */
class DecisionQueue {
  readonly #decide: (requests: readonly DecisionRequest[]) => Promise<Decision[]>
  /** By card, in order of arrival. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #busyCards = new Set<string>()
  #waitingCount = 0
  #underWay = 0
  /** How many of those under way have taken long. */
  #long = 0

  constructor(decide: (requests: readonly DecisionRequest[]) => Promise<Decision[]>) {
    this.#decide = decide
  }

  get isIdle(): boolean {
    return this.#underWay === 0 && this.#waitingCount === 0
  }

  submit(request: DecisionRequest): Promise<Decision> {
    if (this.#waitingCount >= MAX_WAITING) throw platformErrors.unavailable({ retryAfterSeconds: 1 })
    const answer = Promise.withResolvers<Decision>()
    const ofCard = this.#waiting.get(request.cardId)
    if (ofCard === undefined) this.#waiting.set(request.cardId, [{ request, answer }])
    else ofCard.push({ request, answer })
    this.#waitingCount++
    this.#start()
    return answer.promise
  }

  get #mayStart(): boolean {
    if (this.#underWay === MAX_UNDER_WAY) return false
    return this.#underWay === this.#long || this.#waitingCount >= WORTH_A_SECOND
  }

  #start(): void {
    while (this.#mayStart) {
      const batch = this.#take()
      if (batch.length === 0) return
      void this.#run(batch)
    }
  }

  #take(): Waiting[] {
    const batch: Waiting[] = []
    for (const [cardId, ofCard] of this.#waiting) {
      if (this.#busyCards.has(cardId)) continue
      const taken = ofCard.splice(0, MAX_BATCH - batch.length)
      batch.push(...taken)
      this.#waiting.delete(cardId)
      // What is left waits behind the other cards: two in heavy use would keep them waiting for good.
      if (ofCard.length > 0) this.#waiting.set(cardId, ofCard)
      if (batch.length === MAX_BATCH) break
    }
    for (const { request } of batch) this.#busyCards.add(request.cardId)
    this.#waitingCount -= batch.length
    return batch
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    this.#underWay++
    let isLong = false
    const timer = setTimeout(() => {
      isLong = true
      this.#long++
      this.#start()
    }, LONG_MS)
    try {
      const verdicts = await this.#decide(batch.map(({ request }) => request))
      for (const [index, { answer }] of batch.entries()) {
        const verdict = verdicts[index]
        if (verdict === undefined) answer.reject(new Error('a decision was lost'))
        else answer.resolve(verdict)
      }
    } catch (error) {
      for (const { answer } of batch) answer.reject(error)
    } finally {
      clearTimeout(timer)
      if (isLong) this.#long--
      this.#underWay--
      for (const { request } of batch) this.#busyCards.delete(request.cardId)
      this.#start()
    }
  }
}
