import type { TObject } from 'typebox'
import { readPage } from '#platform/http/validation/list'
import { defineRoute, type Route, type Scope } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import { TARGET_AREAS, type TargetName } from '../bulk-action.ts'
import type { BulkActions } from '../bulk-actions.ts'
import {
  BulkActionData,
  BulkActionsData,
  BulkActionsQuery,
  type BulkRequest,
  DeliveriesBulkBody,
  PaymentsBulkBody,
  PlansBulkBody,
} from './schemas.ts'

const PAYMENT = '/svc/payment/api/v1/openapi'
const TAG = 'Bulk actions'

interface Target {
  readonly name: TargetName
  readonly path: string
  readonly objects: string
  readonly body: TObject
  readonly example: Readonly<Record<string, unknown>>
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

export function bulkActionRoutes(bulkActions: BulkActions): Route[] {
  return TARGETS.flatMap((target) => routesOf(bulkActions, target))
}

function routesOf(bulkActions: BulkActions, { name, path, objects, body, example }: Target): Route[] {
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
      handle: ({ caller, body: { bulk_action: request } }) =>
        bulkActions.create(caller, name, request as BulkRequest),
    }),
    defineRoute({
      method: 'GET',
      path,
      scope: read,
      summary: `List bulk actions on ${objects}`,
      tag: TAG,
      query: BulkActionsQuery,
      data: BulkActionsData,
      handle: ({ caller, query }) => bulkActions.page(caller, name, readPage(`bulk_actions_${name}`, query)),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:id`,
      scope: read,
      summary: `Get a bulk action on ${objects}`,
      tag: TAG,
      params: IdParams,
      data: BulkActionData,
      handle: ({ caller, params }) => bulkActions.get(caller, name, params.id),
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
      handle: ({ caller, params }) => bulkActions.cancel(caller, name, params.id),
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
      handle: ({ caller, params }) => bulkActions.takeOver(caller, name, params.id),
    }),
  ]
}
