import { Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Customer } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { saveResponse } from '#components/save-response.ts'
import { Section } from '#components/section.tsx'

type Action = 'erasing' | 'holding' | 'lifting'

interface Check {
  readonly can_be_erased: boolean
  readonly blockers: readonly { readonly reason: string; readonly message: string }[]
  readonly legal_hold: { readonly reason: string } | null
  readonly found: readonly { readonly table: string; readonly rows: number; readonly is_more: boolean }[]
}

/** Export, erasure and legal hold, for those who may. */
export function PersonalData({ customer: { uuid, erased_at } }: { readonly customer: Customer }) {
  const { t } = useTranslation('customers')
  const { can } = useApi()
  if (!can('privacy:read')) return null
  return (
    <Section title={t('privacy.title')}>
      <PersonalDataActions uuid={uuid} isErased={erased_at !== undefined} />
    </Section>
  )
}

function PersonalDataActions({ uuid, isErased }: { readonly uuid: string; readonly isErased: boolean }) {
  const { t } = useTranslation('customers')
  const { quittance } = useApi()
  const [action, setAction] = useState<Action>()
  const exporting = useMutation({
    mutationFn: async () => saveResponse(await quittance.personalData.export(uuid), `${uuid}.jsonl`),
  })
  const query = useApiQuery(['customers', uuid, 'erasure_check'], (api, signal) =>
    api.quittance.personalData.check(uuid, { signal }),
  )
  return (
    <Loaded query={query}>
      {(check: Check) => (
        <Stack gap="xs">
          {check.legal_hold !== null && (
            <Text size="sm">
              {t('privacy.hold')}: {check.legal_hold.reason}
            </Text>
          )}
          <Group gap="xs">
            <ActionButton
              size="xs"
              scope="privacy:read"
              loading={exporting.isPending}
              onClick={() => exporting.mutate()}
            >
              {t('privacy.export')}
            </ActionButton>
            {!isErased && (
              <>
                <ActionButton
                  size="xs"
                  scope="privacy:write"
                  onClick={() => setAction(check.legal_hold === null ? 'holding' : 'lifting')}
                >
                  {t(check.legal_hold === null ? 'privacy.hold' : 'privacy.lift')}
                </ActionButton>
                <ActionButton size="xs" scope="privacy:write" onClick={() => setAction('erasing')}>
                  {t('privacy.erase')}
                </ActionButton>
              </>
            )}
          </Group>
          {exporting.error !== null && <ErrorState error={exporting.error} />}
          {action !== undefined && (
            <PersonalDataDialog
              uuid={uuid}
              action={action}
              check={check}
              onClose={() => setAction(undefined)}
            />
          )}
        </Stack>
      )}
    </Loaded>
  )
}

interface DialogProps {
  readonly uuid: string
  readonly action: Action
  readonly check: Check
  readonly onClose: () => void
}

function PersonalDataDialog({ uuid, action, check, onClose }: DialogProps) {
  const { t } = useTranslation('customers')
  const [reason, setReason] = useState('')
  const isErasing = action === 'erasing'
  const tables = check.found
    .map(({ table, rows, is_more }) => `${table} ${rows}${is_more ? '+' : ''}`)
    .join(', ')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger={isErasing}
      isDisabled={(isErasing && !check.can_be_erased) || (action === 'holding' && reason.trim() === '')}
      disabledReason={isErasing ? t('privacy.erasing.blocked') : undefined}
      title={t(`privacy.${action}.title`)}
      confirmLabel={t(`privacy.${action}.confirm`)}
      doneMessage={t(`privacy.${action}.done`)}
      effect={t(`privacy.${action}.effect`)}
      run={async (quittance) => {
        if (isErasing) await quittance.personalData.erase(uuid)
        else if (action === 'holding') await quittance.personalData.hold(uuid, reason)
        else await quittance.personalData.liftHold(uuid)
      }}
    >
      {action === 'holding' && (
        <TextInput
          label={t('privacy.holding.reason')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
          data-autofocus
        />
      )}
      {isErasing && (
        <>
          <Text size="sm">{t('privacy.erasing.found', { tables })}</Text>
          {check.blockers.length > 0 && (
            <Stack gap={4}>
              <Text size="sm">{t('privacy.erasing.blocked')}</Text>
              <List size="sm">
                {check.blockers.map(({ reason: name, message }) => (
                  <List.Item key={name}>{message}</List.Item>
                ))}
              </List>
            </Stack>
          )}
        </>
      )}
    </ActionDialog>
  )
}
