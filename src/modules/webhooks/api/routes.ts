import Type from 'typebox'
import { filteredListQuery, PageSchema, readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import type { WebhooksContext } from '../context.ts'
import { deliveriesOfPage } from '../lists/list-deliveries.ts'
import { createEndpoint } from '../endpoints/create-endpoint.ts'
import { deleteEndpoint } from '../endpoints/delete-endpoint.ts'
import { endpointsOfPage } from '../lists/list-endpoints.ts'
import { rotateSecret } from '../endpoints/rotate-secret.ts'
import { eventOfObject, eventsOfPage } from '../lists/list-events.ts'
import { redeliver } from '../queue/redeliver.ts'
import {
  renderDeletedEndpoint,
  renderDeliveriesPage,
  renderDeliveryData,
  renderEndpointsPage,
  renderEventData,
  renderEventsPage,
  renderShownEndpoint,
} from './render.ts'
import {
  CreateEndpointBody,
  DeliveriesQuery,
  DeliveryData,
  DeliverySchema,
  ENDPOINT_EXISTS,
  EndpointData,
  EndpointSchema,
  EndpointWithSecretData,
  EventData,
  EventQuery,
  EventSchema,
  EventsQuery,
} from './schemas.ts'
import { ENDPOINT_FIELDS } from '../storage/endpoint.repository.ts'

const BASE = '/svc/event/api/v1/openapi'
const TAG = 'Events'

export function webhookRoutes(ctx: WebhooksContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/events`,
      scope: 'webhooks:read',
      summary: 'List events',
      tag: TAG,
      query: EventsQuery,
      data: Type.Object({ events: Type.Array(EventSchema), page: PageSchema }),
      handle: async ({ caller, query }) => {
        const filter = { objectId: query.object_id, type: query.type }
        const request = readPage(query.object_id === undefined ? 'events' : 'events_of_object', query)
        return renderEventsPage(filter, request, await eventsOfPage(ctx, caller, filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/events/:id`,
      scope: 'webhooks:read',
      summary: 'Get an event',
      tag: TAG,
      params: IdParams,
      query: EventQuery,
      data: EventData,
      handle: ({ caller, params, query }) => eventOfObject(ctx, caller, query.object_id, params.id),
      render: renderEventData,
    }),
    ...endpointRoutes(ctx),
    ...deliveryRoutes(ctx),
  ]
}

function endpointRoutes(ctx: WebhooksContext): Route[] {
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
      data: EndpointWithSecretData,
      failures: { 409: ENDPOINT_EXISTS },
      handle: ({ caller, body }) => createEndpoint(ctx, caller, body.endpoint),
      render: renderShownEndpoint,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/endpoints`,
      scope: 'webhooks:read',
      summary: 'List endpoints',
      tag: TAG,
      query: filteredListQuery(ENDPOINT_FIELDS),
      data: Type.Object({ endpoints: Type.Array(EndpointSchema), page: PageSchema }),
      handle: async ({ caller, query }) => {
        const request = readPage('endpoints', query)
        return renderEndpointsPage(request, await endpointsOfPage(ctx, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${BASE}/endpoints/:id`,
      scope: 'webhooks:write',
      summary: 'Delete an endpoint',
      tag: TAG,
      params: IdParams,
      data: EndpointData,
      handle: ({ caller, params }) => deleteEndpoint(ctx, caller, params.id),
      render: renderDeletedEndpoint,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/endpoints/:id/rotate_secret`,
      scope: 'webhooks:write',
      summary: "Rotate an endpoint's secret",
      description: 'The previous secret also signs for 24 hours or until the next rotation.',
      tag: TAG,
      params: IdParams,
      data: EndpointWithSecretData,
      handle: ({ caller, params }) => rotateSecret(ctx, caller, params.id),
      render: renderShownEndpoint,
    }),
  ]
}

function deliveryRoutes(ctx: WebhooksContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/deliveries`,
      scope: 'webhooks:read',
      summary: 'List deliveries',
      tag: TAG,
      query: DeliveriesQuery,
      data: Type.Object({ deliveries: Type.Array(DeliverySchema), page: PageSchema }),
      handle: async ({ caller, query }) => {
        const filter = { eventId: query.event_id, state: query.state, filter: query.filter }
        const request = readPage('deliveries', query)
        return renderDeliveriesPage(request, await deliveriesOfPage(ctx, caller, filter, request))
      },
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
      data: DeliveryData,
      handle: ({ caller, params }) => redeliver(ctx, caller, params.id),
      render: renderDeliveryData,
    }),
  ]
}
