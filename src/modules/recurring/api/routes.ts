import Type from 'typebox'
import { filteredListQuery, ListQuery, PageSchema, readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import { PLAN_FIELDS } from './queries.ts'
import type { Recurring } from '../recurring.ts'
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
  type NewPlan,
  PlanData,
  PlanSchema,
  PreviewPlanBody,
  PreviewSchema,
  RecurringOrderBody,
  RecurringOrderSchema,
  RetryPlanBody,
} from './schemas.ts'

const BASE = '/svc/payment/api/v1/openapi/recurring_payments'
const TAG = 'Recurring payments'

const PLAN_EXAMPLE: NewPlan = {
  name: 'Membership',
  reference_number: 'm-1001',
  customer_uuid: 'cus_01m82g27rde57v77qfb3qj2d2m',
  default_collection_method: 'charge_automatically',
  payment_retry_count: 3,
  payment_retry_day_period: 2,
  grace_period: 7,
  recurring_cycles: [
    {
      billing_count: null,
      recurring_billing_config: 'FREQ=MONTHLY',
      recurring_items: [{ recurring_item_id: 'rit_01m82g28fyf0nvy1g0k3jq9x6r', quantity: 1 }],
    },
  ],
}

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
      example: { recurring_item: { label: 'Membership', price: 99, currency: 'HKD' } },
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
      example: {
        recurring_billing_config: {
          billing_interval: 'month',
          billing_type: 'calendar',
          billing_day_of_month: 1,
          billing_proration_enabled: true,
        },
      },
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
      description:
        'Cycles follow each other. A second plan with the same `reference_number` is not created: the response is the existing plan with the message `plan has been created`.',
      tag: TAG,
      body: CreatePlanBody,
      example: { plan: PLAN_EXAMPLE },
      data: PlanData,
      handle: ({ caller, body }) => recurring.create(caller, body.plan),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/plan`,
      scope: 'recurring:read',
      summary: 'List plans',
      tag: TAG,
      query: filteredListQuery(PLAN_FIELDS),
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
      example: { plan: { payment_retry_count: 4, callback_url: 'https://shop.example.com/webhooks' } },
      data: PlanData,
      handle: ({ caller, params, body }) => recurring.edit(caller, params.id, body.plan ?? {}),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/plan/preview`,
      scope: 'recurring:read',
      takesIdempotencyKey: false,
      summary: 'Preview the coming orders of a plan',
      description: 'Nothing is stored.',
      tag: TAG,
      body: PreviewPlanBody,
      example: { plan: PLAN_EXAMPLE, count: 12 },
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
      example: {
        customer_uuid: 'cus_01m82g27rde57v77qfb3qj2d2m',
        order: { number: 'ord_01m82g2860ebkb0a930xv66dfr' },
      },
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
      description: 'The plan makes no orders and no attempts until it is resumed.',
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
      description: 'Makes one attempt for each order whose attempts are overdue. The billing dates stay.',
      tag: TAG,
      params: IdParams,
      data: PlanData,
      handle: ({ caller, params }) => recurring.resume(caller, params.id),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/plan/:id/retry`,
      scope: 'recurring:write',
      summary: 'Retry the open orders of a plan now',
      description:
        'The next attempt of an open order is made at once, and counts as the attempt that was scheduled. Its outcome comes with the events of the order.',
      tag: TAG,
      params: IdParams,
      body: RetryPlanBody,
      example: { order_number: 'ord_01m82g2860ebkb0a930xv66dfr' },
      data: PlanData,
      handle: ({ caller, params, body }) => recurring.retry(caller, params.id, body.order_number ?? null),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/plan/:id/cancel`,
      scope: 'recurring:write',
      summary: 'Cancel a plan',
      description:
        'Cancels at once, or at the end of the period. Open orders can be paid until their grace ends.',
      tag: TAG,
      params: IdParams,
      body: CancelPlanBody,
      example: { at_period_end: true },
      data: PlanData,
      handle: ({ caller, params, body }) => recurring.cancel(caller, params.id, body.at_period_end ?? false),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/plan/:id/credit`,
      scope: 'recurring:write',
      summary: 'Add credit to a plan',
      description: 'The next orders use up the credit.',
      tag: TAG,
      params: IdParams,
      body: CreditPlanBody,
      example: { amount: 50, note: 'Thanks for waiting' },
      data: PlanData,
      handle: ({ caller, params, body }) => recurring.credit(caller, params.id, body),
    }),
  ]
}
