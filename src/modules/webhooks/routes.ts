import Type from 'typebox'
import type { Database } from '#platform/database'
import { listQuery, PageSchema, readPage } from '#platform/http/list'
import { defineRoute, type Route } from '#platform/http/route'
import { Text } from '#platform/http/schemas'
import { EVENTS_LIST, listEvents } from './list-events.ts'

const Event = Type.Object({
  id: Type.String(),
  type: Type.String({ description: 'Such as order.paid.' }),
  timestamp: Type.String({ format: 'date-time' }),
  sequence: Type.Integer({ description: '1, 2, 3 … per object, without gaps.' }),
  object_id: Type.String(),
  data: Type.Object({}, { description: "The object under its resource's name, as answers show it." }),
})

export function webhookRoutes(db: Database): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/svc/event/api/v1/openapi/events',
      scope: 'webhooks:read',
      summary: 'List events',
      tag: 'Events',
      query: listQuery({
        object_id: Type.Optional(Text({ max: 255 })),
        type: Type.Optional(Text({ max: 64 })),
      }),
      data: Type.Object({ events: Type.Array(Event), page: PageSchema }),
      handle: ({ caller, query }) =>
        listEvents(db, caller, { objectId: query.object_id, type: query.type }, readPage(EVENTS_LIST, query)),
    }),
  ]
}
