import Type from 'typebox'
import { listQuery } from '#platform/http/validation/list'
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
import { DELIVERY_STATES } from '../delivery/delivery.states.ts'
import { EVENTS } from '../event-types.ts'

const EventTypeSchema = KeyOf(EVENTS)

export const EventSchema = Resource('Event', {
  id: Type.String(),
  type: EventTypeSchema,
  timestamp: TimestampOut(),
  sequence: Type.Integer({ description: '1, 2, 3 … per object, without gaps.' }),
  object_id: Type.String(),
  data: Type.Union([...new Set(Object.values(EVENTS)), Type.Object({}, { additionalProperties: false })], {
    description:
      "The object under its resource's name, as answers show it. Empty when it was damaged and cannot be read.",
  }),
})

export const EventsQuery = listQuery({
  object_id: Type.Optional(Text({ max: 255 })),
  type: Type.Optional(EventTypeSchema),
})

export const CreateEndpointBody = strictObject({
  endpoint: strictObject({
    url: HttpUrl({ description: 'Where events are posted to. Not a private address.' }),
    types: Type.Optional(
      Type.Array(EventTypeSchema, { maxItems: 100, description: 'Event types; all when left out.' }),
    ),
  }),
})

const endpoint = {
  id: Type.String(),
  url: Type.String(),
  types: Type.Array(EventTypeSchema, { description: 'Empty: all types.' }),
  state: OneOf(['active', 'disabled', 'deleted'], {
    description: 'disabled: the receiver answered 410 Gone.',
  }),
  created_at: TimestampOut(),
}

export const EndpointSchema = Resource('WebhookEndpoint', endpoint)
export const EndpointWithSecretSchema = Resource('WebhookEndpointWithSecret', {
  ...endpoint,
  secret: Type.String({ description: 'Signing secret (Standard Webhooks, whsec_…). Shown only here.' }),
})

const AttemptSchema = Resource('DeliveryAttempt', {
  at: TimestampOut(),
  status: Nullable(Type.Integer({ description: 'HTTP status; null when there was no answer.' })),
  error: Type.Optional(Type.String({ description: 'timeout, connection_refused, redirect_refused, …' })),
  duration_ms: Type.Integer(),
  webhook_timestamp: Type.Optional(
    Type.Integer({ description: 'What it was signed with: seconds since the epoch, on the real clock.' }),
  ),
  answer: Type.Optional(Type.String({ description: 'The beginning of the answer, redacted.' })),
})

const RequestSchema = Type.Object(
  {
    method: Type.String(),
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String(), { description: 'Without the signature.' }),
    body: Type.String({ description: 'The beginning of the body, redacted.' }),
  },
  { description: 'What the last attempt sent; null before the first.' },
)

export const DeliverySchema = Resource('Delivery', {
  id: Type.String(),
  event_id: Type.String(),
  url: Type.String(),
  endpoint_id: Type.Optional(Type.String()),
  state: OneOf(DELIVERY_STATES),
  request: Nullable(RequestSchema),
  attempts: Type.Array(AttemptSchema),
  next_attempt_at: Nullable(
    TimestampOut({
      description: 'Null when there is none, or while an earlier event of the object waits.',
    }),
  ),
})

export const DeliveriesQuery = listQuery({
  event_id: Type.Optional(Text({ max: 64 })),
  state: Type.Optional(OneOf(DELIVERY_STATES)),
})
