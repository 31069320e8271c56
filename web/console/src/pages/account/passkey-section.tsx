import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addPasskey, HAS_PASSKEYS, type Passkey } from '#app/passkeys.ts'
import { callSession } from '#app/session-api.ts'
import { ErrorState } from '#components/error-state.tsx'
import { Section } from '#components/section.tsx'
import { BrowserTime } from '#components/time.tsx'
import { AccountDialog } from '#pages/account/account-dialog.tsx'

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
  const [isOpen, dialog] = useDisclosure()
  const [name, setName] = useState('')
  const [removed, setRemoved] = useState<Passkey>()
  return (
    <Section
      title={t('passkeys.title')}
      actions={
        HAS_PASSKEYS && (
          <Button variant="default" size="xs" onClick={dialog.open}>
            {t('passkeys.add')}
          </Button>
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
        opened={isOpen}
        onClose={() => {
          dialog.close()
          setName('')
        }}
        title={t('passkeys.add')}
        confirmLabel={t('passkeys.add')}
        doneMessage={t('passkeys.added')}
        run={() => addPasskey(name.trim())}
        onDone={refresh}
      >
        <TextInput
          label={t('passkeys.name')}
          placeholder={t('passkeys.example')}
          required
          withAsterisk={false}
          data-autofocus
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </AccountDialog>
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
