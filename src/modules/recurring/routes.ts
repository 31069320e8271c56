import Type from 'typebox'
import { FilterText, listQuery, ListQuery, PageSchema, readPage } from '#platform/http/list'
import { defineRoute, type Route } from '#platform/http/route'
import { IdParams } from '#platform/http/schemas'
import type { Recurring } from './recurring.ts'
import {
  BillingConfigSchema,
  CancelPlanBody,
  CreateBillingConfigBody,
  CreateItemBody,
  CreatePlanBody,
  CreditPlanBody,
  EditPlanBody,
  EditPlanHeaders,
  ItemSchema,
  PlanSchema,
  PreviewPlanBody,
  PreviewSchema,
  RecurringOrderBody,
  RecurringOrderSchema,
} from './schemas.ts'

const BASE = '/svc/payment/api/v1/openapi/recurring_payments'
const TAG = 'Recurring payments'

const PlanData = Type.Object({ plan: PlanSchema })

export function recurringRoutes(recurring: Recurring): Route[] {
  return [...catalogueRoutes(recurring), ...planRoutes(recurring), ...planActionRoutes(recurring)]
}

function catalogueRoutes(recurring: Recurring): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/items`,
      scope: 'recurring:write',
      summary: 'Create a recurring item',
      tag: TAG,
      body: CreateItemBody,
      data: Type.Object({ recurring_item: ItemSchema }),
      handle: ({ caller, body }) => recurring.createItem(caller, body.recurring_item),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/items`,
      scope: 'recurring:read',
      summary: 'List recurring items',
      tag: TAG,
      query: ListQuery,
      data: Type.Object({ recurring_items: Type.Array(ItemSchema), page: PageSchema }),
      handle: ({ caller, query }) => recurring.itemsPage(caller, readPage('recurring_items', query)),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/billing_configs`,
      scope: 'recurring:write',
      summary: 'Create a billing config',
      tag: TAG,
      body: CreateBillingConfigBody,
      data: Type.Object({ recurring_billing_config: BillingConfigSchema }),
      handle: ({ caller, body }) => recurring.createBillingConfig(caller, body.recurring_billing_config),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/billing_configs`,
      scope: 'recurring:read',
      summary: 'List billing configs',
      tag: TAG,
      query: ListQuery,
      data: Type.Object({ recurring_billing_configs: Type.Array(BillingConfigSchema), page: PageSchema }),
      handle: ({ caller, query }) =>
        recurring.billingConfigsPage(caller, readPage('recurring_billing_configs', query)),
    }),
  ]
}

function planRoutes(recurring: Recurring): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/plan`,
      scope: 'recurring:write',
      summary: 'Create a plan',
      tag: TAG,
      body: CreatePlanBody,
      data: PlanData,
      handle: ({ caller, body }) => recurring.create(caller, body.plan),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/plan`,
      scope: 'recurring:read',
      summary: 'List plans',
      tag: TAG,
      query: listQuery({ filter: FilterText }),
      data: Type.Object({ plans: Type.Array(PlanSchema), page: PageSchema }),
      handle: ({ caller, query }) => recurring.page(caller, query.filter, readPage('recurring_plans', query)),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/plan/:id`,
      scope: 'recurring:read',
      summary: 'Get a plan',
      tag: TAG,
      params: IdParams,
      data: PlanData,
      handle: ({ caller, params }) => recurring.get(caller, params.id),
    }),
    defineRoute({
      method: 'PUT',
      path: `${BASE}/plan/:id`,
      scope: 'recurring:write',
      summary: 'Edit a plan',
      tag: TAG,
      headers: EditPlanHeaders,
      params: IdParams,
      body: EditPlanBody,
      data: PlanData,
      handle: ({ caller, params, body }) => recurring.edit(caller, params.id, body.plan ?? {}),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/plan/preview`,
      scope: 'recurring:read',
      takesIdempotencyKey: false,
      summary: 'Preview the coming orders of a plan',
      tag: TAG,
      body: PreviewPlanBody,
      data: PreviewSchema,
      handle: ({ caller, body }) => recurring.preview(caller, body.plan, body.count),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/orders`,
      scope: 'recurring:read',
      takesIdempotencyKey: false,
      summary: 'Get an order under a plan',
      tag: TAG,
      body: RecurringOrderBody,
      data: RecurringOrderSchema,
      handle: ({ caller, body }) => recurring.order(caller, body),
    }),
  ]
}

function planActionRoutes(recurring: Recurring): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/plan/:id/pause`,
      scope: 'recurring:write',
      summary: 'Pause a plan',
      tag: TAG,
      params: IdParams,
      data: PlanData,
      handle: ({ caller, params }) => recurring.pause(caller, params.id),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/plan/:id/resume`,
      scope: 'recurring:write',
      summary: 'Resume a paused plan',
      tag: TAG,
      params: IdParams,
      data: PlanData,
      handle: ({ caller, params }) => recurring.resume(caller, params.id),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/plan/:id/cancel`,
      scope: 'recurring:write',
      summary: 'Cancel a plan',
      tag: TAG,
      params: IdParams,
      body: CancelPlanBody,
      data: PlanData,
      handle: ({ caller, params, body }) => recurring.cancel(caller, params.id, body.at_period_end ?? false),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/plan/:id/credit`,
      scope: 'recurring:write',
      summary: 'Add credit to a plan',
      tag: TAG,
      params: IdParams,
      body: CreditPlanBody,
      data: PlanData,
      handle: ({ caller, params, body }) => recurring.credit(caller, params.id, body),
    }),
  ]
}
