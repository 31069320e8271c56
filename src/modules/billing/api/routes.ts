import type { Static } from 'typebox'
import { filteredListQuery, readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import type { BillingContext } from '../context.ts'
import { changePlanItems, previewPlanChange, removePendingChange } from '../changes/apply-plan-change.ts'
import { changePaidFirst } from '../changes/change-paid-first.ts'
import { cancelAsAsked, pausePlan, resumePlan } from '../lifecycle/change-lifecycle.ts'
import { retryPlan } from '../dunning/retry-plan.ts'
import {
  createPlan,
  creditPlan,
  editPlan,
  PLAN_FIELDS,
  planById,
  plansOfPage,
  previewPlan,
  readRecurringOrder,
  RecurringOrderBody,
} from '#modules/plans'
import { OTHER_PRICE } from '#modules/catalogue'
import { renderPlanChange, renderPlanChangePreview } from './change.render.ts'
import {
  CHANGE_REFUSED,
  CHANGE_UNPAID,
  ChangePlanBody,
  PlanChangeData,
  PlanChangePreview,
} from './change.schemas.ts'
import {
  renderCreatedPlan,
  renderPlanData,
  renderPlansPage,
  renderPreview,
  renderRecurringOrder,
} from './render.ts'
import { CancelPlanBody } from '../lifecycle/cancel-request.ts'
import { lifecycleRoutes } from './lifecycle/routes.ts'
import { PausePlanBody } from './lifecycle/schemas.ts'
import {
  CreatePlanBody,
  CreditPlanBody,
  EditPlanBody,
  EditPlanHeaders,
  PreviewPlanBody,
  RetryPlanBody,
} from './request-schemas.ts'
import { PlanData, PlansPage, PreviewSchema, RecurringOrderSchema } from './schemas.ts'

const BASE = '/svc/payment/api/v1/openapi/recurring_payments'
const TAG = 'Recurring payments'

const PLAN_EXAMPLE: Static<typeof CreatePlanBody>['plan'] = {
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

const CHANGE_EXAMPLE: Static<typeof ChangePlanBody> = {
  change: { recurring_items: [{ recurring_item_id: 'rit_01m82g28fyf0nvy1g0k3jq9x6r', quantity: 5 }] },
}

export function plansRoutes(ctx: BillingContext): Route[] {
  return [...planRoutes(ctx), ...planActionRoutes(ctx), ...lifecycleRoutes(ctx)]
}

function planRoutes(ctx: BillingContext): Route[] {
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
      failures: { 409: OTHER_PRICE },
      handle: ({ caller, body }) => createPlan(ctx, caller, body.plan),
      render: renderCreatedPlan,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/plan`,
      scope: 'recurring:read',
      summary: 'List plans',
      tag: TAG,
      query: filteredListQuery(PLAN_FIELDS),
      data: PlansPage,
      handle: async ({ caller, query }) => {
        const request = readPage('recurring_plans', query)
        return renderPlansPage(request, await plansOfPage(ctx, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/plan/:id`,
      scope: 'recurring:read',
      summary: 'Get a plan',
      tag: TAG,
      params: IdParams,
      data: PlanData,
      handle: ({ caller, params }) => planById(ctx, caller, params.id),
      render: renderPlanData,
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
      handle: ({ caller, params, body }) => editPlan(ctx, caller, params.id, body.plan ?? {}),
      render: renderPlanData,
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
      failures: { 409: OTHER_PRICE },
      handle: ({ caller, body }) => previewPlan(ctx, caller, body.plan, body.count),
      render: renderPreview,
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
      handle: ({ caller, body }) => readRecurringOrder(ctx, caller, body),
      render: (found) => renderRecurringOrder(ctx.customers, found),
    }),
  ]
}

function planActionRoutes(ctx: BillingContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/plan/:id/pause`,
      scope: 'recurring:write',
      summary: 'Pause a plan',
      description: 'The plan makes no orders and no attempts until it is resumed, by somebody or at `until`.',
      tag: TAG,
      params: IdParams,
      body: PausePlanBody,
      example: { until: '2031-03-01' },
      data: PlanData,
      handle: ({ caller, params, body }) => pausePlan(ctx, caller, params.id, body.until),
      render: renderPlanData,
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
      handle: ({ caller, params }) => resumePlan(ctx, caller, params.id),
      render: renderPlanData,
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
      handle: ({ caller, params, body }) => retryPlan(ctx, caller, params.id, body.order_number ?? null),
      render: renderPlanData,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/plan/:id/cancel`,
      scope: 'recurring:write',
      alsoNeeds: {
        scope: 'payments:write',
        what: '`unused: refund`',
        when: ({ unused }) => unused === 'refund',
      },
      summary: 'Cancel a plan',
      description:
        'Cancels at once, or at the end of the period. Open orders can be paid until their grace ends.',
      tag: TAG,
      params: IdParams,
      body: CancelPlanBody,
      example: { at_period_end: true },
      data: PlanData,
      handle: ({ caller, params, body }) => cancelAsAsked(ctx, caller, params.id, body),
      render: renderPlanData,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/plan/:id/change`,
      scope: 'recurring:write',
      summary: 'Change a plan',
      description:
        'Changes items, quantities or the rhythm, at once or at the end of the period. The difference is billed to the day.',
      tag: TAG,
      params: IdParams,
      body: ChangePlanBody,
      example: CHANGE_EXAMPLE,
      data: PlanChangeData,
      failures: { 402: CHANGE_UNPAID, 409: CHANGE_REFUSED },
      handle: ({ caller, params, body }) =>
        body.change.only_if_paid === true
          ? changePaidFirst(ctx, caller, params.id, body.change)
          : changePlanItems(ctx, caller, params.id, body.change),
      render: renderPlanChange,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/plan/:id/change/preview`,
      scope: 'recurring:read',
      summary: 'Preview a change of a plan',
      description:
        'The lines and the total of the change, and the next three orders after it. Nothing is stored.',
      tag: TAG,
      params: IdParams,
      body: ChangePlanBody,
      example: CHANGE_EXAMPLE,
      data: PlanChangePreview,
      failures: { 409: CHANGE_REFUSED },
      handle: ({ caller, params, body }) => previewPlanChange(ctx, caller, params.id, body.change),
      render: renderPlanChangePreview,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${BASE}/plan/:id/change`,
      scope: 'recurring:write',
      summary: 'Remove a scheduled change',
      tag: TAG,
      params: IdParams,
      data: PlanData,
      handle: ({ caller, params }) => removePendingChange(ctx, caller, params.id),
      render: renderPlanData,
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
      handle: ({ caller, params, body }) => creditPlan(ctx, caller, params.id, body),
      render: renderPlanData,
    }),
  ]
}
