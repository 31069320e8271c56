import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/**
 * How long a process may act on a cached key or secret. Whoever changes one waits this long before confirming the change, so
 * that a revoked key is refused everywhere once its revocation is confirmed.
 */
const TTL_MS = 250
/** About 10 MB, entries for unknown keys included. */
const MAX_ENTRIES = 10_000

export function untilCachesExpire(): Promise<void> {
  return sleep(TTL_MS + 25)
}

export class LookupCache<Value> {
  // A resolution of 0 reads the clock on every access: a cached time could outlive the TTL on a busy event loop.
  readonly #entries = new LRUCache<string, Promise<Value>>({
    max: MAX_ENTRIES,
    ttl: TTL_MS,
    ttlResolution: 0,
  })

  get(key: string, lookUp: () => Promise<Value>): Promise<Value> {
    const cached = this.#entries.get(key)
    if (cached !== undefined) return cached
    const value = lookUp()
    this.#entries.set(key, value)
    value.catch(() => this.#entries.delete(key))
    return value
  }
}
