import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callSession } from '#app/session-api.ts'
import { ErrorState } from '#components/error-state.tsx'
import { Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { BrowserTime } from '#components/time.tsx'
import { browserName } from '#pages/account/browser-name.ts'

export const SESSIONS_KEY = ['account', 'sessions']

interface StoredSession {
  readonly id: string
  readonly ip_address: string | null
  readonly user_agent: string | null
  readonly last_used_at: string
  readonly current?: boolean
}

export function SessionSection() {
  const { t } = useTranslation('account')
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) =>
      callSession<{ sessions: StoredSession[] }>('GET', '/sessions', undefined, signal),
  })
  const end = useMutation({
    mutationFn: (id: string | undefined) =>
      callSession('DELETE', id === undefined ? '/sessions' : `/sessions/${encodeURIComponent(id)}`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: SESSIONS_KEY }),
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
          <Group key={session.id} justify="space-between" wrap="nowrap">
            <div>
              <Text size="sm">
                {browserName(session.user_agent) ?? t('sessions.unknown')}{' '}
                {session.current === true && <StateBadge state="active" label={t('sessions.current')} />}
              </Text>
              <Text size="xs" c="dimmed">
                {session.ip_address} · <BrowserTime at={session.last_used_at} />
              </Text>
            </div>
            {session.current !== true && (
              <Button variant="default" size="compact-xs" onClick={() => end.mutate(session.id)}>
                {t('sessions.end')}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Section>
  )
}
