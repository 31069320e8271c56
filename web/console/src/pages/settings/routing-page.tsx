import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { BlockableButton } from '#components/blockable-button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { PageSkeleton } from '#components/page-skeleton.tsx'
import { Time } from '#components/time.tsx'
import type { Accounts, Routing, Rule } from '#pages/settings/routing.ts'
import { RoutingPreview } from '#pages/settings/routing-preview.tsx'
import { RuleEditor } from '#pages/settings/rule-editor.tsx'

const MAX_ACCOUNTS = 500

export function RoutingPage() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const routing = useQuery({
    queryKey: api.key('routing'),
    queryFn: ({ signal }) => api.quittance.routing.get({ signal }),
  })
  const accounts = useQuery({
    queryKey: api.key('acquirer_accounts'),
    queryFn: ({ signal }) =>
      api.quittance.acquirerAccounts.list({ limit: 100 }, { signal }).toArray({ limit: MAX_ACCOUNTS }),
  })
  const error = routing.error ?? accounts.error
  return (
    <>
      <PageHeader title={t('routing.title')} />
      {error !== null && (
        <ErrorState error={error} retry={() => Promise.all([routing.refetch(), accounts.refetch()])} />
      )}
      {error === null && (routing.data === undefined || accounts.data === undefined) && <PageSkeleton />}
      {routing.data !== undefined && accounts.data !== undefined && (
        <Rules key={routing.data.updated_at} routing={routing.data} accounts={accounts.data} />
      )}
    </>
  )
}

function withoutKey({ when, accounts, by, fallback }: Rule): Routing['rules'][number] {
  return { when, accounts, fallback, ...(by !== undefined && { by }) }
}

function Rules({ routing, accounts }: { readonly routing: Routing; readonly accounts: Accounts }) {
  const { t } = useTranslation(['settings', 'components'])
  const api = useApi()
  const [rules, setRules] = useState<readonly Rule[]>(() =>
    routing.rules.map((rule) => ({ ...rule, key: crypto.randomUUID() })),
  )
  const [isChanged, setChanged] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const isAllowed = api.can('admin:write')
  const mayEdit = isAllowed && accounts.length > 0
  const change = (changed: readonly Rule[]) => {
    setRules(changed)
    setChanged(true)
  }
  const move = (index: number, by: -1 | 1) => {
    const rule = rules[index]
    if (rule !== undefined) change(rules.toSpliced(index, 1).toSpliced(index + by, 0, rule))
  }
  const add = () => {
    const [first] = accounts
    if (first === undefined) return
    change([
      ...rules,
      { key: crypto.randomUUID(), when: {}, accounts: [{ id: first.id, weight: 1 }], fallback: [] },
    ])
  }
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('routing.text')}{' '}
        {routing.updated_at !== null && (
          <>
            {t('routing.updated')} <Time at={routing.updated_at} />
          </>
        )}
      </Text>
      {!isAllowed && <Text size="sm">{t('components:action.scope_missing', { scope: 'admin:write' })}</Text>}
      {rules.length === 0 && <EmptyState title={t('routing.none')} text={t('routing.none_text')} />}
      {rules.map((rule, index) => (
        <RuleEditor
          key={rule.key}
          rule={rule}
          position={index + 1}
          accounts={accounts}
          isReadOnly={!mayEdit}
          onChange={(changed) => change(rules.with(index, changed))}
          onRemove={() => change(rules.toSpliced(index, 1))}
          onUp={index === 0 ? undefined : () => move(index, -1)}
          onDown={index === rules.length - 1 ? undefined : () => move(index, 1)}
        />
      ))}
      {mayEdit && (
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={add}>
            {t('routing.add')}
          </Button>
          <BlockableButton
            size="xs"
            blocked={isChanged ? undefined : t('components:dialog.unchanged')}
            onClick={() => setSaving(true)}
          >
            {t('routing.save')}
          </BlockableButton>
        </Group>
      )}
      {accounts.length > 0 && <RoutingPreview accounts={accounts} />}
      <ActionDialog
        opened={isSaving}
        onClose={() => setSaving(false)}
        title={t('routing.save_title')}
        effect={t(`routing.effect_${api.environment}`)}
        confirmLabel={t('routing.save')}
        doneMessage={t('routing.saved')}
        run={(quittance) => quittance.routing.set({ rules: rules.map(withoutKey) })}
        onDone={() => setChanged(false)}
      />
    </Stack>
  )
}
