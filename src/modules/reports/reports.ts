import type { OrdersChangedHandler } from '#modules/payments'
import type { Caller } from '#platform/caller'
import type { Job } from '#platform/jobs/jobs'
import { type OverviewQuery, readOverview } from './api/overview.ts'
import { readAttention } from './attention/read-attention.ts'
import { factsOfChange } from './daily/facts-of-change.ts'
import { foldJob } from './daily/fold-job.ts'
import { planCountJob } from './daily/plan-count-job.ts'
import type { ReportsDependencies } from './dependencies.ts'
import { queueFacts } from './storage/fact.repository.ts'

export class Reports {
  readonly #deps: ReportsDependencies
  readonly jobs: readonly Job[]

  constructor(deps: ReportsDependencies) {
    this.#deps = deps
    this.jobs = [foldJob(deps), planCountJob(deps)]
  }

  /** Register with `payments.onOrdersChanged`. Waits for nothing. */
  readonly handleOrderChanges: OrdersChangedHandler = async (tx, changes) => {
    const facts = changes.flatMap(factsOfChange)
    if (facts.length > 0) queueFacts(tx, facts)
  }

  overview(caller: Caller, query: OverviewQuery): Promise<object> {
    return readOverview(this.#deps, caller, query)
  }

  attention(caller: Caller): Promise<object> {
    return readAttention(this.#deps, caller)
  }
}
