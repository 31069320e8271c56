import { platformErrors } from '#platform/errors'
import type { Decision, DecisionRequest } from './decision.ts'

/**
 * The next batch is decided while the previous one commits. A third would only make batches smaller and more numerous.
 */
const MAX_CONCURRENT_BATCHES = 2
/**
 * A second batch beside the first starts when 16 requests wait. With a lower threshold, half load made 700 small
 * batches a second and reduced the processors' idle time from 20 % to 12 %.
 */
const MIN_WAITING_FOR_SECOND_BATCH = 16
/** A batch that takes longer than 20 ms waits for a lock, such as a card's. Requests for other cards start without it. */
const SLOW_BATCH_MS = 20
const MAX_BATCH_SIZE = 128
/** Further requests get 503: their callers would time out before the decision. */
const MAX_WAITING = 10_000

type DecideBatch = (businessId: string, requests: readonly DecisionRequest[]) => Promise<Decision[]>

interface WaitingRequest {
  readonly request: DecisionRequest
  readonly decision: PromiseWithResolvers<Decision>
}

/**
 * One decision queue per business. A request that arrives while no batch of its business runs starts at once; requests
 * that arrive during a batch are decided together in the next transaction. A commit takes as long as the disk takes to
 * sync, so one transaction per authorization would bound a busy card to that many decisions a second.
 */
export class DecisionQueues {
  readonly #decide: DecideBatch
  readonly #queues = new Map<string, DecisionQueue>()

  constructor(decide: DecideBatch) {
    this.#decide = decide
  }

  /** @throws 503 when too many requests wait; an error of `decide` rejects every request of the batch */
  async submit(businessId: string, request: DecisionRequest): Promise<Decision> {
    let queue = this.#queues.get(businessId)
    if (queue === undefined) {
      queue = new DecisionQueue((requests) => this.#decide(businessId, requests))
      this.#queues.set(businessId, queue)
    }
    try {
      return await queue.submit(request)
    } finally {
      if (queue.isIdle) this.#queues.delete(businessId)
    }
  }
}

/** A card is in one running batch at a time, because a second batch would only wait for the card's lock. */
class DecisionQueue {
  readonly #decide: (requests: readonly DecisionRequest[]) => Promise<Decision[]>
  readonly #waiting = new Map<string, WaitingRequest[]>()
  readonly #busyCards = new Set<string>()
  #waitingCount = 0
  #runningBatches = 0
  #slowBatches = 0

  constructor(decide: (requests: readonly DecisionRequest[]) => Promise<Decision[]>) {
    this.#decide = decide
  }

  get isIdle(): boolean {
    return this.#runningBatches === 0 && this.#waitingCount === 0
  }

  submit(request: DecisionRequest): Promise<Decision> {
    if (this.#waitingCount >= MAX_WAITING) throw platformErrors.unavailable({ retryAfterSeconds: 1 })
    const decision = Promise.withResolvers<Decision>()
    const waitingForCard = this.#waiting.get(request.cardId)
    if (waitingForCard === undefined) this.#waiting.set(request.cardId, [{ request, decision }])
    else waitingForCard.push({ request, decision })
    this.#waitingCount++
    this.#startBatches()
    return decision.promise
  }

  get #mayStartBatch(): boolean {
    if (this.#runningBatches === MAX_CONCURRENT_BATCHES) return false
    return this.#runningBatches === this.#slowBatches || this.#waitingCount >= MIN_WAITING_FOR_SECOND_BATCH
  }

  #startBatches(): void {
    while (this.#mayStartBatch) {
      const batch = this.#takeBatch()
      if (batch.length === 0) return
      void this.#run(batch)
    }
  }

  #takeBatch(): WaitingRequest[] {
    const batch: WaitingRequest[] = []
    for (const [cardId, waitingForCard] of this.#waiting) {
      if (this.#busyCards.has(cardId)) continue
      batch.push(...waitingForCard.splice(0, MAX_BATCH_SIZE - batch.length))
      this.#waiting.delete(cardId)
      // The rest goes behind the other cards. Otherwise two busy cards would starve all others.
      if (waitingForCard.length > 0) this.#waiting.set(cardId, waitingForCard)
      if (batch.length === MAX_BATCH_SIZE) break
    }
    for (const { request } of batch) this.#busyCards.add(request.cardId)
    this.#waitingCount -= batch.length
    return batch
  }

  async #run(batch: readonly WaitingRequest[]): Promise<void> {
    this.#runningBatches++
    let isSlow = false
    const timer = setTimeout(() => {
      isSlow = true
      this.#slowBatches++
      this.#startBatches()
    }, SLOW_BATCH_MS)
    try {
      const decisions = await this.#decide(batch.map(({ request }) => request))
      for (const [index, waiting] of batch.entries()) {
        const decision = decisions[index]
        if (decision === undefined) waiting.decision.reject(new Error('the batch returned too few decisions'))
        else waiting.decision.resolve(decision)
      }
    } catch (error) {
      for (const { decision } of batch) decision.reject(error)
    } finally {
      clearTimeout(timer)
      if (isSlow) this.#slowBatches--
      this.#runningBatches--
      for (const { request } of batch) this.#busyCards.delete(request.cardId)
      this.#startBatches()
    }
  }
}
