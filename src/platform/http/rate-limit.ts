import { setTimeout as sleep } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import { realNowMs } from '#kernel/clock'

/**
 * A token bucket per key, which names an app, a link or an address: `perSecond` requests a second, and bursts of twice that.
 * The headers follow draft-ietf-httpapi-ratelimit-headers-10. `RateLimit-Policy: "app";q=1000;w=2` gives the size of the bucket
 * and the seconds that fill it; `RateLimit: "app";r=998;t=1` gives the remaining tokens and the seconds until
 * the bucket is full.
 */
export class RateLimiter {
  readonly policy: string
  readonly #perSecond: number
  readonly #burst: number
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()
  #held = 0

  /**
   * @param perSecond `RATE_LIMIT`, more than 0
   * @param burstSeconds how many seconds' requests may come at once
   */
  constructor(perSecond: number, now: () => number = realNowMs, burstSeconds = BURST_SECONDS) {
    this.#perSecond = perSecond
    this.#burst = perSecond * burstSeconds
    this.#now = now
    this.policy = `"app";q=${this.#burst};w=${burstSeconds}`
  }

  /**
   * Waits before a refusal is sent. Callers who repeat as fast as they are refused would otherwise take more processor time
   * from others than those whose requests are served (docs/decisions/tenants-take-turns).
   */
  async holdRefusal(): Promise<void> {
    if (this.#held >= MAX_HELD) return
    this.#held++
    await sleep(HOLD_MS * (0.5 + Math.random()))
    this.#held--
  }

  take(key: string): RateLimitDecision {
    const now = this.#now()
    const bucket = this.#bucketOf(key, now)
    // The real clock may be set back.
    const elapsedMs = Math.max(0, now - bucket.filledAtMs)
    bucket.tokens = Math.min(this.#burst, bucket.tokens + (elapsedMs * this.#perSecond) / 1_000)
    bucket.filledAtMs = now
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens--
    const untilFull = Math.ceil((this.#burst - bucket.tokens) / this.#perSecond)
    return {
      allowed,
      header: `"app";r=${Math.floor(bucket.tokens)};t=${untilFull}`,
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - bucket.tokens) / this.#perSecond)),
    }
  }

  #bucketOf(key: string, now: number): Bucket {
    const existing = this.#buckets.get(key)
    if (existing !== undefined) return existing
    if (this.#buckets.size >= MAX_BUCKETS) this.#dropOldest()
    const bucket = { tokens: this.#burst, filledAtMs: now }
    this.#buckets.set(key, bucket)
    return bucket
  }

  #dropOldest(): void {
    let left = MAX_BUCKETS / 10
    for (const key of this.#buckets.keys()) {
      if (left-- === 0) return
      this.#buckets.delete(key)
    }
  }
}

interface Bucket {
  tokens: number
  filledAtMs: number
}

export interface RateLimitDecision {
  readonly allowed: boolean
  readonly header: string
  readonly retryAfterSeconds: number
}

const BURST_SECONDS = 2
const HOLD_MS = 250
const MAX_HELD = 1_000
/** About 10 MB of buckets, active and idle. */
const MAX_BUCKETS = 100_000

/** Names a client by its address. An IPv6 client usually owns a whole /64 and could change its address with every request. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':')
}
