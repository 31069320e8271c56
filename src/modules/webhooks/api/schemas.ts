import Type from 'typebox'
import { filteredListQuery, listQuery } from '#platform/http/validation/list'
import {
  HttpUrl,
  KeyOf,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { DELIVERY_STATES } from '../model/delivery.states.ts'
import { DELIVERY_FIELDS } from '../storage/delivery.repository.ts'
import { EVENTS } from '../model/event-types.ts'

const EventTypeSchema = KeyOf(EVENTS)

export const EventSchema = Resource('Event', {
  id: Type.String(),
  type: EventTypeSchema,
  timestamp: TimestampOut(),
  sequence: Type.Integer({ description: '1, 2, 3 … per object, without gaps.' }),
  object_id: Type.String(),
  data: Type.Unsafe<unknown>(
    Type.Union([...new Set(Object.values(EVENTS)), Type.Object({}, { additionalProperties: false })], {
      description:
        "The object under its resource's name, as responses show it. Empty when the stored document is damaged or was dropped (EVENT_DAYS).",
    }),
  ),
})

export const EventData = Type.Object({ event: EventSchema })

export const EventsQuery = listQuery({
  object_id: Type.Optional(Text({ max: 255 })),
  type: Type.Optional(EventTypeSchema),
})

export const EventQuery = strictObject({
  object_id: Text({
    max: 255,
    description: 'The object of the event: an event is found through its object.',
  }),
})

export const CreateEndpointBody = strictObject({
  endpoint: strictObject({
    url: HttpUrl({ description: 'Events are posted to this URL. It must not be a private address.' }),
    types: Type.Optional(
      Type.Array(EventTypeSchema, { maxItems: 100, description: 'Event types. All when omitted.' }),
    ),
  }),
})

const endpoint = {
  id: Type.String(),
  url: Type.String(),
  types: Type.Array(EventTypeSchema, { description: 'Empty means all types.' }),
  state: OneOf(['active', 'disabled', 'deleted'], {
    description: '`disabled` after the receiver answered 410 Gone.',
  }),
  created_at: TimestampOut(),
}

export const EndpointSchema = Resource('WebhookEndpoint', endpoint)
const EndpointWithSecretSchema = Resource('WebhookEndpointWithSecret', {
  ...endpoint,
  secret: Type.String({
    description: 'Signing secret (Standard Webhooks, whsec_…). Shown only in this response.',
  }),
})

export const EndpointData = Type.Object({ endpoint: EndpointSchema })
export const EndpointWithSecretData = Type.Object({ endpoint: EndpointWithSecretSchema })
export const ENDPOINT_EXISTS = {
  name: 'EndpointExists',
  data: Type.Object({ endpoint: Type.Optional(Type.Object({ id: Type.String() })) }),
}

const AttemptSchema = Resource('DeliveryAttempt', {
  at: TimestampOut(),
  status: Nullable(Type.Integer({ description: 'HTTP status. Null when the receiver did not answer.' })),
  error: Type.Optional(Type.String({ description: 'timeout, connection_refused, redirect_refused, …' })),
  duration_ms: Type.Integer(),
  webhook_timestamp: Type.Optional(
    Type.Integer({ description: 'The signed timestamp in seconds since the epoch, on the real clock.' }),
  ),
  answer: Type.Optional(Type.String({ description: 'The beginning of the response, redacted.' })),
})

const RequestSchema = Type.Object(
  {
    method: Type.String(),
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String(), { description: 'Without the signature.' }),
    body: Type.String({ description: 'The beginning of the body, redacted.' }),
  },
  { description: 'The request of the last attempt. Null before the first.' },
)

export const DeliverySchema = Resource('Delivery', {
  id: Type.String(),
  event_id: Type.String(),
  event_type: EventTypeSchema,
  object_id: Type.String({ description: 'The object of the event.' }),
  url: Type.String(),
  endpoint_id: Type.Optional(Type.String()),
  state: OneOf(DELIVERY_STATES),
  request: Nullable(RequestSchema),
  attempts: Type.Array(AttemptSchema),
  next_attempt_at: Nullable(
    TimestampOut({
      description: 'Null when no attempt is left, or while an earlier event of the object is pending.',
    }),
  ),
  created_at: TimestampOut({ description: 'On the real clock.' }),
})

export const DeliveryData = Type.Object({ delivery: DeliverySchema })

export const DeliveriesQuery = strictObject({
  event_id: Type.Optional(Text({ max: 64 })),
  state: Type.Optional(OneOf(DELIVERY_STATES)),
  ...filteredListQuery(DELIVERY_FIELDS).properties,
})
