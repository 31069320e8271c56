import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CONSOLE_PATH } from '#app/base-path.ts'
import { callSession } from '#app/session-api.ts'
import type { Settings } from '#app/session.ts'
import { ErrorState } from '#components/error-state.tsx'
import { Section } from '#components/section.tsx'

/** Links the account that the user has at a provider. The provider leads back to this page, with the reason of a failure. */
export function ProviderSection({ providers }: { readonly providers: Settings['oidc'] }) {
  const { t } = useTranslation('account')
  const failure = new URLSearchParams(location.search).get('error')
  const link = useMutation({
    mutationFn: (provider: string) => {
      const { href: page } = new URL(`${CONSOLE_PATH}account`, location.origin)
      const body = { provider, callbackURL: page, errorCallbackURL: page }
      return callSession<{ url: string }>('POST', '/auth/link-social', body)
    },
    onSuccess: ({ url }) => location.assign(url),
  })
  if (providers.length === 0) return null
  return (
    <Section
      title={t('provider.title')}
      actions={providers.map(({ id, name }) => (
        <Button key={id} variant="default" size="xs" loading={link.isPending} onClick={() => link.mutate(id)}>
          {t('provider.link', { name })}
        </Button>
      ))}
    >
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t('provider.text')}
        </Text>
        {failure !== null && <Alert color="red">{t('provider.failed', { failure })}</Alert>}
        {link.error !== null && <ErrorState error={link.error} />}
      </Stack>
    </Section>
  )
}
