import { Button, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ACCOUNT } from '#app/api.ts'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { PageSkeleton } from '#components/page-skeleton.tsx'
import { ScrollTable } from '#components/scroll-table.tsx'
import { Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { NewKeyDialog } from '#pages/settings/new-key-dialog.tsx'

interface ApiKey {
  readonly id: string
  readonly name: string | null
  readonly scopes: readonly string[]
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly revoked_at: string | null
}

export function ApiKeysPage() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<ApiKey>()
  const mayEdit = api.can('keys:write')
  const { data, error, refetch } = useQuery({
    queryKey: api.key('api_keys'),
    queryFn: ({ signal }) =>
      api.call<{ api_keys: ApiKey[] }>('GET', `${ACCOUNT}/api_keys`, { query: { limit: 100 }, signal }),
  })
  return (
    <>
      <PageHeader
        title={t('keys.title')}
        actions={
          mayEdit && (
            <Button size="xs" onClick={() => setCreating(true)}>
              {t('keys.create')}
            </Button>
          )
        }
      />
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {data === undefined && error === null && <PageSkeleton />}
      {data?.api_keys.length === 0 && <EmptyState title={t('keys.none')} text={t('keys.none_text')} />}
      {data !== undefined && data.api_keys.length > 0 && (
        <Section title={t(`keys.of_${api.environment}`)}>
          <ScrollTable label={t(`keys.of_${api.environment}`)} minWidth={700} verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('keys.name')}</Table.Th>
                <Table.Th>{t('keys.scopes')}</Table.Th>
                <Table.Th>{t('keys.last_used')}</Table.Th>
                <Table.Th>{t('keys.expires')}</Table.Th>
                <Table.Th>
                  <VisuallyHidden>{t('actions')}</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.api_keys.map((key) => (
                <Table.Tr key={key.id}>
                  <Table.Td maw={220}>
                    <Stack gap={0}>
                      <Text size="sm">{key.name ?? t('keys.unnamed')}</Text>
                      <CopyableId id={key.id} />
                    </Stack>
                  </Table.Td>
                  <Table.Td maw={260}>
                    <Text size="xs" c="dimmed">
                      {areasOf(key.scopes)
                        .map(([area, isReadOnly]) => (isReadOnly ? t('keys.read_only_area', { area }) : area))
                        .join(', ')}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    {key.last_used_at === null ? t('keys.never') : <Time at={key.last_used_at} />}
                  </Table.Td>
                  <Table.Td>
                    {key.revoked_at !== null ? (
                      <StateBadge state="revoked" />
                    ) : key.expires_at === null ? (
                      t('keys.never')
                    ) : (
                      <Time at={key.expires_at} />
                    )}
                  </Table.Td>
                  <Table.Td ta="right">
                    {mayEdit && key.revoked_at === null && (
                      <Button size="compact-xs" variant="default" onClick={() => setRevoked(key)}>
                        {t('keys.revoke')}
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </ScrollTable>
        </Section>
      )}
      <NewKeyDialog opened={isCreating} onClose={() => setCreating(false)} />
      <ActionDialog
        opened={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        title={t('keys.revoke_title', { name: revoked?.name ?? revoked?.id })}
        effect={t('keys.revoke_effect')}
        confirmLabel={t('keys.revoke')}
        doneMessage={t('keys.revoked')}
        isDanger
        run={() => api.call('DELETE', `${ACCOUNT}/api_keys/${revoked?.id}`)}
      />
    </>
  )
}

/** The areas of the scopes, and whether a key may only read there. Who may write may read. */
function areasOf(scopes: readonly string[]): (readonly [area: string, isReadOnly: boolean])[] {
  const areas = new Set(scopes.map((scope) => scope.replace(/:\w+$/, '')))
  return [...areas].map((area) => [area, !scopes.includes(`${area}:write`)])
}
