import { Button, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callSession } from '#app/session-api.ts'
import { ErrorState } from '#components/error-state.tsx'
import { Section } from '#components/section.tsx'
import { BrowserRow, type KnownBrowser } from '#pages/account/browser-row.tsx'

export const ACCOUNT_KEY = ['account']

const SESSIONS_KEY = [...ACCOUNT_KEY, 'sessions']

export function SessionSection() {
  const { t } = useTranslation('account')
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) => callSession<{ sessions: KnownBrowser[] }>('GET', '/sessions', undefined, signal),
  })
  const end = useMutation({
    mutationFn: (id: string | undefined) =>
      callSession('DELETE', id === undefined ? '/sessions' : `/sessions/${encodeURIComponent(id)}`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ACCOUNT_KEY }),
  })
  const failure = error ?? end.error
  return (
    <Section
      title={t('sessions.title')}
      actions={
        (data?.sessions.length ?? 0) > 1 && (
          <Button variant="default" size="xs" loading={end.isPending} onClick={() => end.mutate(undefined)}>
            {t('sessions.end_others')}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        {failure !== null && <ErrorState error={failure} retry={refetch} />}
        {data?.sessions.map((session) => (
          <BrowserRow
            key={session.id}
            browser={session}
            endLabel={t('sessions.end')}
            onEnd={session.current === true ? undefined : () => end.mutate(session.id)}
          />
        ))}
      </Stack>
    </Section>
  )
}
