import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { StreamedFile } from '#platform/http/routes/streamed-file'
import type { Job } from '#platform/jobs/jobs'
import type { PageRequest } from '#platform/http/validation/list'
import type { Tx } from '#platform/postgres/database'
import { csvReportOf, entriesOf, reconciliationById, reconciliationsPage, startRuns } from './api/queries.ts'
import type { ReconciliationDependencies } from './dependencies.ts'
import type { Result } from './matching/entry.ts'
import { reconciliationJob } from './run/reconciliation-job.ts'
import { insertRun } from './storage/run.repository.ts'

export class Reconciliations {
  readonly #deps: ReconciliationDependencies
  readonly jobs: readonly Job[]

  constructor(deps: ReconciliationDependencies) {
    this.#deps = deps
    this.jobs = [reconciliationJob(deps)]
  }

  page(caller: Caller, accountId: string | undefined, page: PageRequest): Promise<object> {
    return reconciliationsPage(this.#deps, caller, accountId, page)
  }

  byId(caller: Caller, id: string): Promise<{ reconciliation: object }> {
    return reconciliationById(this.#deps, caller, id)
  }

  entries(caller: Caller, id: string, result: Result | undefined, page: PageRequest): Promise<object> {
    return entriesOf(this.#deps, caller, id, result, page)
  }

  csvReport(caller: Caller, id: string): Promise<StreamedFile> {
    return csvReportOf(this.#deps, caller, id)
  }

  start(caller: Caller, accountId: string | undefined): Promise<object> {
    return startRuns(this.#deps, caller, accountId)
  }

  async onAccountCreated(tx: Tx, accountId: string): Promise<void> {
    const now = realClock.now()
    await insertRun(tx, accountId, now, now.add({ hours: 24 }))
  }
}
