import { LRUCache } from 'lru-cache'
import { realNowMs } from '#kernel/clock'
import { hostOf } from '../model/receiver-key.ts'

/**
 * Bounds concurrent requests, so that slow and dead receivers do not delay the others. Receivers draw on the limit
 * of their speed: `fast` ones responded quickly last time, `new` ones have not responded yet. A request that turns
 * out to be slow moves to the slow limit while it runs. So a hundred dead receivers fill the slots for new and slow
 * ones, and the slots for fast ones stay free. Nearly all receivers respond within a tenth of `SLOW_MS`.
 */
type Speed = 'fast' | 'new' | 'slow'

/** The limits by speed: docs/decisions/slots-by-speed. */
export const SLOW_MS = 2_000

/** `fast` bounds fast and new receivers together, `new` the new ones among them. */
const MAX_SLOTS: Readonly<Record<Speed, number>> = { fast: 768, new: 96, slow: 64 }
export const MAX_CONCURRENCY = MAX_SLOTS.fast + MAX_SLOTS.slow
const FAST_LIMITS: readonly Speed[] = ['fast', 'new']
/**
 * The concurrency of one receiver starts at `INITIAL_LIMIT` and doubles with each quick response. The maximum is two
 * whole claims: one is sent while the next is made. With one claim a fifth fewer deliveries went out a second.
 */
const INITIAL_LIMIT = 1
/** A sixteenth of the slots of slow receivers, so that one receiver cannot take them all. */
const SLOW_LIMIT = MAX_SLOTS.slow / 16
export const MAX_LIMIT = 256
/** Bounds the new and slow URLs of one host together: a dead host may be behind thousands of URLs. */
const MAX_UNPROVEN = { responsiveHost: 48, otherHost: 8 }
const HOST_STAYS_RESPONSIVE_MS = 60_000
/** A receiver that is evicted starts again as new. The limits of all receivers hold regardless. */
const MAX_ENTRIES = 10_000

interface ReceiverState {
  speed: Speed
  active: number
  limit: number
}

interface HostState {
  responsiveUntilMs: number
  unproven: number
}

export interface Slot {
  readonly receiver: string
  readonly receiverState: ReceiverState
  readonly hostState: HostState
  speed: Speed
}

/** The receiver, host or speed whose limit was reached. `release` and `markSlow` name those with room again. */
export type Limit = string

export function isProcessLimit(limit: Limit | undefined): boolean {
  return limit === ('fast' satisfies Speed)
}

export class EndpointLimiter {
  readonly #receivers = new LRUCache<string, ReceiverState>({ max: MAX_ENTRIES })
  readonly #hosts = new LRUCache<string, HostState>({ max: MAX_ENTRIES })
  readonly #used: Record<Speed, number> = { fast: 0, new: 0, slow: 0 }

  acquire(receiver: string, count: number): { slots: Slot[]; reached: Limit | undefined } {
    const host = hostOf(receiver)
    const receiverState = this.#receivers.get(receiver) ?? newReceiver()
    const hostState = this.#hosts.get(host) ?? newHost()
    this.#receivers.set(receiver, receiverState)
    this.#hosts.set(host, hostState)
    const slots: Slot[] = []
    while (slots.length < count) {
      const { speed } = receiverState
      const reached = this.#limitReached(receiver, receiverState, hostState)
      if (reached !== undefined) return { slots, reached }
      receiverState.active++
      if (speed !== 'fast') hostState.unproven++
      this.#used[speed]++
      slots.push({ receiver, receiverState, hostState, speed })
    }
    return { slots, reached: undefined }
  }

  #limitReached(
    receiver: string,
    { active, limit, speed }: ReceiverState,
    host: HostState,
  ): Limit | undefined {
    if (active >= limit) return receiver
    if (speed !== 'fast') {
      const isResponsive = realNowMs() < host.responsiveUntilMs
      const max = isResponsive ? MAX_UNPROVEN.responsiveHost : MAX_UNPROVEN.otherHost
      if (host.unproven >= max) return hostOf(receiver)
      if (this.#used[speed] >= MAX_SLOTS[speed]) return speed
    }
    if (speed === 'slow') return undefined
    return this.#used.fast + this.#used.new >= MAX_SLOTS.fast ? speed : undefined
  }

  markSlow(slot: Slot): readonly Limit[] {
    slowDown(slot.receiverState)
    if (slot.speed === 'slow') return []
    if (slot.speed === 'fast') slot.hostState.unproven++
    this.#used[slot.speed]--
    this.#used.slow++
    slot.speed = 'slow'
    return FAST_LIMITS
  }

  /** @param durationMs undefined when no request was made, which says nothing about the receiver */
  release(slot: Slot, durationMs: number | undefined): Limit[] {
    const { receiver, receiverState, hostState, speed } = slot
    this.#used[speed]--
    if (speed !== 'fast') hostState.unproven--
    receiverState.active--
    if (durationMs !== undefined) adjust(receiverState, hostState, durationMs)
    return [receiver, hostOf(receiver), ...(speed === 'slow' ? [speed] : FAST_LIMITS)]
  }
}

function adjust(receiver: ReceiverState, host: HostState, durationMs: number): void {
  if (durationMs >= SLOW_MS) return slowDown(receiver)
  receiver.speed = 'fast'
  receiver.limit = Math.min(receiver.limit * 2, MAX_LIMIT)
  host.responsiveUntilMs = realNowMs() + HOST_STAYS_RESPONSIVE_MS
}

function slowDown(receiver: ReceiverState): void {
  receiver.speed = 'slow'
  receiver.limit = SLOW_LIMIT
}

const newReceiver = (): ReceiverState => ({ speed: 'new', active: 0, limit: INITIAL_LIMIT })
const newHost = (): HostState => ({ responsiveUntilMs: 0, unproven: 0 })
