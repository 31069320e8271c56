import type { WebhookEndpoint } from 'quittance'
import { useTranslation } from 'react-i18next'
import { CopyableId } from '#components/copyable-id.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { OpenButton } from '#components/list/open-button.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

const STATES = ['active', 'disabled'] as const

export function endpointList(onOpen: (endpoint: WebhookEndpoint) => void): ListDefinition<WebhookEndpoint> {
  return {
    name: 'endpoints',
    path: '/svc/event/api/v1/openapi/endpoints',
    load: ({ quittance }, query, signal) => quittance.webhookEndpoints.list(query, { signal }),
    rowId: ({ id }) => id,
    rowOpen: onOpen,
    columns: [
      { id: 'url', phone: 'title', cell: ({ url }) => url },
      { id: 'state', phone: 'end', cell: ({ state }) => <StateBadge state={state} /> },
      { id: 'types', phone: 'detail', cell: ({ types }) => <EventTypes types={types} /> },
      { id: 'created_at', cell: ({ created_at }) => <Time at={created_at} /> },
      { id: 'id', isHidden: true, cell: ({ id }) => <CopyableId id={id} /> },
      {
        id: 'open',
        align: 'right',
        phone: 'end_detail',
        cell: (endpoint) => <OpenButton area="endpoints" onOpen={() => onOpen(endpoint)} />,
      },
    ],
    filters: [
      { field: 'url', kind: 'text' },
      { field: 'state', kind: 'word', words: STATES },
      { field: 'id', kind: 'exact' },
      { field: 'created_at', kind: 'time' },
    ],
    views: STATES.map((state) => ({ name: state, filter: `state = ${state}` })),
  }
}

export function EventTypes({ types }: Pick<WebhookEndpoint, 'types'>) {
  const { t } = useTranslation('endpoints')
  return types.length === 0 ? t('all_types') : types.join(', ')
}
