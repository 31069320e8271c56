import Type, { type TObject } from 'typebox'
import type { DocumentedSchemas, JsonValue } from '#platform/http/openapi/schemas'
import { TimestampOut } from '#platform/http/validation/schemas'

/** The types of events, with the shape of their `data`. */
export type EventSchemas = Readonly<Record<string, TObject>>

/** `webhooks` of openapi.json: what receivers are sent of each type of event. */
export function webhooksOf(events: EventSchemas, schemas: DocumentedSchemas): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(events).map(([type, data]) => [type, { post: messageOf(type, data, schemas) }]),
  )
}

function messageOf(type: string, data: TObject, schemas: DocumentedSchemas): JsonValue {
  const body = Type.Object({
    type: Type.Literal(type),
    timestamp: TimestampOut({ description: 'When it happened, by the clock of the business.' }),
    data,
    sequence: Type.Integer({ description: '1, 2, 3 … per object, without gaps.' }),
  })
  return {
    operationId: operationIdOf(type),
    tags: [WEBHOOK_TAG.name],
    summary: type,
    security: [],
    parameters: Object.keys(WEBHOOK_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { 'application/json': { schema: schemas.shown(body) } } },
    responses: { '2XX': { description: 'Received. Anything else is tried again later.' } },
  }
}

/** `card.limit_changed` is `onCardLimitChanged`. */
function operationIdOf(type: string): string {
  const words = type.split(/[._]/)
  return `on${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`
}

export const WEBHOOK_TAG = {
  name: 'Webhooks',
  description:
    'What is posted to endpoints, `notify_url` and `callback_url`, signed as [Standard Webhooks](https://www.standardwebhooks.com) ' +
    'says. Verify the signature over the bytes of the body. A message may come more than once, always with the same ' +
    '`webhook-id`. Those of one object come in the order of `sequence`. Of a message that would be larger than 20 kB ' +
    '`data` holds only what names its resources: fetch them then.',
}

export const WEBHOOK_PARAMETERS = {
  WebhookId: header('webhook-id', 'Of the event; the same whenever it is sent again.'),
  WebhookTimestamp: header('webhook-timestamp', 'When it was sent: seconds since 1970.'),
  WebhookSignature: header(
    'webhook-signature',
    'Such as `v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=`. For a day after a rotation there are two, with a space between.',
  ),
}

function header(name: string, description: string): JsonValue {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}
