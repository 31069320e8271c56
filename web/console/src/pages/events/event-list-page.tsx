import type { Event } from 'quittance'
import { plainQuery } from '#components/list/filter-language.ts'
import { ListPage } from '#components/list/list-page.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Time } from '#components/time.tsx'
import { EVENT_TYPES } from '#pages/settings/event-types.ts'

const eventList: ListDefinition<Event> = {
  name: 'events',
  path: '/svc/event/api/v1/openapi/events',
  hasPlainFilters: true,
  load: ({ quittance }, { filter, ...query }, signal) => {
    const { type: word, object_id } = plainQuery(filter)
    const type = EVENT_TYPES.find((one) => one === word)
    const wanted = { ...query, ...(type && { type }), ...(object_id !== undefined && { object_id }) }
    return quittance.events.list(wanted, { signal })
  },
  rowId: ({ id }) => id,
  rowLink: ({ id, object_id }) => `/events/${object_id}/${id}`,
  columns: [
    { id: 'type', phone: 'title', cell: ({ type }) => type },
    { id: 'object_id', phone: 'detail', cell: ({ object_id }) => object_id },
    { id: 'sequence', align: 'right', cell: ({ sequence }) => sequence },
    { id: 'id', isHidden: true, cell: ({ id }) => id },
    { id: 'timestamp', phone: 'end', cell: ({ timestamp }) => <Time at={timestamp} withSeconds /> },
  ],
  filters: [
    { field: 'type', kind: 'word', words: EVENT_TYPES, wordLabel: (word) => word },
    { field: 'object_id', kind: 'exact' },
  ],
  views: ['order.paid', 'transaction.failed', 'plan.created'].map((type) => ({
    name: type.replace('.', '_'),
    filter: `type = ${type}`,
  })),
}

export function EventListPage() {
  return <ListPage list={eventList} />
}
