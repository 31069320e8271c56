import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addPasskey, HAS_PASSKEYS, type Passkey } from '#app/passkeys.ts'
import { callSession } from '#app/session-api.ts'
import { ErrorState } from '#components/error-state.tsx'
import { Section } from '#components/section.tsx'
import { BrowserTime } from '#components/time.tsx'
import { AccountDialog } from '#pages/account/account-dialog.tsx'
import { AddByName } from '#pages/account/add-by-name.tsx'

const PASSKEYS_KEY = ['account', 'passkeys']

export function PasskeySection() {
  const { t } = useTranslation('account')
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: PASSKEYS_KEY })
  const { data, error, refetch } = useQuery({
    queryKey: PASSKEYS_KEY,
    queryFn: ({ signal }) =>
      callSession<readonly Passkey[]>('GET', '/auth/passkey/list-user-passkeys', undefined, signal),
  })
  const [removed, setRemoved] = useState<Passkey>()
  return (
    <Section
      title={t('passkeys.title')}
      actions={
        HAS_PASSKEYS && (
          <AddByName
            label={t('passkeys.add')}
            nameLabel={t('passkeys.name')}
            placeholder={t('passkeys.example')}
            add={addPasskey}
            doneMessage={t('passkeys.added')}
            onDone={refresh}
          />
        )
      }
    >
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t('passkeys.text')}
        </Text>
        {error !== null && <ErrorState error={error} retry={refetch} />}
        {data?.map((passkey) => (
          <Group key={passkey.id} justify="space-between" wrap="nowrap">
            <Text size="sm">
              {passkey.name ?? t('passkeys.unnamed')}{' '}
              <Text span size="xs" c="dimmed">
                <BrowserTime at={passkey.createdAt} />
              </Text>
            </Text>
            <Button variant="default" size="compact-xs" onClick={() => setRemoved(passkey)}>
              {t('passkeys.remove')}
            </Button>
          </Group>
        ))}
      </Stack>
      <AccountDialog
        opened={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={t('passkeys.remove_title')}
        confirmLabel={t('passkeys.remove')}
        isDanger
        run={() => callSession('POST', '/auth/passkey/delete-passkey', { id: removed?.id })}
        onDone={refresh}
      >
        <Text size="sm">{t('passkeys.remove_text', { name: removed?.name ?? t('passkeys.unnamed') })}</Text>
      </AccountDialog>
    </Section>
  )
}
