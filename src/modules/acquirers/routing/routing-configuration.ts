import { LRUCache } from 'lru-cache'
import type { Database } from '#platform/postgres/database'
import type { SealedAccount } from '../model/account.ts'
import { allAccounts } from '../storage/account.repository.ts'
import { findRouting } from '../storage/routing.repository.ts'
import type { RoutingRule } from '../model/rule.ts'

/** Other processes see a change within this time (reference/acquirers#routing). */
const TTL_MS = 1_000
const MAX_TENANTS = 5_000

export interface RoutingConfiguration {
  readonly accounts: readonly SealedAccount[]
  readonly rules: readonly RoutingRule[]
  readonly rulesVersion: number
}

export class RoutingConfigurations {
  readonly #db: Database
  readonly #cache = new LRUCache<string, Promise<RoutingConfiguration>>({
    max: MAX_TENANTS,
    ttl: TTL_MS,
    ttlResolution: 0,
  })

  constructor(db: Database) {
    this.#db = db
  }

  get(businessId: string): Promise<RoutingConfiguration> {
    const cached = this.#cache.get(businessId)
    if (cached !== undefined) return cached
    const configuration = readConfiguration(this.#db, businessId)
    this.#cache.set(businessId, configuration)
    configuration.catch(() => this.drop(businessId))
    return configuration
  }

  drop(businessId: string): void {
    this.#cache.delete(businessId)
  }
}

async function readConfiguration(db: Database, businessId: string): Promise<RoutingConfiguration> {
  const [accounts, routing] = await Promise.all([allAccounts(db, businessId), findRouting(db, businessId)])
  return { accounts, rules: routing?.rules ?? [], rulesVersion: routing?.version ?? 0 }
}
