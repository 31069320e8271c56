import Type from 'typebox'
import { filteredListQuery, PageSchema } from '#platform/http/validation/list'
import { Nullable, Resource, strictObject, TimestampOut } from '#platform/http/validation/schemas'
import { REQUEST_FIELDS } from '../storage/entry.repository.ts'

export const RequestsQuery = filteredListQuery(REQUEST_FIELDS)
export const RequestParams = strictObject({ request_id: Type.String() })

const members = {
  request_id: Type.String({ description: 'Callers may choose it, so several requests may have the same.' }),
  method: Type.String(),
  path: Type.String(),
  query: Type.String(),
  route: Type.String({ description: 'The pattern of the path, such as `/svc/…/customers/:id`.' }),
  status: Type.Integer(),
  reason: Nullable(Type.String({ description: 'The reason of the error.' })),
  duration_ms: Type.Number(),
  actor: Type.Object({ type: Type.String(), id: Type.String() }),
  app_id: Type.String(),
  ip_address: Type.String(),
  user_agent: Nullable(Type.String()),
  idempotency_key: Nullable(Type.String()),
  idempotent_replayed: Type.Boolean(),
  object_ids: Type.Array(Type.String(), {
    description:
      'The first ten ids that the request names, and the reply where the request changed something.',
  }),
  created_at: TimestampOut({ description: 'When it arrived, on the real clock.' }),
}

const body = (whose: string) =>
  Nullable(
    Type.String({
      description: `JSON text of the ${whose}, without secrets, and cut at 16 kB with a note in brackets.`,
    }),
  )

export const RequestSchema = Resource('LoggedRequest', members)

export const RequestsData = Type.Object({ requests: Type.Array(RequestSchema), page: PageSchema })
export const RequestData = Type.Object({
  request: Resource('LoggedRequestWithBodies', {
    ...members,
    request_body: body('request'),
    response_body: body('reply'),
  }),
})
