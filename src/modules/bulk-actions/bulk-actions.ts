import { realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import { once } from '#platform/idempotency/idempotency'
import type { Job } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { errors } from './api/errors.ts'
import { renderBulkAction, renderSummary } from './api/render.ts'
import type { BulkRequest } from './api/schemas.ts'
import type { BulkAction, BulkOptions, TargetName } from './bulk-action.ts'
import type { BulkActionsDependencies } from './dependencies.ts'
import { bulkJob } from './run/bulk-job.ts'
import { bulkTargets, type BulkTargets } from './run/targets.ts'
import {
  findBulkAction,
  insertBulkAction,
  listBulkActions,
  lockBulkAction,
  saveDecision,
  stoppedBulkActions,
} from './storage/bulk-action.repository.ts'
import { failuresOf, insertItems } from './storage/bulk-item.repository.ts'

export class BulkActions {
  readonly #deps: BulkActionsDependencies
  readonly #targets: BulkTargets
  readonly jobs: readonly Job[]

  constructor(deps: BulkActionsDependencies) {
    this.#deps = deps
    this.#targets = bulkTargets(deps)
    this.jobs = [bulkJob(deps, this.#targets)]
  }

  async create(caller: Caller, target: TargetName, request: BulkRequest): Promise<object> {
    const { ids, filter } = request
    if ((ids === undefined) === (filter === undefined)) {
      throw errors.bulk_selection_invalid({ param: 'bulk_action.filter' })
    }
    // Throws 400 for an invalid filter.
    if (filter !== undefined) await this.#targets[target].select(caller, { filter, cursor: null, limit: 1 })
    return once(this.#deps.db, caller, async (tx) => {
      const action = newBulkAction(tx, caller, target, request)
      const now = realClock.now()
      await insertBulkAction(tx, action, now)
      if (ids !== undefined) await insertItems(tx, action.id, ids, now)
      return { bulk_action: renderBulkAction(action, []) }
    })
  }

  page({ businessId }: Caller, target: TargetName, request: PageRequest): Promise<object> {
    return this.#deps.db.transact(
      businessId,
      async (tx) => {
        const found = await listBulkActions(tx, target, request)
        const { rows, page } = renderPage(
          request,
          found,
          ({ createdAt, id }) => ({ at: createdAt, id }),
          renderSummary,
        )
        return { bulk_actions: rows, page }
      },
      { isSnapshot: true },
    )
  }

  get({ businessId }: Caller, target: TargetName, id: string): Promise<object> {
    return this.#deps.db.transact(
      businessId,
      async (tx) => {
        const [action, failures] = await Promise.all([findBulkAction(tx, target, id), failuresOf(tx, id)])
        if (action === undefined) throw errors.bulk_action_not_found()
        return { bulk_action: renderBulkAction(action, failures) }
      },
      { isSnapshot: true },
    )
  }

  cancel(caller: Caller, target: TargetName, id: string): Promise<object> {
    return once(this.#deps.db, caller, async (tx) => {
      const action = await lockBulkAction(tx, id)
      if (action?.target !== target) throw errors.bulk_action_not_found()
      if (action.state === 'completed' || action.state === 'canceled') throw errors.bulk_action_ended()
      const canceled: BulkAction = { ...action, state: 'canceled', stopReason: null, completedAt: tx.now }
      await saveDecision(tx, canceled)
      return { bulk_action: renderBulkAction(canceled, await failuresOf(tx, id)) }
    })
  }

  takeOver(caller: Caller, target: TargetName, id: string): Promise<object> {
    return once(this.#deps.db, caller, async (tx) => {
      const action = await lockBulkAction(tx, id)
      if (action?.target !== target) throw errors.bulk_action_not_found()
      if (action.state !== 'stopped') throw errors.bulk_action_not_stopped()
      const resumed: BulkAction = {
        ...action,
        state: 'running',
        stopReason: null,
        // The idempotency keys of items belong to the app of the first caller, and their events to its request.
        caller: { ...withoutKey(caller), appId: action.caller.appId, requestId: action.caller.requestId },
        completedAt: null,
      }
      await saveDecision(tx, resumed)
      return { bulk_action: renderBulkAction(resumed, await failuresOf(tx, id)) }
    })
  }

  stopped(tx: Tx, limit: number): ReturnType<typeof stoppedBulkActions> {
    return stoppedBulkActions(tx, limit)
  }
}

function withoutKey({ idempotency: _unused, ...caller }: Caller): BulkAction['caller'] {
  return caller
}

function newBulkAction(tx: Tx, caller: Caller, target: TargetName, request: BulkRequest): BulkAction {
  const options: BulkOptions = {
    ...('note' in request && request.note !== undefined && { note: request.note }),
    ...('at_period_end' in request &&
      request.at_period_end !== undefined && { at_period_end: request.at_period_end }),
  }
  return {
    id: newId('blk'),
    target,
    action: request.action,
    dryRun: request.dry_run ?? false,
    state: request.filter === undefined ? 'running' : 'pending',
    stopReason: null,
    selection: request.filter === undefined ? null : { list: target, filter: request.filter, cursor: null },
    options,
    caller: withoutKey(caller),
    total: new Set(request.ids).size,
    succeeded: 0,
    failed: 0,
    amounts: new Map(),
    createdAt: tx.now,
    completedAt: null,
  }
}
