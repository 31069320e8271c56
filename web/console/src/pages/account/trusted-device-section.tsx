import { Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callSession } from '#app/session-api.ts'
import { ErrorState } from '#components/error-state.tsx'
import { Section } from '#components/section.tsx'
import { BrowserRow, type KnownBrowser } from '#pages/account/browser-row.tsx'
import { ACCOUNT_KEY } from '#pages/account/session-section.tsx'

const DEVICES_KEY = [...ACCOUNT_KEY, 'trusted_devices']

export function TrustedDeviceSection() {
  const { t } = useTranslation('account')
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: DEVICES_KEY,
    queryFn: ({ signal }) =>
      callSession<{ trusted_devices: KnownBrowser[] }>('GET', '/trusted_devices', undefined, signal),
  })
  const end = useMutation({
    mutationFn: (id: string) => callSession('DELETE', `/trusted_devices/${encodeURIComponent(id)}`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: DEVICES_KEY }),
  })
  const failure = error ?? end.error
  return (
    <Section title={t('trusted_devices.title')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t(data?.trusted_devices.length === 0 ? 'trusted_devices.none' : 'trusted_devices.text')}
        </Text>
        {failure !== null && <ErrorState error={failure} retry={refetch} />}
        {data?.trusted_devices.map((device) => (
          <BrowserRow
            key={device.id}
            browser={device}
            endLabel={t('trusted_devices.end')}
            onEnd={() => end.mutate(device.id)}
          />
        ))}
      </Stack>
    </Section>
  )
}
