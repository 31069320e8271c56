import { type Body, type Client, pick, type Query, type RequestOptions } from '../client.ts'
import type { components } from '../generated/api.ts'
import { listOf } from '../list.ts'
import type { EventData, EventType } from '../webhooks.ts'

const EVENTS = '/svc/event/api/v1/openapi/events'
const ENDPOINTS = '/svc/event/api/v1/openapi/endpoints'
const DELIVERIES = '/svc/event/api/v1/openapi/deliveries'

/** A listed event, distinguished by `type`. `data` is empty if its document was damaged or dropped (`EVENT_DAYS`). */
export type Event = {
  [Type in EventType]: Omit<components['schemas']['Event'], 'type' | 'data'> & {
    type: Type
    data: Partial<EventData<Type>>
  }
}[EventType]

export function eventsOf(client: Client) {
  return {
    list: (query?: Query<'get', typeof EVENTS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', EVENTS, { query: page }, options),
        ({ events }) => events as Event[],
      ),
    get: async (id: string, query: Query<'get', `${typeof EVENTS}/{id}`>, options?: RequestOptions) =>
      (await pick(client.send('get', `${EVENTS}/{id}`, { path: { id }, query }, options), 'event')) as Event,
  }
}

export function webhookEndpointsOf(client: Client) {
  return {
    /** Returns the endpoint with its secret, which is shown here and after a rotation only. */
    create: (endpoint: Body<'post', typeof ENDPOINTS>['endpoint'], options?: RequestOptions) =>
      pick(client.send('post', ENDPOINTS, { body: { endpoint } }, options), 'endpoint'),
    list: (query?: Query<'get', typeof ENDPOINTS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', ENDPOINTS, { query: page }, options),
        ({ endpoints }) => endpoints,
      ),
    delete: (id: string, options?: RequestOptions) =>
      pick(client.send('delete', `${ENDPOINTS}/{id}`, { path: { id } }, options), 'endpoint'),
    rotateSecret: (id: string, options?: RequestOptions) =>
      pick(client.send('post', `${ENDPOINTS}/{id}/rotate_secret`, { path: { id } }, options), 'endpoint'),
  }
}

export function deliveriesOf(client: Client) {
  return {
    list: (query?: Query<'get', typeof DELIVERIES>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', DELIVERIES, { query: page }, options),
        ({ deliveries }) => deliveries,
      ),
    redeliver: (id: string, options?: RequestOptions) =>
      pick(client.send('post', `${DELIVERIES}/{id}/redeliver`, { path: { id } }, options), 'delivery'),
  }
}
