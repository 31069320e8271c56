import type { Static } from 'typebox'
import { readPage } from '#platform/http/validation/list'
import { defineRoute, type Route, type Scope } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import { cancelBulkAction, takeOverBulkAction } from '../actions/change-bulk-action.ts'
import { createBulkAction } from '../actions/create-bulk-action.ts'
import { bulkActionById, bulkActionsOfPage } from '../actions/read-bulk-actions.ts'
import { TARGET_AREAS, type TargetName } from '../model/bulk-action.ts'
import type { BulkActionsContext } from '../context.ts'
import { renderBulkActionData, renderBulkActionsPage } from './render.ts'
import {
  BulkActionData,
  BulkActionsData,
  BulkActionsQuery,
  DeliveriesBulkBody,
  PaymentsBulkBody,
  PlansBulkBody,
} from './schemas.ts'

const PAYMENT = '/svc/payment/api/v1/openapi'
const TAG = 'Bulk actions'

type BulkBody = typeof PaymentsBulkBody | typeof PlansBulkBody | typeof DeliveriesBulkBody

interface Target {
  readonly name: TargetName
  readonly path: string
  readonly objects: string
  readonly body: BulkBody
  readonly example: Static<BulkBody>
}

const TARGETS: readonly Target[] = [
  {
    name: 'payments',
    path: `${PAYMENT}/bulk_actions`,
    objects: 'orders and transactions',
    body: PaymentsBulkBody,
    example: { bulk_action: { action: 'refund', filter: 'reference_number = "fair-*"', dry_run: true } },
  },
  {
    name: 'plans',
    path: `${PAYMENT}/recurring_payments/bulk_actions`,
    objects: 'plans',
    body: PlansBulkBody,
    example: { bulk_action: { action: 'cancel', filter: 'name = "Gold"', at_period_end: true } },
  },
  {
    name: 'deliveries',
    path: '/svc/event/api/v1/openapi/bulk_actions',
    objects: 'deliveries',
    body: DeliveriesBulkBody,
    example: { bulk_action: { action: 'redeliver', filter: 'state = "exhausted"' } },
  },
]

export function bulkActionRoutes(ctx: BulkActionsContext): Route[] {
  return TARGETS.flatMap((target) => routesOf(ctx, target))
}

function routesOf(ctx: BulkActionsContext, { name, path, objects, body, example }: Target): Route[] {
  const write: Scope = `${TARGET_AREAS[name]}:write`
  const read: Scope = `${TARGET_AREAS[name]}:read`
  return [
    defineRoute({
      method: 'POST',
      path,
      scope: write,
      summary: `Act on many ${objects}`,
      description:
        'Select up to 10,000 objects by `ids`, or any number by `filter`. The work goes on in the background, each object once, also after a crash.',
      tag: TAG,
      body,
      example,
      data: BulkActionData,
      handle: ({ caller, body: { bulk_action: request } }) => createBulkAction(ctx, caller, name, request),
      render: renderBulkActionData,
    }),
    defineRoute({
      method: 'GET',
      path,
      scope: read,
      summary: `List bulk actions on ${objects}`,
      tag: TAG,
      query: BulkActionsQuery,
      data: BulkActionsData,
      handle: async ({ caller, query }) => {
        const request = readPage(`bulk_actions_${name}`, query)
        return renderBulkActionsPage(request, await bulkActionsOfPage(ctx, caller, name, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:id`,
      scope: read,
      summary: `Get a bulk action on ${objects}`,
      tag: TAG,
      params: IdParams,
      data: BulkActionData,
      handle: ({ caller, params }) => bulkActionById(ctx, caller, name, params.id),
      render: renderBulkActionData,
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:id/cancel`,
      scope: write,
      summary: `Cancel a bulk action on ${objects}`,
      description: 'Objects that are under way are finished, and nothing that was done is undone.',
      tag: TAG,
      params: IdParams,
      data: BulkActionData,
      handle: ({ caller, params }) => cancelBulkAction(ctx, caller, name, params.id),
      render: renderBulkActionData,
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:id/take_over`,
      scope: write,
      summary: `Take over a stopped bulk action on ${objects}`,
      description: 'Does the rest of the objects, each once, as the caller of this request.',
      tag: TAG,
      params: IdParams,
      data: BulkActionData,
      handle: ({ caller, params }) => takeOverBulkAction(ctx, caller, name, params.id),
      render: renderBulkActionData,
    }),
  ]
}
