import { Anchor, Checkbox, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callSession } from '#app/session-api.ts'
import { SubmitForm } from '#components/submit-form.tsx'
import { AuthLayout } from '#pages/sign-in/auth-layout.tsx'

interface SecondFactorProps {
  readonly onDone: () => Promise<void>
  readonly onBack: () => void
}

/** Asks for the code of an authenticator, or for one of the backup codes. */
export function SecondFactor({ onDone, onBack }: SecondFactorProps) {
  const { t } = useTranslation('sign-in')
  const [isBackup, setBackup] = useState(false)
  const [code, setCode] = useState('')
  const [trustDevice, setTrustDevice] = useState(false)
  const submission = useMutation({
    mutationFn: () =>
      callSession('POST', isBackup ? '/auth/two-factor/verify-backup-code' : '/auth/two-factor/verify-totp', {
        code: code.trim(),
        trustDevice,
      }),
    onSuccess: onDone,
    onError: () => setCode(''),
  })
  return (
    <AuthLayout title={t('second.title')} text={t(isBackup ? 'second.backup_text' : 'second.text')}>
      <SubmitForm
        submission={submission}
        submitLabel={t('second.verify')}
        footer={
          <>
            <Anchor
              component="button"
              type="button"
              size="sm"
              onClick={() => {
                submission.reset()
                setCode('')
                setBackup(!isBackup)
              }}
            >
              {t(isBackup ? 'second.use_code' : 'second.use_backup')}
            </Anchor>
            <Anchor component="button" type="button" size="sm" onClick={onBack}>
              {t('second.back')}
            </Anchor>
          </>
        }
      >
        <TextInput
          key={isBackup ? 'backup' : 'totp'}
          label={t(isBackup ? 'second.backup_code' : 'second.code')}
          autoComplete="one-time-code"
          inputMode={isBackup ? 'text' : 'numeric'}
          required
          withAsterisk={false}
          // The page before had the focus, and this form has one field.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {!isBackup && (
          <Checkbox
            label={t('second.trust')}
            checked={trustDevice}
            onChange={(event) => setTrustDevice(event.currentTarget.checked)}
          />
        )}
      </SubmitForm>
    </AuthLayout>
  )
}
