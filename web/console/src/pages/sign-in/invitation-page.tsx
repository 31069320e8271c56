import { Skeleton, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Role, sessionQuery } from '#app/session.ts'
import { callSession } from '#app/session-api.ts'
import { ErrorState } from '#components/error-state.tsx'
import { ButtonLink } from '#components/links.tsx'
import { SubmitForm } from '#components/submit-form.tsx'
import { AuthLayout } from '#pages/sign-in/auth-layout.tsx'
import { NewPassword } from '#pages/sign-in/new-password.tsx'
import { useEnter } from '#pages/sign-in/use-enter.ts'

const route = getRouteApi('/invitations/$token')

interface Invitation {
  readonly email: string
  readonly business: { readonly code: string; readonly name: string }
  readonly test_role: Role | null
  readonly live_role: Role | null
  /** The address has a user already, who signs in to accept. */
  readonly has_account: boolean
}

/** Joins a business. A new user chooses a name and a password. */
export function InvitationPage() {
  const { t } = useTranslation('sign-in')
  const { token } = route.useParams()
  const path = `/invitations/${encodeURIComponent(token)}`
  const { data: session } = useQuery(sessionQuery)
  const { data, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => callSession<{ invitation: Invitation }>('GET', path, undefined, signal),
  })
  if (error !== null) {
    return (
      <AuthLayout title={t('invitation.title')}>
        <ErrorState error={error} />
      </AuthLayout>
    )
  }
  if (data === undefined || session === undefined) {
    return (
      <AuthLayout title={t('invitation.title')}>
        <Skeleton h={120} />
      </AuthLayout>
    )
  }
  const { invitation } = data
  const role = invitation.live_role ?? invitation.test_role
  return (
    <AuthLayout
      title={t('invitation.join', { business: invitation.business.name })}
      text={t('invitation.text', {
        email: invitation.email,
        role: role === null ? '' : t(`components:role.${role}`),
      })}
    >
      {session === null && invitation.has_account ? (
        <ButtonLink to="/sign-in" search={{ to: `/invitations/${token}` }} fullWidth>
          {t('invitation.sign_in')}
        </ButtonLink>
      ) : (
        <Accept path={path} isNew={session === null} />
      )}
    </AuthLayout>
  )
}

function Accept({ path, isNew }: { readonly path: string; readonly isNew: boolean }) {
  const { t, i18n } = useTranslation('sign-in')
  const enter = useEnter()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const submission = useMutation({
    mutationFn: () =>
      callSession(
        'POST',
        `${path}/accept`,
        isNew ? { name: name.trim(), password, locale: i18n.language } : {},
      ),
    onSuccess: enter,
  })
  return (
    <SubmitForm submission={submission} submitLabel={t('invitation.accept')}>
      {isNew && (
        <>
          <TextInput
            label={t('name')}
            autoComplete="name"
            required
            withAsterisk={false}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NewPassword value={password} onChange={setPassword} />
        </>
      )}
    </SubmitForm>
  )
}
