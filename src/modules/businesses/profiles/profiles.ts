import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { realClock, realNowMs } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import type { BusinessProfile } from '../model/business.ts'
import { findChangedBusinesses } from '../storage/repository.ts'
import { getBusiness } from './look-up.ts'

const MAX_PROFILES = 10_000
/** One statement asks for the changes of all businesses, so that no request reads a profile that is known. */
const CHECK_MS = 250
/** A process that was idle for longer waits for that statement. */
const MAX_AGE_MS = 1_000
/** Transactions that began before a check may commit after it, and the clocks of processes differ. */
const OVERLAP_MS = 60_000

/** Resolves once no process acts on what was changed. */
export function untilProfilesChange(): Promise<void> {
  return sleep(MAX_AGE_MS + 25)
}

export class Profiles {
  readonly #db: Database
  readonly #profiles = new LRUCache<string, BusinessProfile>({ max: MAX_PROFILES })
  #checkedAtMs = realNowMs()
  #checking: Promise<void> | undefined

  constructor(db: Database) {
    this.#db = db
  }

  async get(businessId: string): Promise<BusinessProfile> {
    const ageMs = realNowMs() - this.#checkedAtMs
    if (ageMs > CHECK_MS) this.#checking ??= this.#forgetChanged()
    if (ageMs > MAX_AGE_MS) await this.#checking
    const cached = this.#profiles.get(businessId)
    if (cached !== undefined) return cached
    const profile = await getBusiness(this.#db, businessId)
    this.#profiles.set(businessId, profile)
    return profile
  }

  async #forgetChanged(): Promise<void> {
    const atMs = realNowMs()
    try {
      const since = realClock.now().subtract({ milliseconds: OVERLAP_MS + atMs - this.#checkedAtMs })
      for (const id of await findChangedBusinesses(this.#db.shared, since)) this.#profiles.delete(id)
      this.#checkedAtMs = atMs
    } catch {
      // Without a database nothing is served; the next call checks again.
      this.#profiles.clear()
    } finally {
      this.#checking = undefined
    }
  }
}
