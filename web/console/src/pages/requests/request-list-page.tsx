import type { Schemas } from 'quittance'
import { ListPage } from '#components/list/list-page.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { PersonName } from '#components/object-name.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

type LoggedRequest = Schemas['LoggedRequest']

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

const requestList: ListDefinition<LoggedRequest> = {
  name: 'requests',
  path: '/svc/log/api/v1/openapi/requests',
  load: ({ quittance }, query, signal) => quittance.requests.list(query, { signal }),
  rowId: ({ request_id, created_at }) => `${request_id} ${created_at}`,
  rowLink: ({ request_id }) => `/requests/${encodeURIComponent(request_id)}`,
  columns: [
    { id: 'status', phone: 'end', cell: ({ status }) => <HttpStatus status={status} /> },
    { id: 'method', phone: 'detail', cell: ({ method }) => method },
    { id: 'path', phone: 'title', cell: ({ path }) => shortPath(path) },
    { id: 'reason', cell: ({ reason }) => reason ?? '—' },
    { id: 'actor', cell: ({ actor }) => <PersonName id={actor.id} /> },
    { id: 'duration', align: 'right', cell: ({ duration_ms }) => `${duration_ms} ms` },
    { id: 'request_id', isHidden: true, cell: ({ request_id }) => request_id },
    { id: 'idempotency_key', isHidden: true, cell: ({ idempotency_key }) => idempotency_key ?? '—' },
    { id: 'ip_address', isHidden: true, cell: ({ ip_address }) => ip_address },
    {
      id: 'created_at',
      phone: 'end_detail',
      cell: ({ created_at }) => <Time at={created_at} withSeconds />,
    },
  ],
  filters: [
    { field: 'status', kind: 'number' },
    { field: 'reason', kind: 'exact' },
    { field: 'method', kind: 'word', words: METHODS, wordLabel: (word) => word },
    { field: 'path', kind: 'text' },
    { field: 'route', kind: 'text' },
    { field: 'duration_ms', kind: 'number' },
    { field: 'created_at', kind: 'time' },
    { field: 'request_id', kind: 'exact' },
    { field: 'idempotency_key', kind: 'exact' },
    { field: 'object_id', kind: 'exact' },
    { field: 'actor_id', kind: 'exact' },
    { field: 'actor_type', kind: 'exact' },
    { field: 'app_id', kind: 'exact' },
    { field: 'ip_address', kind: 'exact' },
  ],
  views: [
    // Leaves out what people read in the console.
    { name: 'by_keys', filter: 'actor_type = api_key' },
    { name: 'failed', filter: 'status >= 400' },
    { name: 'writes', filter: '(method = POST OR method = PUT OR method = DELETE)' },
  ],
}

export function HttpStatus({ status }: { readonly status: number }) {
  return (
    <StateBadge
      state={String(status)}
      label={String(status)}
      tone={status < 400 ? 'good' : status < 500 ? 'wait' : 'bad'}
    />
  )
}

/** Leaves out the beginning that all paths of an area share. */
export function shortPath(path: string): string {
  return path.replace(/^(\/svc\/\w+)?\/api\/v1\/openapi/, '')
}

export function RequestListPage() {
  return <ListPage list={requestList} />
}
