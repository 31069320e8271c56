import type { Caller } from '#platform/caller'
import type { Job } from '#platform/jobs/jobs'
import type { PageRequest } from '#platform/http/validation/list'
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

/** Cards, their limits and authorizations. Made once, in compose.ts. */
export class Cards {
  readonly #deps: CardsDependencies
  readonly #batches: DecisionQueues
  readonly jobs: readonly Job[]

  constructor(deps: CardsDependencies) {
    this.#deps = deps
    this.#batches = new DecisionQueues((businessId, requests) =>
      deps.db.transact(businessId, (tx) => decideBatch(deps, tx, requests)),
    )
    this.jobs = cardJobs(deps)
  }

  /** POST cards: answers `{card}`. */
  issue(caller: Caller, request: IssueRequest): Promise<object> {
    return issueCard(this.#deps, caller, request)
  }

  /** Endpoint 3: answers the card in the link response's shape. */
  link(caller: Caller, request: LinkRequest): Promise<object> {
    return linkCard(this.#deps, caller, request)
  }

  /** Endpoint 4: answers `{card}`. */
  byId(caller: Caller, id: string): Promise<object> {
    return cardById(this.#deps, caller, id)
  }

  /** GET cards: answers `{cards, page}`. */
  page(caller: Caller, page: PageRequest): Promise<object> {
    return cardsPage(this.#deps, caller, page)
  }

  /** PUT cards/:id: answers `{card}`. */
  edit(caller: Caller, id: string, request: EditRequest): Promise<object> {
    return editCard(this.#deps, caller, id, request)
  }

  /** POST cards/:id/status: answers `{card}`. */
  changeStatus(caller: Caller, id: string, request: StatusRequest): Promise<object> {
    return changeStatus(this.#deps, caller, id, request)
  }

  /** POST cards/:id/limits: answers `{card}`. */
  addLimit(caller: Caller, id: string, request: NewLimit): Promise<object> {
    return addLimit(this.#deps, caller, id, request)
  }

  /** Endpoint 6: answers `{}`. */
  editLimits(caller: Caller, id: string, edits: readonly LimitEdit[], remark: string): Promise<object> {
    return editLimits(this.#deps, caller, id, edits, remark)
  }

  /** Endpoint 5: answers `{limit_history, page}`. */
  limitHistory(caller: Caller, id: string, limitId: string | undefined, page: PageRequest): Promise<object> {
    return limitHistory(this.#deps, caller, id, limitId, page)
  }

  /** POST cards/:id/authorizations: answers `{authorization}`, declined ones too. */
  authorize(caller: Caller, id: string, request: AuthorizeRequest): Promise<{ authorization: object }> {
    return authorize(this.#deps, this.#batches, caller, id, request)
  }

  /** GET cards/:id/authorizations: answers `{authorizations, page}`. */
  authorizations(caller: Caller, id: string, page: PageRequest): Promise<object> {
    return authorizationsPage(this.#deps, caller, id, page)
  }

  /** POST cards/authorizations/:uuid/capture: answers `{authorization}`. */
  capture(caller: Caller, uuid: string, request: CaptureRequest): Promise<object> {
    return captureAuthorization(this.#deps, caller, uuid, request)
  }

  /** POST cards/authorizations/:uuid/refund: answers `{authorization}`. */
  refund(caller: Caller, uuid: string, request: RefundRequest): Promise<object> {
    return refundAuthorization(this.#deps, caller, uuid, request)
  }

  /** POST cards/authorizations/:uuid/reverse: answers `{authorization}`. */
  reverse(caller: Caller, uuid: string, request: ReverseRequest): Promise<object> {
    return reverseAuthorization(this.#deps, caller, uuid, request)
  }

  /** PUT cards/decision_hook: answers `{decision_hook}`, with its secret when it was made now. */
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
