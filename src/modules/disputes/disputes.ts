import { type Instant, realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { Job } from '#platform/jobs/jobs'
import type { PageRequest } from '#platform/http/validation/list'
import type { Search, SearchHit } from '#platform/search/search'
import type { Tx } from '#platform/postgres/database'
import { disputeById, disputesPage } from './api/list-disputes.ts'
import type { EvidenceRequest } from './api/schemas.ts'
import type { DisputesDependencies } from './dependencies.ts'
import { editEvidence } from './evidence/edit-evidence.ts'
import { submissionJob } from './evidence/submission-job.ts'
import { submitEvidence } from './evidence/submit-evidence.ts'
import type { Dispute } from './model/dispute.ts'
import { refreshJob } from './refresh/refresh-job.ts'
import { scanJob } from './refresh/scan-job.ts'
import { findByReferences, findDueUntil, findOfOrders, listLost } from './storage/dispute.repository.ts'
import { scheduleRefresh } from './storage/refresh.repository.ts'
import { startScans } from './storage/scan.repository.ts'
import { searchDisputes } from './storage/search.repository.ts'

export class Disputes {
  readonly #deps: DisputesDependencies
  readonly jobs: readonly Job[]

  constructor(deps: DisputesDependencies) {
    this.#deps = deps
    this.jobs = [submissionJob(deps), refreshJob(deps), scanJob(deps)]
  }

  search(tx: Tx, search: Search): Promise<SearchHit[]> {
    return searchDisputes(tx, search)
  }

  page(caller: Caller, filter: string | undefined, page: PageRequest): Promise<object> {
    return disputesPage(this.#deps, caller, filter, page)
  }

  byId(caller: Caller, id: string): Promise<{ dispute: object }> {
    return disputeById(this.#deps, caller, id)
  }

  editEvidence(caller: Caller, id: string, evidence: EvidenceRequest): Promise<{ dispute: object }> {
    return editEvidence(this.#deps, caller, id, evidence)
  }

  submit(caller: Caller, id: string): Promise<{ dispute: object }> {
    return submitEvidence(this.#deps, caller, id)
  }

  async onNotice(tx: Tx, accountId: string, reference: string): Promise<void> {
    await scheduleRefresh(tx, accountId, reference)
  }

  async onAccountCreated(tx: Tx, accountId: string): Promise<void> {
    await startScans(tx, accountId, realClock.now().add({ hours: 24 }))
  }

  findByReferences(tx: Tx, accountId: string, references: readonly string[]): Promise<Dispute[]> {
    return findByReferences(tx, accountId, references)
  }

  ofOrders(tx: Tx, orderIds: readonly string[]): Promise<Dispute[]> {
    return findOfOrders(tx, orderIds)
  }

  dueUntil(tx: Tx, until: Instant, limit: number): Promise<Dispute[]> {
    return findDueUntil(tx, until, limit)
  }

  listLost(tx: Tx, accountId: string, page: Parameters<typeof listLost>[2]): Promise<Dispute[]> {
    return listLost(tx, accountId, page)
  }
}
