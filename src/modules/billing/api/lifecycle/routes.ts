import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import type { BillingContext } from '../../context.ts'
import { moveTrial, reactivatePlan, uncancelPlan } from '../../lifecycle/change-lifecycle.ts'
import { MoveTrialBody, ReactivatePlanBody } from './schemas.ts'
import { renderPlanData } from '../render.ts'
import { PlanData } from '../schemas.ts'

const PLAN = '/svc/payment/api/v1/openapi/recurring_payments/plan/:id'
const TAG = 'Recurring payments'

export function lifecycleRoutes(ctx: BillingContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${PLAN}/uncancel`,
      scope: 'recurring:write',
      summary: 'Take back the cancellation of a plan',
      description: 'Removes `cancel_at`, so that the plan goes on.',
      tag: TAG,
      params: IdParams,
      data: PlanData,
      handle: ({ caller, params }) => uncancelPlan(ctx, caller, params.id),
      render: renderPlanData,
    }),
    defineRoute({
      method: 'POST',
      path: `${PLAN}/trial`,
      scope: 'recurring:write',
      summary: 'Move the end of a trial',
      description:
        'An end that is not after now ends the trial at once. A cancellation at its end moves with it.',
      tag: TAG,
      params: IdParams,
      body: MoveTrialBody,
      example: { trial: { until: '2031-02-14' } },
      data: PlanData,
      handle: ({ caller, params, body }) => moveTrial(ctx, caller, params.id, body.trial.until),
      render: renderPlanData,
    }),
    defineRoute({
      method: 'POST',
      path: `${PLAN}/reactivate`,
      scope: 'recurring:write',
      summary: 'Reactivate a plan that has ended',
      description:
        'A canceled or written-off plan goes on with its last items, discount and what is left of its count.',
      tag: TAG,
      params: IdParams,
      body: ReactivatePlanBody,
      example: { from: 'now' },
      data: PlanData,
      handle: ({ caller, params, body }) => reactivatePlan(ctx, caller, params.id, body.from ?? 'now'),
      render: renderPlanData,
    }),
  ]
}
