import type { Caller } from '#platform/caller'
import type { Job } from '#platform/jobs/jobs'
import type { PageRequest } from '#platform/http/validation/list'
import type { Search, SearchHit } from '#platform/search/search'
import type { Tx } from '#platform/postgres/database'
import { authorize, type AuthorizeRequest } from './decisions/authorize.ts'
import { changeStatus, type StatusRequest } from './cards/change-status.ts'
import { decideBatch } from './decisions/decide-batch.ts'
import { DecisionQueues } from './decisions/decision-queue.ts'
import { getHook, type HookRequest, putHook, removeHook } from './hooks/decision-hook.ts'
import { cardJobs } from './jobs.ts'
import { editCard, type EditRequest } from './cards/edit-card.ts'
import { addLimit, editLimits, type LimitEdit } from './limits/edit-limits.ts'
import { issueCard, type IssueRequest } from './cards/issue-card.ts'
import type { NewLimit } from './limits/limit.ts'
import { linkCard, type LinkRequest } from './cards/link-card.ts'
import { authorizationsPage, cardById, cardsPage, limitHistory } from './api/queries.ts'
import type { CardsDependencies } from './dependencies.ts'
import {
  captureAuthorization,
  type CaptureRequest,
  refundAuthorization,
  type RefundRequest,
  reverseAuthorization,
  type ReverseRequest,
} from './authorizations/operate.ts'
import { searchCards } from './storage/search.repository.ts'

export class Cards {
  readonly #deps: CardsDependencies
  readonly #queues: DecisionQueues
  readonly jobs: readonly Job[]

  constructor(deps: CardsDependencies) {
    this.#deps = deps
    this.#queues = new DecisionQueues((businessId, requests) =>
      deps.db.transact(businessId, (tx) => decideBatch(deps, tx, requests)),
    )
    this.jobs = cardJobs(deps)
  }

  issue(caller: Caller, request: IssueRequest): Promise<object> {
    return issueCard(this.#deps, caller, request)
  }

  link(caller: Caller, request: LinkRequest): Promise<object> {
    return linkCard(this.#deps, caller, request)
  }

  byId(caller: Caller, id: string): Promise<object> {
    return cardById(this.#deps, caller, id)
  }

  search(tx: Tx, search: Search): Promise<SearchHit[]> {
    return searchCards(tx, search)
  }

  page(caller: Caller, filter: string | undefined, page: PageRequest): Promise<object> {
    return cardsPage(this.#deps, caller, filter, page)
  }

  edit(caller: Caller, id: string, request: EditRequest): Promise<object> {
    return editCard(this.#deps, caller, id, request)
  }

  changeStatus(caller: Caller, id: string, request: StatusRequest): Promise<object> {
    return changeStatus(this.#deps, caller, id, request)
  }

  addLimit(caller: Caller, id: string, request: NewLimit): Promise<object> {
    return addLimit(this.#deps, caller, id, request)
  }

  editLimits(caller: Caller, id: string, edits: readonly LimitEdit[], remark: string): Promise<object> {
    return editLimits(this.#deps, caller, id, edits, remark)
  }

  limitHistory(caller: Caller, id: string, limitId: string | undefined, page: PageRequest): Promise<object> {
    return limitHistory(this.#deps, caller, id, limitId, page)
  }

  authorize(caller: Caller, id: string, request: AuthorizeRequest): Promise<{ authorization: object }> {
    return authorize(this.#deps, this.#queues, caller, id, request)
  }

  authorizations(caller: Caller, id: string, page: PageRequest): Promise<object> {
    return authorizationsPage(this.#deps, caller, id, page)
  }

  capture(caller: Caller, uuid: string, request: CaptureRequest): Promise<object> {
    return captureAuthorization(this.#deps, caller, uuid, request)
  }

  refund(caller: Caller, uuid: string, request: RefundRequest): Promise<object> {
    return refundAuthorization(this.#deps, caller, uuid, request)
  }

  reverse(caller: Caller, uuid: string, request: ReverseRequest): Promise<object> {
    return reverseAuthorization(this.#deps, caller, uuid, request)
  }

  putHook(caller: Caller, request: HookRequest): Promise<object> {
    return putHook(this.#deps, caller, request)
  }

  getHook(caller: Caller): Promise<object> {
    return getHook(this.#deps, caller)
  }

  removeHook(caller: Caller): Promise<object> {
    return removeHook(this.#deps, caller)
  }
}
