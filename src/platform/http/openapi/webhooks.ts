import type { TObject } from 'typebox'
import type { DocumentedSchemas, JsonValue } from '#platform/http/openapi/schemas'

export type EventSchemas = Readonly<Record<string, TObject>>

export function webhooksOf(events: EventSchemas, schemas: DocumentedSchemas): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(events).map(([type, body]) => [type, { post: operationOf(type, body, schemas) }]),
  )
}

function operationOf(type: string, body: TObject, schemas: DocumentedSchemas): JsonValue {
  return {
    operationId: operationIdOf(type),
    tags: [WEBHOOK_TAG.name],
    summary: type,
    security: [],
    parameters: Object.keys(WEBHOOK_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.schemaOrReference(body) } },
    },
    responses: {
      '2XX': { description: 'Received. A 410 disables the endpoint. Any other response is retried.' },
    },
  }
}

function operationIdOf(type: string): string {
  const words = type.split(/[._]/)
  return `on${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`
}

export const WEBHOOK_TAG = {
  name: 'Webhooks',
  description:
    'Messages to endpoints, `notify_url` and `callback_url`, signed as [Standard Webhooks](https://www.standardwebhooks.com) ' +
    'specifies. Verify the signature over the bytes of the body. A message may arrive more than once, always with the ' +
    'same `webhook-id`. The messages of one object arrive in the order of `sequence`. A message that would exceed 20 kB ' +
    'has `truncated: true`, and its `data` holds only the identifiers of the objects: fetch them then.',
}

export const WEBHOOK_PARAMETERS = {
  WebhookId: header('webhook-id', 'The id of the event. Every attempt and redelivery has the same.'),
  WebhookTimestamp: header('webhook-timestamp', 'When the message was sent, in seconds since 1970.'),
  WebhookSignature: header(
    'webhook-signature',
    'For example `v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=`. For a day after a rotation there are two, separated by a space.',
  ),
}

function header(name: string, description: string): JsonValue {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}
