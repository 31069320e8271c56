import { Box, Select, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionQuery } from '#app/session.ts'
import { useApi } from '#app/shell-context.ts'
import { useWrite } from '#app/use-write.ts'
import { CopyableId } from '#components/copyable-id.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { Section } from '#components/section.tsx'
import { SettingsForm } from '#components/settings-form.tsx'

type Business = Schemas['Business']

const SCOPE = 'admin:write'

export function BusinessPage() {
  const { t } = useTranslation('settings')
  const query = useApiQuery(['business'], ({ quittance }, signal) => quittance.business.get({ signal }))
  return (
    <>
      <PageHeader title={t('business.title')} />
      <Loaded query={query}>{(business) => <BusinessForm business={business} />}</Loaded>
    </>
  )
}

function BusinessForm({ business }: { readonly business: Business }) {
  const { t } = useTranslation(['settings', 'components'])
  const queryClient = useQueryClient()
  const router = useRouter()
  const [draft, setDraft] = useState(business)
  const mayEdit = useApi().can(SCOPE)
  const submission = useWrite({
    write: (quittance) => quittance.business.set(changesOf(business, draft)),
    onSuccess: async () => {
      notifications.show({ color: 'green', message: t('business.saved') })
      // The shell reads the session when it is entered.
      await queryClient.refetchQueries({ queryKey: sessionQuery.queryKey, type: 'all' })
      await router.invalidate()
    },
  })
  return (
    <Section title={t('business.section')}>
      <Box maw={480}>
        <SettingsForm submission={submission} scope={SCOPE} saveLabel={t('save')} isComplete>
          {!mayEdit && <Text size="sm">{t('components:action.scope_missing', { scope: SCOPE })}</Text>}
          <TextInput
            label={t('business.name')}
            description={t('business.name_text')}
            required
            withAsterisk={false}
            maxLength={255}
            disabled={!mayEdit}
            value={draft.name}
            onChange={({ currentTarget: { value } }) => setDraft({ ...draft, name: value })}
          />
          <Select
            label={t('business.time_zone')}
            description={t('business.time_zone_text')}
            data={namesOf('timeZone', business.time_zone)}
            searchable
            allowDeselect={false}
            disabled={!mayEdit}
            value={draft.time_zone}
            onChange={(zone) => setDraft({ ...draft, time_zone: zone ?? draft.time_zone })}
          />
          <Select
            label={t('components:amount.currency')}
            description={t('business.currency_text')}
            data={namesOf('currency', business.currency)}
            searchable
            allowDeselect={false}
            disabled={!mayEdit}
            value={draft.currency}
            onChange={(currency) => setDraft({ ...draft, currency: currency ?? draft.currency })}
          />
          <div>
            <Text size="sm" fw={500}>
              {t('business.code')}
            </Text>
            <CopyableId id={business.code} />
          </div>
        </SettingsForm>
      </Box>
    </Section>
  )
}

/** What the browser knows by name, and what is chosen, should it not know that. */
function namesOf(kind: 'timeZone' | 'currency', chosen: string): string[] {
  return [...new Set([...Intl.supportedValuesOf(kind), chosen])].toSorted()
}

function changesOf(before: Business, { name, time_zone, currency }: Business) {
  return {
    ...(name !== before.name && { name }),
    ...(time_zone !== before.time_zone && { time_zone }),
    ...(currency !== before.currency && { currency }),
  }
}
