import { Button, Group } from '@mantine/core'
import type { WebhookEndpoint } from 'quittance'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { CopyableId } from '#components/copyable-id.tsx'
import { DetailDrawer } from '#components/detail-drawer.tsx'
import { TextLink } from '#components/links.tsx'
import { Fields } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { EventTypes } from '#pages/settings/webhooks/endpoint-list.tsx'

export type EndpointChange = 'rotate' | 'delete'

interface EndpointDrawerProps {
  readonly endpoint: WebhookEndpoint
  readonly onChange: (change: EndpointChange) => void
  readonly onClose: () => void
}

export function EndpointDrawer({ endpoint, onChange, onClose }: EndpointDrawerProps) {
  const { t } = useTranslation('endpoints')
  const api = useApi()
  return (
    <DetailDrawer title={t('title_one')} onClose={onClose}>
      <Fields
        fields={[
          [t('column.url'), endpoint.url],
          [t('column.state'), <StateBadge key="state" state={endpoint.state} />],
          [t('column.id'), <CopyableId key="id" id={endpoint.id} />],
          [t('column.types'), <EventTypes key="types" types={endpoint.types} />],
          [t('column.created_at'), <Time key="created" at={endpoint.created_at} />],
        ]}
      />
      <TextLink to="/deliveries" search={{ filter: `endpoint_id = ${endpoint.id}` }} fz="sm">
        {t('deliveries')}
      </TextLink>
      {api.can('webhooks:write') && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => onChange('rotate')}>
            {t('rotate')}
          </Button>
          <Button size="xs" variant="default" onClick={() => onChange('delete')}>
            {t('delete')}
          </Button>
        </Group>
      )}
    </DetailDrawer>
  )
}
