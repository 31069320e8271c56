import Type, { type TObject } from 'typebox'
import { Resource, TimestampOut } from '#platform/http/validation/schemas'
import { EVENTS } from '../model/event-types.ts'
import { IDENTIFIERS } from './identifiers.ts'

export const MESSAGE_SCHEMAS: Readonly<Record<string, TObject>> = Object.fromEntries(
  Object.entries(EVENTS).map(([type, data]) => [type, messageSchema(type, data)]),
)

function messageSchema(type: string, data: TObject): TObject {
  return Type.Object({
    type: Type.Literal(type),
    timestamp: TimestampOut({ description: 'When it happened, on the clock of the business.' }),
    data: Type.Union([data, truncated(data)]),
    sequence: Type.Integer({ description: 'Counts the events of the object from 1, without gaps.' }),
    object_id: Type.String({ description: 'The object that `sequence` counts for.' }),
    truncated: Type.Optional(
      Type.Literal(true, {
        description: 'Present when the message would exceed 20 kB. `data` then holds only identifiers.',
      }),
    ),
  })
}

function truncated(data: TObject): TObject {
  const resources = Object.entries(data.properties) as [string, TObject][]
  return Type.Object(
    Object.fromEntries(
      resources.map(([name, resource]) => {
        const { title, properties } = resource as TObject & { readonly title: string }
        const identifiers = Object.entries(properties).filter(([member]) =>
          IDENTIFIERS[name]?.includes(member),
        )
        return [name, Resource(`Truncated${title}`, Object.fromEntries(identifiers))]
      }),
    ),
  )
}
