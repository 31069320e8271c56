import { Alert, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { businessesQuery, type Session, sessionQuery } from '#app/session.ts'
import { callSession } from '#app/session-api.ts'
import { CopyableId } from '#components/copyable-id.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { joinParts } from '#components/joined.ts'
import { TextLink } from '#components/links.tsx'
import { Section } from '#components/section.tsx'
import { AddByName } from '#pages/account/add-by-name.tsx'

interface NewBusiness {
  readonly business: { readonly code: string; readonly name: string }
  readonly api_key: string
}

/** The businesses of the user. An operator sees all of them, and creates new ones. */
export function Businesses({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation('account')
  const queryClient = useQueryClient()
  const { operator } = session.user
  const { data, error, refetch } = useQuery({ ...businessesQuery, enabled: operator })
  const [created, setCreated] = useState<NewBusiness>()
  const own = new Set(session.memberships.map(({ business }) => business.code))
  const shown = data ?? session.memberships
  return (
    <Section
      title={t('businesses.title')}
      actions={
        operator && (
          <AddByName
            label={t('businesses.create')}
            nameLabel={t('businesses.name')}
            add={(name) => callSession<NewBusiness>('POST', '/businesses', { name })}
            onDone={async (business) => {
              setCreated(business)
              await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
              await refetch()
            }}
          />
        )
      }
    >
      <Stack gap="xs">
        {shown.length === 0 && <Text size="sm">{t('businesses.none')}</Text>}
        {error !== null && <ErrorState error={error} retry={refetch} />}
        {created !== undefined && (
          <Alert color="green" title={t('businesses.created', { name: created.business.name })}>
            <Text size="sm">{t('businesses.key')}</Text>
            <CopyableId id={created.api_key} />
          </Alert>
        )}
        {shown.map(({ business, test_role, live_role }) => (
          <Group key={business.code} justify="space-between" wrap="nowrap">
            {operator || own.has(business.code) ? (
              <TextLink to="/" search={{ business: business.code }} size="sm">
                {business.name}
              </TextLink>
            ) : (
              <Text size="sm">{business.name}</Text>
            )}
            <Text size="xs" c="dimmed">
              {joinParts(
                i18n.language,
                [...new Set([test_role, live_role])]
                  .filter((role) => role !== null)
                  .map((role) => t(`components:role.${role}`)),
              )}
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  )
}
