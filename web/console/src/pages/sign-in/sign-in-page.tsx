import { Alert, Button, Checkbox, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconFingerprint } from '#components/icons.tsx'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HAS_PASSKEYS, isCanceled, signInWithPasskey } from '#app/passkeys.ts'
import { settingsQuery } from '#app/session.ts'
import { callSession } from '#app/session-api.ts'
import { TextLink } from '#components/links.tsx'
import { SubmitForm } from '#components/submit-form.tsx'
import { AuthLayout } from '#pages/sign-in/auth-layout.tsx'
import { SecondFactor } from '#pages/sign-in/second-factor.tsx'
import { addressOf, useEnter } from '#pages/sign-in/use-enter.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { t } = useTranslation('sign-in')
  const { to, error: failure } = route.useSearch()
  const enter = useEnter(to)
  const { data: settings } = useQuery(settingsQuery)
  const [needsCode, setNeedsCode] = useState(false)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [rememberMe, setRememberMe] = useState(true)
  const byPassword = useMutation({
    mutationFn: () =>
      callSession<{ twoFactorRedirect?: boolean }>('POST', '/auth/sign-in/email', {
        email: email.trim(),
        password,
        rememberMe,
      }),
    onSuccess: async ({ twoFactorRedirect }) => {
      if (twoFactorRedirect === true) setNeedsCode(true)
      else await enter()
    },
    onError: () => setPassword(''),
  })
  const byPasskey = useMutation({ mutationFn: signInWithPasskey, onSuccess: enter })
  const byProvider = useMutation({
    mutationFn: (provider: string) =>
      callSession<{ url: string }>('POST', '/auth/sign-in/social', {
        provider,
        callbackURL: new URL(addressOf(to), location.origin).href,
      }),
    onSuccess: ({ url }) => location.assign(url),
  })
  if (needsCode) return <SecondFactor onDone={enter} onBack={() => setNeedsCode(false)} />
  const error = byPassword.error ?? byProvider.error ?? (isCanceled(byPasskey.error) ? null : byPasskey.error)
  return (
    <AuthLayout title={t('title')}>
      <Stack gap="md">
        {failure !== undefined && error === null && (
          <Alert color="red">{t('elsewhere_failed', { failure })}</Alert>
        )}
        {settings?.needs_setup === true && <Alert color="indigo">{t('needs_setup')}</Alert>}
        <SubmitForm submission={{ ...byPassword, error }} submitLabel={t('sign_in')}>
          <TextInput
            label={t('email')}
            type="email"
            name="email"
            autoComplete="username webauthn"
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('password')}
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': t('show_password') }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Checkbox
            label={t('remember')}
            checked={rememberMe}
            onChange={(event) => setRememberMe(event.currentTarget.checked)}
          />
        </SubmitForm>
        {(HAS_PASSKEYS || (settings?.oidc.length ?? 0) > 0) && <Divider label={t('or')} />}
        {HAS_PASSKEYS && (
          <Button
            variant="default"
            leftSection={<IconFingerprint size={18} aria-hidden />}
            loading={byPasskey.isPending}
            onClick={() => byPasskey.mutate()}
          >
            {t('with_passkey')}
          </Button>
        )}
        {settings?.oidc.map(({ id, name }) => (
          <Button
            key={id}
            variant="default"
            loading={byProvider.isPending}
            onClick={() => byProvider.mutate(id)}
          >
            {t('with_provider', { name })}
          </Button>
        ))}
        <TextLink to="/reset-password" search={{}} size="sm" ta="center">
          {t('forgot')}
        </TextLink>
      </Stack>
    </AuthLayout>
  )
}
