import sql from 'sql-template-tag'
import type { FilterFields } from '#platform/filter/filter-sql'
import { DELIVERY_STATES } from '../delivery/delivery.states.ts'

export const DELIVERY_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`d.id` },
  state: { type: 'enum', column: sql`d.state`, values: DELIVERY_STATES },
  event_id: { type: 'text', column: sql`d.event_id` },
  endpoint_id: { type: 'text', column: sql`d.endpoint_id` },
  object_id: { type: 'text', column: sql`d.object_id` },
  created_at: { type: 'time', column: sql`d.created_at` },
}
