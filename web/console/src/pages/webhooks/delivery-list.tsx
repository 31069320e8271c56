import type { Delivery } from 'quittance'
import { plainQuery } from '#components/list/filter-language.ts'
import type { ListDefinition } from '#components/list/list-types.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

const STATES = ['pending', 'delivered', 'exhausted'] as const

export const deliveryList: ListDefinition<Delivery> = {
  name: 'deliveries',
  path: '/svc/event/api/v1/openapi/deliveries',
  hasPlainFilters: true,
  load: ({ quittance }, { filter, ...query }, signal) => {
    const { state: word, event_id } = plainQuery(filter)
    const state = STATES.find((one) => one === word)
    const wanted = { ...query, ...(state && { state }), ...(event_id !== undefined && { event_id }) }
    return quittance.deliveries.list(wanted, { signal })
  },
  rowId: ({ id }) => id,
  columns: [
    { id: 'url', phone: 'title', cell: ({ url }) => url },
    { id: 'state', phone: 'end', cell: ({ state }) => <StateBadge state={state} /> },
    { id: 'status', phone: 'end_detail', cell: ({ attempts }) => statusOf(attempts.at(-1)) },
    { id: 'type', phone: 'detail', cell: ({ request }) => typeOf(request) },
    { id: 'attempts', align: 'right', cell: ({ attempts }) => attempts.length },
    { id: 'last_at', cell: ({ attempts }) => <Time at={attempts.at(-1)?.at} /> },
    { id: 'next_attempt_at', cell: ({ next_attempt_at }) => <Time at={next_attempt_at} /> },
    { id: 'event_id', isHidden: true, cell: ({ event_id }) => event_id },
    { id: 'id', isHidden: true, cell: ({ id }) => id },
  ],
  filters: [
    { field: 'state', kind: 'word', words: STATES },
    { field: 'event_id', kind: 'exact' },
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

/** The body may be cut, so that it is not read as JSON. */
function typeOf(request: Delivery['request']): string {
  return /"type":\s*"([\w.]+)"/.exec(request?.body ?? '')?.[1] ?? '—'
}
