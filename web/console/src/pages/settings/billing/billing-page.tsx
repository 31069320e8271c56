import { NumberInput, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { useWrite } from '#app/use-write.ts'
import { AmountField, amountProblem } from '#components/amount-field.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { isCurrency } from '#components/main-currency.ts'
import { PageHeader } from '#components/page-header.tsx'
import { RowsField } from '#components/rows-field.tsx'
import { Section } from '#components/section.tsx'
import { SettingsForm } from '#components/settings-form.tsx'
import { AccountsForm } from '#pages/settings/billing/accounts-form.tsx'
import { TaxEngine } from '#pages/settings/billing/tax-engine.tsx'

type Settings = Schemas['BillingSettings']

interface Limit {
  readonly currency: string
  readonly amount: string
}

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
  const [limits, setLimits] = useState<readonly Limit[]>(
    Object.entries(settings.write_off_up_to).map(([currency, amount]) => ({ currency, amount })),
  )
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
        write_off_up_to: Object.fromEntries(limits.map(({ currency, amount }) => [currency, amount])),
        ...(draft.locked_until !== settings.locked_until && { locked_until: draft.locked_until }),
      }),
    onSuccess: () => notifications.show({ color: 'green', message: t('saved') }),
  })
  return (
    <SettingsForm
      submission={submission}
      scope={SCOPE}
      saveLabel={t('save')}
      isComplete={days !== '' && limits.every((limit) => limitProblem(limit, limits) === undefined)}
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
      <WriteOffLimits limits={limits} mayEdit={mayEdit} onChange={setLimits} />
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

function limitProblem({ currency, amount }: Limit, limits: readonly Limit[]) {
  if (!isCurrency(currency)) return 'currency'
  if (limits.filter((limit) => limit.currency === currency).length > 1) return 'twice'
  return amountProblem(amount, currency)
}

/** What a transfer may lack, by currency: it pays its invoice all the same. */
function WriteOffLimits(props: {
  readonly limits: readonly Limit[]
  readonly mayEdit: boolean
  readonly onChange: (limits: readonly Limit[]) => void
}) {
  const { limits, mayEdit, onChange } = props
  const { t } = useTranslation(['billing', 'components'])
  return (
    <Stack gap="xs">
      <Text size="sm">{t('write_off.text')}</Text>
      <RowsField
        rows={limits}
        added={{ currency: '', amount: '' }}
        addLabel={t('write_off.add')}
        labelOf={(_, index) => t('write_off.limit', { number: index + 1 })}
        removeLabel={(_, index) =>
          t('accounts.remove', { name: t('write_off.limit', { number: index + 1 }) })
        }
        onChange={onChange}
      >
        {(limit, change) => {
          const problem = limitProblem(limit, limits)
          const isWrong = limit.currency !== '' && (problem === 'currency' || problem === 'twice')
          return (
            <SimpleGrid cols={2} spacing="xs">
              <TextInput
                label={t('components:amount.currency')}
                required
                disabled={!mayEdit}
                maxLength={3}
                placeholder="EUR"
                value={limit.currency}
                error={isWrong && t(`write_off.${problem}`)}
                onChange={({ currentTarget: { value } }) => change({ currency: value.toUpperCase() })}
              />
              <AmountField
                label={t('write_off.amount')}
                value={limit.amount}
                currency={isCurrency(limit.currency) ? limit.currency : ''}
                onChange={(amount) => change({ amount })}
              />
            </SimpleGrid>
          )
        }}
      </RowsField>
    </Stack>
  )
}
