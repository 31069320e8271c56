import { Alert, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callSession } from '#app/session-api.ts'
import { ButtonLink, TextLink } from '#components/links.tsx'
import { SubmitForm } from '#components/submit-form.tsx'
import { AuthLayout } from '#pages/sign-in/auth-layout.tsx'
import { NewPassword } from '#pages/sign-in/new-password.tsx'

const route = getRouteApi('/reset-password')

/** Asks for the link by e-mail, and with the token of the link for the new password. */
export function ResetPasswordPage() {
  const { token } = route.useSearch()
  return token === undefined ? <AskForLink /> : <ChoosePassword token={token} />
}

function AskForLink() {
  const { t } = useTranslation('sign-in')
  const [email, setEmail] = useState('')
  const submission = useMutation({
    mutationFn: () => callSession('POST', '/auth/request-password-reset', { email: email.trim() }),
  })
  const toSignIn = (
    <TextLink to="/sign-in" search={{}} size="sm" ta="center">
      {t('back_to_sign_in')}
    </TextLink>
  )
  return (
    <AuthLayout title={t('reset.title')} text={t('reset.text')}>
      {submission.isSuccess ? (
        <Stack gap="md">
          <Alert color="green" role="status">
            {t('reset.sent')}
          </Alert>
          {toSignIn}
        </Stack>
      ) : (
        <SubmitForm submission={submission} submitLabel={t('reset.send')} footer={toSignIn}>
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        </SubmitForm>
      )}
    </AuthLayout>
  )
}

function ChoosePassword({ token }: { readonly token: string }) {
  const { t } = useTranslation('sign-in')
  const [newPassword, setNewPassword] = useState('')
  const submission = useMutation({
    mutationFn: () => callSession('POST', '/auth/reset-password', { token, newPassword }),
  })
  if (submission.isSuccess) {
    return (
      <AuthLayout title={t('reset.done_title')} text={t('reset.done')}>
        <ButtonLink to="/sign-in" search={{}} fullWidth>
          {t('sign_in')}
        </ButtonLink>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={t('reset.choose')}>
      <SubmitForm
        submission={submission}
        submitLabel={t('reset.save')}
        footer={
          submission.error !== null && (
            <TextLink to="/reset-password" search={{}} size="sm" ta="center">
              {t('reset.again')}
            </TextLink>
          )
        }
      >
        <NewPassword value={newPassword} onChange={setNewPassword} />
      </SubmitForm>
    </AuthLayout>
  )
}
