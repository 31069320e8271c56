import type { RequestScope } from '#platform/request-scope'

/** A caller who sends ten requests a second, one after the other, counts without a pause. */
const LINGER_MS = 100
/** A request that lasts longer is slow for reasons of its own. */
const COUNTS_MS = 1_000
const RECOUNT_MS = 10
/** The slots of a tenant while another one has less than half as many requests, and of its jobs while another one has any. */
const FEW = { requests: 2, jobs: 1 }

interface Demand {
  requests: number
  begunAtMs: number
  endedAtMs: number
}

/** How many requests each tenant has that wait for a slot or hold one (docs/decisions/tenants-take-turns). */
export class TenantDemand {
  readonly #now: () => number
  readonly #tenants = new Map<string, Demand>()
  #least: { readonly tenant: string; readonly requests: number } | undefined
  #second = Infinity
  #isKnownUntilMs = 0

  constructor(now: () => number) {
    this.#now = now
  }

  begin(tenant: string, scope: RequestScope | undefined): void {
    if (isJob(scope)) return
    const demand = this.#tenants.get(tenant) ?? { requests: 0, begunAtMs: 0, endedAtMs: 0 }
    demand.requests++
    demand.begunAtMs = this.#now()
    this.#tenants.set(tenant, demand)
    this.#isKnownUntilMs = 0
  }

  end(tenant: string, scope: RequestScope | undefined): void {
    const demand = isJob(scope) ? undefined : this.#tenants.get(tenant)
    if (demand === undefined) return
    demand.requests--
    demand.endedAtMs = this.#now()
    this.#isKnownUntilMs = 0
  }

  /** How many slots others leave to a tenant, or to its jobs; Infinity if no other tenant has less to do. */
  mostBeside(tenant: string, scope: RequestScope | undefined): number {
    const least = this.#leastBeside(tenant)
    if (isJob(scope)) return least === Infinity ? Infinity : FEW.jobs
    const own = this.#tenants.get(tenant)?.requests ?? 0
    return least * 2 < own ? FEW.requests : Infinity
  }

  #leastBeside(tenant: string): number {
    const now = this.#now()
    if (now >= this.#isKnownUntilMs) this.#findLeast(now)
    if (this.#least === undefined) return Infinity
    return this.#least.tenant === tenant ? this.#second : this.#least.requests
  }

  #findLeast(now: number): void {
    this.#isKnownUntilMs = now + RECOUNT_MS
    this.#least = undefined
    this.#second = Infinity
    for (const [tenant, { requests, begunAtMs, endedAtMs }] of this.#tenants) {
      if (requests === 0 && now - endedAtMs > LINGER_MS) {
        this.#tenants.delete(tenant)
      } else if (now - begunAtMs > COUNTS_MS) {
        continue
      } else if (this.#least === undefined || requests < this.#least.requests) {
        this.#second = this.#least?.requests ?? Infinity
        this.#least = { tenant, requests }
      } else {
        this.#second = Math.min(this.#second, requests)
      }
    }
  }
}

function isJob(scope: RequestScope | undefined): boolean {
  return scope === undefined || scope.priority === 'background'
}
