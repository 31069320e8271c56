import { Button, PasswordInput, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callSession } from '#app/session-api.ts'
import { Section } from '#components/section.tsx'
import { AccountDialog } from '#pages/account/account-dialog.tsx'
import { ACCOUNT_KEY } from '#pages/account/session-section.tsx'
import { NewPassword } from '#pages/sign-in/new-password.tsx'

export function PasswordSection() {
  const { t } = useTranslation(['account', 'sign-in'])
  const queryClient = useQueryClient()
  const [isOpen, dialog] = useDisclosure()
  const [currentPassword, setCurrentPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  return (
    <Section
      title={t('password.title')}
      actions={
        <Button variant="default" size="xs" onClick={dialog.open}>
          {t('password.change')}
        </Button>
      }
    >
      <Text size="sm" c="dimmed">
        {t('password.text')}
      </Text>
      <AccountDialog
        opened={isOpen}
        onClose={() => {
          dialog.close()
          setCurrentPassword('')
          setNewPassword('')
        }}
        title={t('password.change')}
        confirmLabel={t('password.change')}
        doneMessage={t('password.done')}
        run={() => callSession('POST', '/auth/change-password', { currentPassword, newPassword })}
        onDone={() => queryClient.invalidateQueries({ queryKey: ACCOUNT_KEY })}
      >
        <CurrentPassword value={currentPassword} onChange={setCurrentPassword} />
        <NewPassword value={newPassword} onChange={setNewPassword} />
      </AccountDialog>
    </Section>
  )
}

interface CurrentPasswordProps {
  readonly value: string
  readonly onChange: (password: string) => void
}

export function CurrentPassword({ value, onChange }: CurrentPasswordProps) {
  const { t } = useTranslation(['account', 'sign-in'])
  return (
    <PasswordInput
      label={t('password.current')}
      autoComplete="current-password"
      required
      withAsterisk={false}
      data-autofocus
      visibilityToggleButtonProps={{ 'aria-label': t('sign-in:show_password') }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
