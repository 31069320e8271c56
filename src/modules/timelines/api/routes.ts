import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams, UuidParams } from '#platform/http/validation/schemas'
import type { TimelinesDependencies } from '../dependencies.ts'
import { timelineOfCustomer, timelineOfOrder, timelineOfPlan } from '../read-timeline.ts'
import { renderTimeline } from './render.ts'
import { TimelineQuerySchema } from '../past/past-page.ts'
import { OrderNumberParams, TimelineData } from './schemas.ts'

const BASE = '/svc/payment/api/v1/openapi'

export function timelineRoutes(deps: TimelinesDependencies): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/orders/:number/timeline`,
      scope: 'payments:read',
      summary: "Get an order's timeline",
      description: 'What happened to the order, and what happens next and why.',
      tag: 'Orders',
      params: OrderNumberParams,
      query: TimelineQuerySchema,
      data: TimelineData,
      handle: ({ caller, params, query }) => timelineOfOrder(deps, caller, params.number, query),
      render: renderTimeline,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/recurring_payments/plan/:id/timeline`,
      scope: 'recurring:read',
      summary: "Get a plan's timeline",
      description: 'What happened to the plan and its orders, and what happens next and why.',
      tag: 'Recurring payments',
      params: IdParams,
      query: TimelineQuerySchema,
      data: TimelineData,
      handle: ({ caller, params, query }) => timelineOfPlan(deps, caller, params.id, query),
      render: renderTimeline,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/customers/:uuid/timeline`,
      scope: 'customers:read',
      summary: "Get a customer's timeline",
      description:
        'What happened to the orders, plans, documents, messages and payment tokens of the customer, as far as the caller may read them, with the notes.',
      tag: 'Customers',
      params: UuidParams,
      query: TimelineQuerySchema,
      data: TimelineData,
      handle: ({ caller, params, query }) => timelineOfCustomer(deps, caller, params.uuid, query),
      render: renderTimeline,
    }),
  ]
}
