import type { RequestScope } from '#platform/request-scope'

/** A caller who sends ten requests a second, one after the other, counts without a pause. */
const LINGER_MS = 100
/** A request that lasts longer is slow for reasons of its own. */
const COUNTS_MS = 1_000
const RECOUNT_MS = 10
/**
 * While another tenant has less than half as many requests, a tenant has a few slots, and so have its jobs while another one has any
 * request. It gets none while such a request has lasted for less than `YIELD_MS`, unless it has waited for as long.
 */
const YIELD_MS = 25
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
  readonly #takenAtMs = new Map<string, number>()
  readonly #whenEnded: (() => void)[] = []
  #active = new Least()
  #underWay = new Least()
  #isKnownUntilMs = 0

  constructor(now: () => number) {
    this.#now = now
  }

  whenEnded(inform: () => void): void {
    this.#whenEnded.push(inform)
  }

  begin(tenant: string, scope: RequestScope | undefined): void {
    if (isJob(scope)) return
    const demand = this.#tenants.get(tenant) ?? { requests: 0, begunAtMs: 0, endedAtMs: 0 }
    demand.requests++
    demand.begunAtMs = this.#now()
    this.#tenants.set(tenant, demand)
    this.#isKnownUntilMs = 0
  }

  take(tenant: string): void {
    this.#takenAtMs.set(tenant, this.#now())
  }

  end(tenant: string, scope: RequestScope | undefined): void {
    const demand = isJob(scope) ? undefined : this.#tenants.get(tenant)
    if (demand === undefined) return
    demand.requests--
    demand.endedAtMs = this.#now()
    this.#isKnownUntilMs = 0
    if (demand.requests === 0) for (const inform of this.#whenEnded) inform()
  }

  /** How many slots others leave to a tenant, or to its jobs; Infinity if no other tenant has less to do. */
  mostBeside(tenant: string, scope: RequestScope | undefined): number {
    const now = this.#refresh()
    const own = isJob(scope) ? Infinity : (this.#tenants.get(tenant)?.requests ?? 0)
    const isLess = (requests: number) => requests * 2 < own
    if (!isLess(this.#active.beside(tenant))) return Infinity
    const isFirst = isLess(this.#underWay.beside(tenant))
    if (isFirst && now - (this.#takenAtMs.get(tenant) ?? -Infinity) < YIELD_MS) return 0
    return isJob(scope) ? FEW.jobs : FEW.requests
  }

  hasRequestsBeside(tenant: string): boolean {
    this.#refresh()
    return this.#active.beside(tenant) < Infinity
  }

  #refresh(): number {
    const now = this.#now()
    if (now < this.#isKnownUntilMs) return now
    this.#isKnownUntilMs = now + RECOUNT_MS
    this.#active = new Least()
    this.#underWay = new Least()
    for (const [tenant, { requests, begunAtMs, endedAtMs }] of this.#tenants) {
      if (requests === 0 && now - endedAtMs > LINGER_MS) this.#tenants.delete(tenant)
      else if (now - begunAtMs <= COUNTS_MS) this.#active.add(tenant, requests)
      if (requests > 0 && now - begunAtMs <= YIELD_MS) this.#underWay.add(tenant, requests)
    }
    for (const [tenant, takenAtMs] of this.#takenAtMs) {
      if (now - takenAtMs > YIELD_MS) this.#takenAtMs.delete(tenant)
    }
    return now
  }
}

class Least {
  #tenant: string | undefined
  #requests = Infinity
  #second = Infinity

  add(tenant: string, requests: number): void {
    if (requests < this.#requests) {
      this.#second = this.#requests
      this.#tenant = tenant
      this.#requests = requests
    } else {
      this.#second = Math.min(this.#second, requests)
    }
  }

  beside(tenant: string): number {
    return this.#tenant === tenant ? this.#second : this.#requests
  }
}

function isJob(scope: RequestScope | undefined): boolean {
  return scope === undefined || scope.priority === 'background'
}
