import type { Delivery } from 'quittance'
import type { ListDefinition } from '#components/list/list-types.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

const STATES = ['pending', 'delivered', 'exhausted'] as const

export const deliveryList: ListDefinition<Delivery> = {
  name: 'deliveries',
  path: '/svc/event/api/v1/openapi/deliveries',
  load: ({ quittance }, query, signal) => quittance.deliveries.list(query, { signal }),
  rowId: ({ id }) => id,
  columns: [
    { id: 'url', phone: 'title', cell: ({ url }) => url },
    { id: 'state', phone: 'end', cell: ({ state }) => <StateBadge state={state} /> },
    { id: 'status', phone: 'end_detail', cell: ({ attempts }) => statusOf(attempts.at(-1)) },
    { id: 'type', phone: 'detail', cell: ({ event_type }) => event_type },
    { id: 'object_id', isHidden: true, cell: ({ object_id }) => object_id },
    { id: 'attempts', align: 'right', cell: ({ attempts }) => attempts.length },
    { id: 'created_at', isHidden: true, cell: ({ created_at }) => <Time at={created_at} /> },
    { id: 'last_at', isHidden: true, cell: ({ attempts }) => <Time at={attempts.at(-1)?.at} /> },
    { id: 'next_attempt_at', cell: ({ next_attempt_at }) => <Time at={next_attempt_at} /> },
    { id: 'event_id', isHidden: true, cell: ({ event_id }) => event_id },
    { id: 'id', isHidden: true, cell: ({ id }) => id },
  ],
  filters: [
    { field: 'state', kind: 'word', words: STATES },
    { field: 'endpoint_id', kind: 'exact' },
    { field: 'object_id', kind: 'exact' },
    { field: 'event_id', kind: 'exact' },
    { field: 'created_at', kind: 'time' },
    { field: 'id', kind: 'exact' },
  ],
  views: [
    { name: 'pending', filter: 'state = pending' },
    { name: 'exhausted', filter: 'state = exhausted' },
  ],
}

export function statusOf(attempt: Delivery['attempts'][number] | undefined): string {
  if (attempt === undefined) return '—'
  return attempt.status === null ? (attempt.error ?? '—').replaceAll('_', ' ') : String(attempt.status)
}
