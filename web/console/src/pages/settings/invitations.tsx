import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { Section } from '#components/section.tsx'
import { Time } from '#components/time.tsx'
import { roleText } from '#pages/settings/role-fields.tsx'

type Invitation = Schemas['Invitation']

/** Old invitations are not shown. */
const INVITATIONS = 500

export function Invitations({ mayEdit }: { readonly mayEdit: boolean }) {
  const { t } = useTranslation(['settings', 'components'])
  const api = useApi()
  const [revoked, setRevoked] = useState<Invitation>()
  const { data, error, refetch } = useQuery({
    queryKey: api.key('invitations'),
    queryFn: ({ signal }) =>
      api.quittance.invitations.list({ limit: 100 }, { signal }).toArray({ limit: INVITATIONS }),
  })
  if (error !== null) return <ErrorState error={error} retry={refetch} />
  const open = data?.filter(({ accepted_at }) => accepted_at === null) ?? []
  if (open.length === 0) return null
  return (
    <Section title={t('people.invitations')}>
      <Stack gap="xs">
        {open.map((invitation) => (
          <Group key={invitation.id} justify="space-between">
            <div>
              <Text size="sm">{invitation.email}</Text>
              <Text size="xs" c="dimmed">
                {t('place.test', { ns: 'app' })}: {roleText(t, invitation.test_role)} ·{' '}
                {t('place.live', { ns: 'app' })}: {roleText(t, invitation.live_role)} · {t('people.expires')}{' '}
                <Time at={invitation.expires_at} />
              </Text>
            </div>
            {mayEdit && (
              <Button size="compact-xs" variant="default" onClick={() => setRevoked(invitation)}>
                {t('people.revoke')}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      <ActionDialog
        opened={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        title={t('people.revoke_title')}
        effect={t('people.revoke_effect', { email: revoked?.email })}
        confirmLabel={t('people.revoke')}
        isDanger
        run={(quittance) => (revoked ? quittance.invitations.revoke(revoked.id) : Promise.resolve())}
      />
    </Section>
  )
}
