import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callSession } from '#app/session-api.ts'
import { ErrorState } from '#components/error-state.tsx'
import { ButtonLink, TextLink } from '#components/links.tsx'
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
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => callSession('POST', '/auth/request-password-reset', { email: email.trim() }),
  })
  return (
    <AuthLayout title={t('reset.title')} text={t('reset.text')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <Stack gap="md">
          {isSuccess ? (
            <Alert color="green" role="status">
              {t('reset.sent')}
            </Alert>
          ) : (
            <>
              <TextInput
                label={t('email')}
                type="email"
                autoComplete="username"
                required
                withAsterisk={false}
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
              />
              {error !== null && <ErrorState error={error} />}
              <Button type="submit" loading={isPending}>
                {t('reset.send')}
              </Button>
            </>
          )}
          <TextLink to="/sign-in" search={{}} size="sm" ta="center">
            {t('back_to_sign_in')}
          </TextLink>
        </Stack>
      </form>
    </AuthLayout>
  )
}

function ChoosePassword({ token }: { readonly token: string }) {
  const { t } = useTranslation('sign-in')
  const [newPassword, setNewPassword] = useState('')
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => callSession('POST', '/auth/reset-password', { token, newPassword }),
  })
  if (isSuccess) {
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
      <form
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <Stack gap="md">
          <NewPassword value={newPassword} onChange={setNewPassword} />
          {error !== null && <ErrorState error={error} />}
          <Button type="submit" loading={isPending}>
            {t('reset.save')}
          </Button>
          {error !== null && (
            <TextLink to="/reset-password" search={{}} size="sm" ta="center">
              {t('reset.again')}
            </TextLink>
          )}
        </Stack>
      </form>
    </AuthLayout>
  )
}
