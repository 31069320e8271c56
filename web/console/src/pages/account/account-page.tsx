import { Anchor, Container, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { sessionQuery } from '#app/session.ts'
import { Logo } from '#components/logo.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { Businesses } from '#pages/account/businesses.tsx'
import { PasskeySection } from '#pages/account/passkey-section.tsx'
import { PasswordSection } from '#pages/account/password-section.tsx'
import { ProfileSection } from '#pages/account/profile-section.tsx'
import { ProviderSection } from '#pages/account/provider-section.tsx'
import { SessionSection } from '#pages/account/session-section.tsx'
import { TrustedDeviceSection } from '#pages/account/trusted-device-section.tsx'
import { TwoFactorSection } from '#pages/account/two-factor-section.tsx'

const route = getRouteApi('/account')

export function AccountPage() {
  const { t } = useTranslation('account')
  const context = route.useRouteContext()
  const { data } = useQuery(sessionQuery)
  const session = data ?? context.session
  return (
    <Container component="main" size="sm" py="lg">
      <Group mb="lg" gap="xs">
        <Logo size={24} />
        {session.memberships.length > 0 && (
          <Anchor renderRoot={(props) => <Link to="/" {...props} />} size="sm">
            {t('back')}
          </Anchor>
        )}
      </Group>
      <PageHeader title={t('title')} />
      <Stack gap="md">
        <Businesses session={session} />
        <ProfileSection user={session.user} />
        <PasswordSection />
        <TwoFactorSection isEnabled={session.user.two_factor_enabled} />
        {session.user.two_factor_enabled && <TrustedDeviceSection />}
        <PasskeySection />
        <ProviderSection providers={session.settings.oidc} />
        <SessionSection />
      </Stack>
    </Container>
  )
}
