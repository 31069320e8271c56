import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { renderSVG } from 'uqr'
import { sessionQuery } from '#app/session.ts'
import { callSession } from '#app/session-api.ts'
import { ModalDialog } from '#components/modal-dialog.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { SubmitForm } from '#components/submit-form.tsx'
import { AccountDialog } from '#pages/account/account-dialog.tsx'
import { CurrentPassword } from '#pages/account/password-section.tsx'
import { ACCOUNT_KEY } from '#pages/account/session-section.tsx'

interface Enrolment {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

export function TwoFactorSection({ isEnabled }: { readonly isEnabled: boolean }) {
  const { t } = useTranslation('account')
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState<'enable' | 'disable' | 'codes'>()
  const [password, setPassword] = useState('')
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [codes, setCodes] = useState<readonly string[]>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
  const close = () => {
    setAsking(undefined)
    setPassword('')
  }
  return (
    <Section
      title={t('two_factor.title')}
      actions={
        <Group gap="xs">
          <StateBadge
            state={isEnabled ? 'enabled' : 'off'}
            label={t(isEnabled ? 'two_factor.on' : 'two_factor.off')}
          />
          {isEnabled && (
            <Button variant="default" size="xs" onClick={() => setAsking('codes')}>
              {t('two_factor.new_codes')}
            </Button>
          )}
          <Button variant="default" size="xs" onClick={() => setAsking(isEnabled ? 'disable' : 'enable')}>
            {t(isEnabled ? 'two_factor.disable' : 'two_factor.enable')}
          </Button>
        </Group>
      }
    >
      <Text size="sm" c="dimmed">
        {t('two_factor.text')}
      </Text>
      <AccountDialog
        opened={asking !== undefined}
        onClose={close}
        title={t('two_factor.confirm')}
        confirmLabel={t(`two_factor.${asking === 'codes' ? 'new_codes' : (asking ?? 'enable')}`)}
        isDanger={asking === 'disable'}
        run={async () => {
          if (asking === 'enable') {
            setEnrolment(await callSession<Enrolment>('POST', '/auth/two-factor/enable', { password }))
          } else if (asking === 'disable') {
            await callSession('POST', '/auth/two-factor/disable', { password })
            await refresh()
          } else {
            const { backupCodes } = await callSession<Pick<Enrolment, 'backupCodes'>>(
              'POST',
              '/auth/two-factor/generate-backup-codes',
              { password },
            )
            setCodes(backupCodes)
            await queryClient.invalidateQueries({ queryKey: ACCOUNT_KEY })
          }
        }}
      >
        <CurrentPassword value={password} onChange={setPassword} />
      </AccountDialog>
      {enrolment !== undefined && (
        <Enrol
          enrolment={enrolment}
          onClose={() => setEnrolment(undefined)}
          onDone={async () => {
            setCodes(enrolment.backupCodes)
            setEnrolment(undefined)
            await refresh()
          }}
        />
      )}
      {codes !== undefined && <BackupCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </Section>
  )
}

interface EnrolProps {
  readonly enrolment: Enrolment
  readonly onClose: () => void
  readonly onDone: () => Promise<void>
}

function Enrol({ enrolment, onClose, onDone }: EnrolProps) {
  const { t } = useTranslation(['account', 'components', 'sign-in'])
  const [code, setCode] = useState('')
  const secret = new URL(enrolment.totpURI).searchParams.get('secret') ?? ''
  const submission = useMutation({
    mutationFn: () => callSession('POST', '/auth/two-factor/verify-totp', { code: code.trim() }),
    onSuccess: async () => {
      notifications.show({ color: 'green', message: t('two_factor.done') })
      await onDone()
    },
    onError: () => setCode(''),
  })
  const svg = renderSVG(enrolment.totpURI, { border: 2, pixelSize: 5 })
  return (
    <ModalDialog
      opened
      onClose={onClose}
      title={t('two_factor.enable')}
      closeButtonProps={{ 'aria-label': t('components:dialog.close') }}
    >
      <SubmitForm submission={submission} submitLabel={t('two_factor.enable')}>
        <Text size="sm">{t('two_factor.scan')}</Text>
        <img
          src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
          alt={t('two_factor.qr')}
          width={200}
          height={200}
          style={{ alignSelf: 'center' }}
        />
        <Group gap="xs" justify="center">
          <CopyableId id={secret} />
        </Group>
        <TextInput
          label={t('sign-in:second.code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          withAsterisk={false}
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      </SubmitForm>
    </ModalDialog>
  )
}

interface BackupCodesProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

function BackupCodes({ codes, onClose }: BackupCodesProps) {
  const { t } = useTranslation(['account', 'components'])
  const [isOpen, { close }] = useDisclosure(true)
  return (
    <ModalDialog
      opened={isOpen}
      onClose={() => {
        close()
        onClose()
      }}
      title={t('two_factor.codes')}
      closeButtonProps={{ 'aria-label': t('components:dialog.close') }}
    >
      <Stack gap="md">
        <Alert color="orange" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
          {t('two_factor.codes_text')}
        </Alert>
        <SimpleGrid cols={2}>
          {codes.map((code) => (
            <Code key={code} ta="center">
              {code}
            </Code>
          ))}
        </SimpleGrid>
        <Group justify="flex-end">
          <CopyButton value={codes.join('\n')}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy} data-autofocus>
                {t(copied ? 'components:copy.done' : 'components:copy.copy')}
              </Button>
            )}
          </CopyButton>
          <Button
            onClick={() => {
              close()
              onClose()
            }}
          >
            {t('two_factor.saved')}
          </Button>
        </Group>
      </Stack>
    </ModalDialog>
  )
}
