import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WebhookEndpoint } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { TextLink } from '#components/links.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { PageSkeleton } from '#components/page-skeleton.tsx'
import { Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { NewEndpointDialog } from '#pages/settings/new-endpoint-dialog.tsx'
import { SecretOnce } from '#pages/settings/secret-once.tsx'

const MAX_ENDPOINTS = 500

export function WebhooksPage() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const [isCreating, setCreating] = useState(false)
  const [chosen, setChosen] = useState<{
    readonly action: 'delete' | 'rotate'
    readonly endpoint: WebhookEndpoint
  }>()
  const [secret, setSecret] = useState<string>()
  const mayEdit = api.can('webhooks:write')
  const { data, error, refetch } = useQuery({
    queryKey: api.key('webhook_endpoints'),
    queryFn: ({ signal }) =>
      api.quittance.webhookEndpoints.list({ limit: 100 }, { signal }).toArray({ limit: MAX_ENDPOINTS }),
  })
  return (
    <>
      <PageHeader
        title={t('webhooks.title')}
        actions={
          mayEdit && (
            <Button size="xs" onClick={() => setCreating(true)}>
              {t('webhooks.create')}
            </Button>
          )
        }
      />
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {data === undefined && error === null && <PageSkeleton />}
      {data?.length === 0 && <EmptyState title={t('webhooks.none')} text={t('webhooks.none_text')} />}
      <Stack gap="md">
        {data?.map((endpoint) => (
          <Section
            key={endpoint.id}
            title={endpoint.url}
            actions={
              <Group gap="xs">
                <StateBadge state={endpoint.state} />
                <TextLink to="/deliveries" search={{ filter: `endpoint_id = ${endpoint.id}` }} fz="sm">
                  {t('webhooks.deliveries')}
                </TextLink>
                {mayEdit && endpoint.state !== 'deleted' && (
                  <>
                    <Button
                      size="compact-xs"
                      variant="default"
                      onClick={() => setChosen({ action: 'rotate', endpoint })}
                    >
                      {t('webhooks.rotate')}
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="default"
                      onClick={() => setChosen({ action: 'delete', endpoint })}
                    >
                      {t('webhooks.delete')}
                    </Button>
                  </>
                )}
              </Group>
            }
          >
            <CopyableId id={endpoint.id} />
            <Text size="sm" c="dimmed">
              {endpoint.types.length === 0 ? t('webhooks.all_types') : endpoint.types.join(', ')}
            </Text>
          </Section>
        ))}
      </Stack>
      <NewEndpointDialog opened={isCreating} onClose={() => setCreating(false)} onSecret={setSecret} />
      <ActionDialog
        opened={chosen?.action === 'rotate'}
        onClose={() => setChosen(undefined)}
        title={t('webhooks.rotate_title')}
        effect={t('webhooks.rotate_effect')}
        confirmLabel={t('webhooks.rotate')}
        run={(options) => api.quittance.webhookEndpoints.rotateSecret(chosen?.endpoint.id ?? '', options)}
        onDone={(endpoint) => setSecret(endpoint.secret)}
      />
      <ActionDialog
        opened={chosen?.action === 'delete'}
        onClose={() => setChosen(undefined)}
        title={t('webhooks.delete_title')}
        effect={t('webhooks.delete_effect', { url: chosen?.endpoint.url })}
        confirmLabel={t('webhooks.delete')}
        isDanger
        run={() => api.quittance.webhookEndpoints.delete(chosen?.endpoint.id ?? '')}
      />
      <SecretOnce
        title={t('webhooks.secret')}
        text={t('webhooks.secret_text')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </>
  )
}
