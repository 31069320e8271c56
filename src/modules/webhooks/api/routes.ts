import Type from 'typebox'
import { filteredListQuery, PageSchema, readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import {
  CreateEndpointBody,
  DeliveriesQuery,
  DeliverySchema,
  EndpointSchema,
  EndpointWithSecretSchema,
  EventQuery,
  EventSchema,
  EventsQuery,
} from './schemas.ts'
import { ENDPOINT_FIELDS } from '../storage/endpoint.repository.ts'
import type { Webhooks } from '../webhooks.ts'

const BASE = '/svc/event/api/v1/openapi'
const TAG = 'Events'

export function webhookRoutes(webhooks: Webhooks): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/events`,
      scope: 'webhooks:read',
      summary: 'List events',
      tag: TAG,
      query: EventsQuery,
      data: Type.Object({ events: Type.Array(EventSchema), page: PageSchema }),
      handle: ({ caller, query }) =>
        webhooks.events(
          caller,
          { objectId: query.object_id, type: query.type },
          readPage(query.object_id === undefined ? 'events' : 'events_of_object', query),
        ),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/events/:id`,
      scope: 'webhooks:read',
      summary: 'Get an event',
      tag: TAG,
      params: IdParams,
      query: EventQuery,
      data: Type.Object({ event: EventSchema }),
      handle: ({ caller, params, query }) => webhooks.event(caller, query.object_id, params.id),
    }),
    ...endpointRoutes(webhooks),
    ...deliveryRoutes(webhooks),
  ]
}

function endpointRoutes(webhooks: Webhooks): Route[] {
  const WithSecret = Type.Object({ endpoint: EndpointWithSecretSchema })
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/endpoints`,
      scope: 'webhooks:write',
      summary: 'Register an endpoint',
      description: 'Future events are posted to it, signed as Standard Webhooks specifies.',
      tag: TAG,
      body: CreateEndpointBody,
      example: {
        endpoint: { url: 'https://shop.example.com/webhooks', types: ['order.paid', 'transaction.failed'] },
      },
      data: WithSecret,
      handle: ({ caller, body }) => webhooks.createEndpoint(caller, body.endpoint),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/endpoints`,
      scope: 'webhooks:read',
      summary: 'List endpoints',
      tag: TAG,
      query: filteredListQuery(ENDPOINT_FIELDS),
      data: Type.Object({ endpoints: Type.Array(EndpointSchema), page: PageSchema }),
      handle: ({ caller, query }) => webhooks.endpoints(caller, query.filter, readPage('endpoints', query)),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${BASE}/endpoints/:id`,
      scope: 'webhooks:write',
      summary: 'Delete an endpoint',
      tag: TAG,
      params: IdParams,
      data: Type.Object({ endpoint: EndpointSchema }),
      handle: ({ caller, params }) => webhooks.deleteEndpoint(caller, params.id),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/endpoints/:id/rotate_secret`,
      scope: 'webhooks:write',
      summary: "Rotate an endpoint's secret",
      description: 'The previous secret also signs for 24 hours or until the next rotation.',
      tag: TAG,
      params: IdParams,
      data: WithSecret,
      handle: ({ caller, params }) => webhooks.rotateSecret(caller, params.id),
    }),
  ]
}

function deliveryRoutes(webhooks: Webhooks): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/deliveries`,
      scope: 'webhooks:read',
      summary: 'List deliveries',
      tag: TAG,
      query: DeliveriesQuery,
      data: Type.Object({ deliveries: Type.Array(DeliverySchema), page: PageSchema }),
      handle: ({ caller, query }) =>
        webhooks.deliveries(
          caller,
          { eventId: query.event_id, state: query.state, filter: query.filter },
          readPage('deliveries', query),
        ),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/deliveries/:id/redeliver`,
      scope: 'webhooks:write',
      summary: 'Redeliver',
      description:
        'Sends an exhausted or delivered event again. A delivery that waits for a retry is attempted now.',
      tag: TAG,
      params: IdParams,
      data: Type.Object({ delivery: DeliverySchema }),
      handle: ({ caller, params }) => webhooks.redeliver(caller, params.id),
    }),
  ]
}
