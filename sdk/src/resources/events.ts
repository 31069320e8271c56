import { type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { del, list, post } from '../methods.ts'
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

export const events = {
  list: (client: Client) => (query?: Query<'get', typeof EVENTS>, options?: RequestOptions) =>
    listOf(
      query,
      (page) => client.send('get', EVENTS, { query: page }, options),
      (data) => data.events as Event[],
    ),
  get:
    (client: Client) =>
    async (id: string, query: Query<'get', `${typeof EVENTS}/{id}`>, options?: RequestOptions) =>
      (await pick(client.send('get', `${EVENTS}/{id}`, { path: { id }, query }, options), 'event')) as Event,
}

export const webhookEndpoints = {
  /** Returns the endpoint with its secret, which is shown here and after a rotation only. */
  create: post(ENDPOINTS, (endpoint) => ({ body: { endpoint } }), 'endpoint'),
  list: list(ENDPOINTS, (query?) => ({ query }), 'endpoints'),
  delete: del(`${ENDPOINTS}/{id}`, (id) => ({ path: { id } }), 'endpoint'),
  rotateSecret: post(`${ENDPOINTS}/{id}/rotate_secret`, (id) => ({ path: { id } }), 'endpoint'),
}

export const deliveries = {
  list: list(DELIVERIES, (query?) => ({ query }), 'deliveries'),
  redeliver: post(`${DELIVERIES}/{id}/redeliver`, (id) => ({ path: { id } }), 'delivery'),
}
