import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callSession } from '#app/session-api.ts'
import { SubmitForm } from '#components/submit-form.tsx'
import { AuthLayout } from '#pages/sign-in/auth-layout.tsx'
import { NewPassword } from '#pages/sign-in/new-password.tsx'
import { useEnter } from '#pages/sign-in/use-enter.ts'

const route = getRouteApi('/setup')

/** Makes the first user with the link that the first start prints. */
export function SetupPage() {
  const { t, i18n } = useTranslation('sign-in')
  const { token } = route.useSearch()
  const enter = useEnter()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const submission = useMutation({
    mutationFn: () =>
      callSession('POST', '/setup', {
        token,
        name: name.trim(),
        email: email.trim(),
        password,
        locale: i18n.language,
      }),
    onSuccess: enter,
  })
  if (token === undefined) return <AuthLayout title={t('setup.title')} text={t('setup.no_token')} />
  return (
    <AuthLayout title={t('setup.title')} text={t('setup.text')}>
      <SubmitForm submission={submission} submitLabel={t('setup.create')}>
        <TextInput
          label={t('name')}
          autoComplete="name"
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <NewPassword value={password} onChange={setPassword} />
      </SubmitForm>
    </AuthLayout>
  )
}
