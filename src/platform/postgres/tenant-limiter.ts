import { Semaphore } from '#kernel/semaphore'
import { platformErrors } from '#platform/errors'

interface TenantGateLimits {
  /** Of one tenant, at the same time. */
  readonly ofTenant: number
  /** Of all tenants. */
  readonly atOnce: number
  /** Of one tenant, waiting. Each holds its request, also when the caller has hung up. */
  readonly waiting: number
}

/**
 * Where work waits whose cost its caller chooses: a tenant's own pieces wait for each other, and those of other tenants
 * hardly for them.
 */
export class TenantLimiter {
  readonly #limits: TenantGateLimits
  readonly #all: Semaphore
  /** By business; only those that have work. */
  readonly #tenants = new Map<string, { readonly gate: Semaphore; pieces: number }>()

  constructor(limits: TenantGateLimits) {
    this.#limits = limits
    this.#all = new Semaphore(limits.atOnce)
  }

  /** Throws 429 `rate_limited` where too much of the tenant's waits. */
  async run<T>(businessId: string, work: () => Promise<T>): Promise<T> {
    const { ofTenant, waiting } = this.#limits
    const tenant = this.#tenants.get(businessId) ?? { gate: new Semaphore(ofTenant), pieces: 0 }
    if (tenant.pieces === ofTenant + waiting) throw tooMany()
    this.#tenants.set(businessId, tenant)
    tenant.pieces++
    try {
      return await tenant.gate.run(() => this.#all.run(work))
    } finally {
      tenant.pieces--
      if (tenant.pieces === 0) this.#tenants.delete(businessId)
    }
  }
}

function tooMany(): Error {
  return platformErrors.rate_limited({
    message: 'Too many requests of this kind are under way.',
    retryAfterSeconds: 1,
  })
}
