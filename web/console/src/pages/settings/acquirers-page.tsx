import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { PageSkeleton } from '#components/page-skeleton.tsx'
import { Fields, Section } from '#components/section.tsx'
import { sentence } from '#components/sentence.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { AccountForm } from '#pages/settings/account-form.tsx'

export type AcquirerAccount = Schemas['AcquirerAccount']

const MAX_ACCOUNTS = 500

export function AcquirersPage() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const [edited, setEdited] = useState<AcquirerAccount | 'new'>()
  const [disabled, setDisabled] = useState<AcquirerAccount>()
  const mayEdit = api.can('admin:write')
  const { data, error, refetch } = useQuery({
    queryKey: api.key('acquirer_accounts'),
    queryFn: ({ signal }) =>
      api.quittance.acquirerAccounts.list({ limit: 100 }, { signal }).toArray({ limit: MAX_ACCOUNTS }),
  })
  return (
    <>
      <PageHeader
        title={t('acquirers.title')}
        actions={
          mayEdit && (
            <Button size="xs" onClick={() => setEdited('new')}>
              {t('acquirers.connect')}
            </Button>
          )
        }
      />
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {data === undefined && error === null && <PageSkeleton />}
      {data?.length === 0 && (
        <EmptyState title={t('acquirers.none')} text={t(`acquirers.none_${api.environment}`)} />
      )}
      <Stack gap="md">
        {data?.map((account) => (
          <Section
            key={account.id}
            title={account.name}
            actions={
              <Group gap="xs">
                <StateBadge state={account.state} />
                {mayEdit && (
                  <Button size="compact-xs" variant="default" onClick={() => setEdited(account)}>
                    {t('acquirers.edit')}
                  </Button>
                )}
                {mayEdit && account.state === 'active' && (
                  <Button size="compact-xs" variant="default" onClick={() => setDisabled(account)}>
                    {t('acquirers.disable')}
                  </Button>
                )}
              </Group>
            }
          >
            <Fields
              fields={[
                [t('acquirers.acquirer'), sentence(account.acquirer)],
                [t('acquirers.id'), <CopyableId key="id" id={account.id} />],
                [t('acquirers.merchant'), <CopyableId key="merchant" id={account.merchant_id} />],
                [
                  t('acquirers.methods'),
                  account.methods.map((method) => t(`components:method.${method}`)).join(', '),
                ],
                [
                  t('acquirers.currencies'),
                  account.currencies.length === 0
                    ? t('acquirers.all_currencies')
                    : account.currencies.join(', '),
                ],
                [t('acquirers.webhook_url'), <CopyableId key="webhook" id={account.webhook_url} />],
                account.statement_descriptor !== undefined && [
                  t('acquirers.statement_descriptor'),
                  account.statement_descriptor,
                ],
                [t('acquirers.created'), <Time key="created" at={account.created_at} />],
              ]}
            />
          </Section>
        ))}
      </Stack>
      {edited !== undefined && (
        <AccountForm
          key={edited === 'new' ? 'new' : edited.id}
          account={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      <ActionDialog
        opened={disabled !== undefined}
        onClose={() => setDisabled(undefined)}
        title={t('acquirers.disable_title', { name: disabled?.name })}
        effect={t('acquirers.disable_effect')}
        confirmLabel={t('acquirers.disable')}
        isDanger
        run={() => api.quittance.acquirerAccounts.disable(disabled?.id ?? '')}
      />
    </>
  )
}
