import type { Caller } from '#platform/caller'
import { readPage } from '#platform/http/validation/list'
import type { Amounts, BulkAction, CallerWith, TargetName } from '../model/bulk-action.ts'
import type { BulkActionsDependencies } from '../dependencies.ts'
import { performOnPayments, previewOnPayments } from './payment-items.ts'

interface SelectionRequest {
  readonly filter: string
  readonly cursor: string | null
  readonly limit: number
}

/**
 * - `select`: A page of ids, newest first, as the list with this filter has them.
 * - `perform`: Does an item under `key`. Throws what its API operation throws, also a stored reply.
 * - `preview`: Throws what `perform` would throw, and changes nothing.
 */
export interface BulkTarget {
  select(caller: Caller, request: SelectionRequest): Promise<SelectedPage>
  perform(action: BulkAction, id: string, callerWith: CallerWith): Promise<Amounts>
  preview(action: BulkAction, id: string): Promise<Amounts>
}

interface SelectedPage {
  readonly ids: readonly string[]
  readonly nextCursor: string | null
}

export type BulkTargets = Readonly<Record<TargetName, BulkTarget>>

const NONE: Amounts = new Map()

export function bulkTargets(deps: BulkActionsDependencies): BulkTargets {
  const { businesses, payments, billing, webhooks } = deps
  return {
    payments: {
      select: async (caller, request) => {
        const found = await payments.orderIdsPage(caller, request.filter, pageRequest('bulk_orders', request))
        return { ids: found.ids, nextCursor: found.page.next_cursor }
      },
      perform: (action, id, callerWith) => performOnPayments(deps, action, id, callerWith),
      preview: (action, id) => previewOnPayments(deps, action, id),
    },
    plans: {
      select: async (caller, request) => {
        const found = await billing.planIds(caller, request.filter, pageRequest('bulk_plans', request))
        return { ids: found.ids, nextCursor: found.page.next_cursor }
      },
      perform: async ({ options: { at_period_end } }, id, callerWith) => {
        await billing.cancel(keepingNoReply(callerWith()), id, at_period_end ?? false)
        return NONE
      },
      preview: async ({ caller, options: { at_period_end } }, id) => {
        await billing.previewCancel(caller, id, at_period_end ?? false)
        return NONE
      },
    },
    deliveries: {
      select: async (caller, request) => {
        const { timeZone } = await businesses.profile(caller.businessId)
        const found = await webhooks.deliveryIds(
          caller,
          { filter: request.filter, timeZone },
          pageRequest('bulk_deliveries', request),
        )
        return { ids: found.ids, nextCursor: found.page.next_cursor }
      },
      perform: async (_action, id, callerWith) => {
        await webhooks.redeliver(keepingNoReply(callerWith()), id)
        return NONE
      },
      preview: async ({ caller }, id) => {
        await webhooks.previewRedelivery(caller, id)
        return NONE
      },
    },
  }
}

/** The key of an item shows only that the item was done. */
function keepingNoReply({ idempotency, ...caller }: Caller): Caller {
  return { ...caller, ...(idempotency && { idempotency: { ...idempotency, render: () => ({}) } }) }
}

function pageRequest(list: string, { cursor, limit }: SelectionRequest) {
  return readPage(list, { limit, ...(cursor !== null && { cursor }) })
}
