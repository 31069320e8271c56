import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import type { Timelines } from '../timelines.ts'
import { OrderNumberParams, TimelineData, TimelineQuery } from './schemas.ts'

const BASE = '/svc/payment/api/v1/openapi'

export function timelineRoutes(timelines: Timelines): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/orders/:number/timeline`,
      scope: 'payments:read',
      summary: "Get an order's timeline",
      description: 'What happened to the order, and what happens next and why.',
      tag: 'Orders',
      params: OrderNumberParams,
      query: TimelineQuery,
      data: TimelineData,
      handle: ({ caller, params, query }) => timelines.ofOrder(caller, params.number, query),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/recurring_payments/plan/:id/timeline`,
      scope: 'recurring:read',
      summary: "Get a plan's timeline",
      description: 'What happened to the plan and its orders, and what happens next and why.',
      tag: 'Recurring payments',
      params: IdParams,
      query: TimelineQuery,
      data: TimelineData,
      handle: ({ caller, params, query }) => timelines.ofPlan(caller, params.id, query),
    }),
  ]
}
