import { Button, ColorInput, FileInput, Grid, Group, Image, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useShell } from '#app/shell-context.ts'
import { useWrite } from '#app/use-write.ts'
import { ErrorState } from '#components/error-state.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { PageSkeleton } from '#components/page-skeleton.tsx'
import { Section } from '#components/section.tsx'
import { SettingsForm } from '#components/settings-form.tsx'

const SCOPE = 'admin:write'
const TEXTS = ['display_name', 'email', 'phone', 'website', 'terms_url', 'privacy_url'] as const
const TYPES: Readonly<Record<(typeof TEXTS)[number], 'text' | 'email' | 'tel' | 'url'>> = {
  display_name: 'text',
  email: 'email',
  phone: 'tel',
  website: 'url',
  terms_url: 'url',
  privacy_url: 'url',
}
const WALLETS = ['wallet_a_pay', 'wallet_b'] as const
/** Of payment pages without a colour of their own. */
const DEFAULT_COLOR = '#1d4f8f'
const MAX_LOGO_BYTES = 256 * 1024

type Branding = Schemas['Branding']

export function BrandingPage() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: api.key('branding'),
    queryFn: ({ signal }) => api.quittance.branding.get({ signal }),
  })
  return (
    <>
      <PageHeader title={t('branding.title')} />
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {error === null && data === undefined && <PageSkeleton />}
      {data !== undefined && <BrandingForm branding={data} />}
    </>
  )
}

function BrandingForm({ branding }: { readonly branding: Branding }) {
  const { t } = useTranslation(['settings', 'components'])
  const api = useApi()
  const { business } = useShell().membership
  const [draft, setDraft] = useState(branding)
  const [logoError, setLogoError] = useState<string>()
  const mayEdit = api.can(SCOPE)
  const submission = useWrite({
    write: (quittance) => quittance.branding.set(draft),
    onSuccess: () => notifications.show({ color: 'green', message: t('branding.saved') }),
  })
  const chooseLogo = async (file: File | null) => {
    setLogoError(undefined)
    if (file === null) return setDraft({ ...draft, logo: null })
    if (file.size > MAX_LOGO_BYTES) return setLogoError(t('branding.logo_too_large'))
    setDraft({ ...draft, logo: await dataUrlOf(file) })
  }
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Section title={t('branding.pages')}>
          <SettingsForm submission={submission} scope={SCOPE} saveLabel={t('save')} isComplete>
            {!mayEdit && <Text size="sm">{t('components:action.scope_missing', { scope: SCOPE })}</Text>}
            <FileInput
              label={t('branding.logo')}
              description={t('branding.logo_text')}
              placeholder={t('branding.choose')}
              accept="image/png,image/jpeg,image/webp"
              clearable
              disabled={!mayEdit}
              error={logoError}
              clearButtonProps={{ 'aria-label': t('branding.remove_logo') }}
              onChange={(file) => void chooseLogo(file)}
            />
            {draft.logo !== null && mayEdit && (
              <Group>
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => setDraft({ ...draft, logo: null })}
                >
                  {t('branding.remove_logo')}
                </Button>
              </Group>
            )}
            <ColorInput
              label={t('branding.color')}
              description={t('branding.color_text')}
              format="hex"
              eyeDropperButtonProps={{ 'aria-label': t('branding.pick') }}
              disabled={!mayEdit}
              value={draft.color ?? ''}
              onChange={(color) => setDraft({ ...draft, color: color === '' ? null : color })}
            />
            {TEXTS.map((name) => (
              <TextInput
                key={name}
                type={TYPES[name]}
                label={t(`branding.${name}`)}
                disabled={!mayEdit}
                value={draft[name] ?? ''}
                onChange={({ currentTarget: { value } }) =>
                  setDraft({ ...draft, [name]: value === '' ? null : value })
                }
              />
            ))}
            {draft.wallet_names !== undefined &&
              WALLETS.map((wallet) => (
                <TextInput
                  key={wallet}
                  label={t('branding.wallet_name', { wallet: t(`components:method.${wallet}`) })}
                  disabled={!mayEdit}
                  maxLength={40}
                  value={draft.wallet_names?.[wallet] ?? ''}
                  onChange={({ currentTarget: { value } }) =>
                    setDraft({
                      ...draft,
                      wallet_names: { ...draft.wallet_names, [wallet]: value === '' ? null : value },
                    })
                  }
                />
              ))}
          </SettingsForm>
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Section title={t('branding.preview')}>
          <Stack align="center" gap="sm" py="md">
            {draft.logo !== null && (
              <Image src={draft.logo} alt={t('branding.logo')} h={56} w="auto" fit="contain" />
            )}
            <Text fw={650}>{draft.display_name ?? business.name}</Text>
            <Button component="div" fullWidth color={draft.color ?? DEFAULT_COLOR} autoContrast aria-hidden>
              {t('branding.preview_button')}
            </Button>
            <Text size="xs" c="dimmed">
              {[draft.email, draft.phone, draft.website].filter((text) => text !== null).join(' · ')}
            </Text>
          </Stack>
        </Section>
      </Grid.Col>
    </Grid>
  )
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read.')))
    reader.readAsDataURL(file)
  })
}
