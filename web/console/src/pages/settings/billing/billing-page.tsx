import { NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { useWrite } from '#app/use-write.ts'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { Section } from '#components/section.tsx'
import { SettingsForm } from '#components/settings-form.tsx'
import { AccountsForm } from '#pages/settings/billing/accounts-form.tsx'
import { TaxEngine } from '#pages/settings/billing/tax-engine.tsx'

type Settings = Schemas['BillingSettings']

const SCOPE = 'billing:write'
const TAX_MODES = ['none', 'automatic'] as const
const COLLECTIONS = ['automatic', 'send_invoice'] as const
const MAX_ENTITIES = 100
const DAYS = { allowDecimal: false, allowNegative: false, min: 0, max: 3_650 } as const

export function BillingPage() {
  const { t } = useTranslation('billing')
  const query = useApiQuery(['billing_settings'], ({ quittance }, signal) =>
    quittance.billingSettings.get({ signal }),
  )
  return (
    <>
      <PageHeader title={t('title')} />
      <Stack gap="md" maw={640}>
        <Section title={t('new_plans')}>
          <Loaded query={query}>{(settings) => <BillingForm settings={settings} />}</Loaded>
        </Section>
        <Section title={t('accounts.title')}>
          <Loaded query={query}>{(settings) => <AccountsForm settings={settings} />}</Loaded>
        </Section>
        <TaxEngine />
      </Stack>
    </>
  )
}

function BillingForm({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation('billing')
  const mayEdit = useApi().can(SCOPE)
  const [draft, setDraft] = useState(settings)
  const [days, setDays] = useState<number | string>(settings.days_until_due)
  const entities = useApiQuery(['legal_entities', 'to_take'], async ({ quittance }, signal) => {
    const { data } = await quittance.legalEntities.list({ limit: MAX_ENTITIES }, { signal })
    return data
  })
  const submission = useWrite({
    write: (quittance) =>
      quittance.billingSettings.update({
        legal_entity_id: draft.legal_entity_id,
        tax: draft.tax,
        collection: draft.collection,
        days_until_due: Number(days),
        ...(draft.locked_until !== settings.locked_until && { locked_until: draft.locked_until }),
      }),
    onSuccess: () => notifications.show({ color: 'green', message: t('saved') }),
  })
  return (
    <SettingsForm
      submission={submission}
      scope={SCOPE}
      saveLabel={t('save')}
      isComplete={days !== ''}
      intro={t('text')}
    >
      <Select
        label={t('legal_entity_id')}
        placeholder={t('no_entity')}
        clearable
        disabled={!mayEdit}
        data={(entities.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={draft.legal_entity_id}
        onChange={(id) => setDraft({ ...draft, legal_entity_id: id })}
      />
      {entities.data?.length === 0 && (
        <Text size="sm">
          <TextLink to="/settings/legal-entities">{t('to_entities')}</TextLink>
        </Text>
      )}
      <Select
        label={t('tax')}
        allowDeselect={false}
        disabled={!mayEdit}
        data={TAX_MODES.map((value) => ({ value, label: t(`tax_mode.${value}`) }))}
        value={draft.tax}
        onChange={(tax) => tax !== null && setDraft({ ...draft, tax })}
      />
      <Select
        label={t('collection')}
        allowDeselect={false}
        disabled={!mayEdit}
        data={COLLECTIONS.map((value) => ({ value, label: t(`collection_mode.${value}`) }))}
        value={draft.collection}
        onChange={(collection) => collection !== null && setDraft({ ...draft, collection })}
      />
      {draft.collection === 'send_invoice' && (
        <NumberInput
          {...DAYS}
          label={t('days_until_due')}
          required
          disabled={!mayEdit}
          value={days}
          onChange={setDays}
        />
      )}
      <TextInput
        type="date"
        label={t('locked_until')}
        description={t('locked_until_text')}
        disabled={!mayEdit}
        value={draft.locked_until ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setDraft({ ...draft, locked_until: value === '' ? null : value })
        }
      />
    </SettingsForm>
  )
}
