import { Semaphore } from '#kernel/semaphore'
import { platformErrors } from '#platform/errors'

interface TenantLimits {
  readonly perTenant: number
  readonly total: number
  /** The waiting tasks of one tenant. Each holds its HTTP request, even after the caller has hung up. */
  readonly waitingPerTenant: number
}

export class TenantLimiter {
  readonly #limits: TenantLimits
  readonly #total: Semaphore
  /** Entries of tenants with tasks. Not an LRU cache: an entry in use must never be evicted. */
  readonly #tenants = new Map<string, { readonly semaphore: Semaphore; tasks: number }>()

  constructor(limits: TenantLimits) {
    this.#limits = limits
    this.#total = new Semaphore(limits.total)
  }

  async run<T>(businessId: string, task: () => Promise<T>): Promise<T> {
    const { perTenant, waitingPerTenant } = this.#limits
    const tenant = this.#tenants.get(businessId) ?? { semaphore: new Semaphore(perTenant), tasks: 0 }
    if (tenant.tasks === perTenant + waitingPerTenant) throw tooMany()
    this.#tenants.set(businessId, tenant)
    tenant.tasks++
    try {
      return await tenant.semaphore.run(() => this.#total.run(task))
    } finally {
      tenant.tasks--
      if (tenant.tasks === 0) this.#tenants.delete(businessId)
    }
  }
}

function tooMany(): Error {
  return platformErrors.rate_limited({
    message: 'Too many requests of this kind are running: send this one again later.',
    retryAfterSeconds: 1,
  })
}
