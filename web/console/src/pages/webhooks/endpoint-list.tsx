import { Group } from '@mantine/core'
import type { WebhookEndpoint } from 'quittance'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import type { EndpointChange } from '#pages/webhooks/endpoint-list-page.tsx'

export function endpointList(onChange: (change: EndpointChange) => void): ListDefinition<WebhookEndpoint> {
  return {
    name: 'webhooks',
    path: '/svc/event/api/v1/openapi/endpoints',
    load: ({ quittance }, { filter: _, ...query }, signal) => quittance.webhookEndpoints.list(query, { signal }),
    rowId: ({ id }) => id,
    columns: [
      { id: 'url', phone: 'title', cell: ({ url }) => url },
      {
        id: 'state',
        phone: 'end',
        cell: ({ state }) => <StateBadge state={state} tone={state === 'active' ? 'good' : 'bad'} />,
      },
      { id: 'types', phone: 'detail', cell: (endpoint) => <Types endpoint={endpoint} /> },
      { id: 'id', isHidden: true, cell: ({ id }) => <CopyableId id={id} /> },
      { id: 'created_at', cell: ({ created_at }) => <Time at={created_at} /> },
      { id: 'actions', phone: 'end_detail', cell: (endpoint) => <Actions endpoint={endpoint} onChange={onChange} /> },
    ],
    filters: [],
  }
}

function Types({ endpoint: { types } }: { readonly endpoint: WebhookEndpoint }) {
  const { t } = useTranslation('webhooks')
  if (types.length === 0) return t('all_types')
  return <span title={types.join(', ')}>{types.length === 1 ? types[0] : t('types', { count: types.length })}</span>
}

interface ActionsProps {
  readonly endpoint: WebhookEndpoint
  readonly onChange: (change: EndpointChange) => void
}

function Actions({ endpoint, onChange }: ActionsProps) {
  const { t } = useTranslation('webhooks')
  return (
    <Group gap={6} wrap="nowrap">
      {endpoint.state === 'active' && (
        <ActionButton
          size="compact-xs"
          scope="webhooks:write"
          onClick={() => onChange({ kind: 'rotate', endpoint })}
        >
          {t('rotate.button')}
        </ActionButton>
      )}
      <ActionButton size="compact-xs" scope="webhooks:write" onClick={() => onChange({ kind: 'remove', endpoint })}>
        {t('remove.button')}
      </ActionButton>
    </Group>
  )
}
