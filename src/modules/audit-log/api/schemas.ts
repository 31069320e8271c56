import Type from 'typebox'
import { filteredListQuery, PageSchema } from '#platform/http/validation/list'
import { Nullable, OneOf, Resource, TimestampOut } from '#platform/http/validation/schemas'
import { ACTION_STATES, AUDIT_FIELDS } from '../storage/entry.repository.ts'

export const AuditEntriesQuery = filteredListQuery(AUDIT_FIELDS)

const content = (description: string) => Type.Unsafe<unknown>({ description })

export const AuditEntrySchema = Resource('AuditEntry', {
  id: Type.String(),
  sequence: Type.Integer({ description: 'The place of the entry in the chain of the tenant.' }),
  hash: Type.String(),
  state: OneOf(ACTION_STATES, {
    description: '`started`: under way, or cut off before its end was recorded.',
  }),
  actor: Type.Object({ type: Type.String(), id: Type.String() }),
  action: Type.String({ description: 'Such as `orders.void`.' }),
  object: Nullable(Type.Object({ type: Type.String(), id: Nullable(Type.String()) })),
  ip_address: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
  origin: Nullable(Type.String({ description: 'The machine, for the command line.' })),
  request_id: Nullable(Type.String()),
  status: Nullable(Type.Integer()),
  reason: Nullable(Type.String()),
  request: content('What was sent, without secrets.'),
  before: content('The object before, where an operation shows it; else null.'),
  after: content('The reply, without secrets.'),
  started_at: TimestampOut(),
  created_at: TimestampOut({ description: 'When the entry was recorded, on the real clock.' }),
})

export const AuditEntriesData = Type.Object({
  audit_entries: Type.Array(AuditEntrySchema),
  page: PageSchema,
})
