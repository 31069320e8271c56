import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { useWrite } from '#app/use-write.ts'
import { RowsField } from '#components/rows-field.tsx'
import { SettingsForm } from '#components/settings-form.tsx'

type Settings = Schemas['BillingSettings']
type Treatment = Schemas['TaxSum']['treatment']

interface RateAccount {
  readonly percentage: string
  readonly treatment: Treatment
  readonly account: string
  readonly tax_key?: string
}

const SCOPE = 'billing:write'
const ACCOUNTS = ['receivables', 'bank', 'cash', 'fees', 'write_offs', 'disputes'] as const
const LISTS = ['revenue', 'tax'] as const
const TREATMENTS = ['taxed', 'reverse_charge', 'exempt', 'not_registered', 'no_rate'] as const
const ADDED: RateAccount = { percentage: '', treatment: 'taxed', account: '' }
const DATEV = ['consultant', 'client', 'account_length'] as const
const WHOLE = { allowDecimal: false, allowNegative: false, min: 1 } as const

/** The accounts of files for bookkeeping programs, and what DATEV wants to know. */
export function AccountsForm({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation(['billing', 'reports'])
  const mayEdit = useApi().can(SCOPE)
  const { accounts, datev } = settings
  const [names, setNames] = useState(
    Object.fromEntries(ACCOUNTS.map((name) => [name, accounts?.[name] ?? ''])) as Record<
      (typeof ACCOUNTS)[number],
      string
    >,
  )
  const [lists, setLists] = useState<Record<(typeof LISTS)[number], readonly RateAccount[]>>({
    revenue: accounts?.revenue ?? [],
    tax: accounts?.tax ?? [],
  })
  const [numbers, setNumbers] = useState<Record<(typeof DATEV)[number], number | string>>({
    consultant: datev?.consultant ?? '',
    client: datev?.client ?? '',
    account_length: datev?.account_length ?? 4,
  })
  const [start, setStart] = useState(datev?.fiscal_year_start ?? '01-01')
  const rates = (rows: readonly RateAccount[]) =>
    rows.map(({ tax_key: key = '', ...row }) => ({ ...row, ...(key !== '' && { tax_key: key }) }))
  const submission = useWrite({
    write: (quittance) =>
      quittance.billingSettings.update({
        accounts: {
          ...Object.fromEntries(ACCOUNTS.map((name) => [name, names[name] === '' ? null : names[name]])),
          revenue: rates(lists.revenue),
          tax: rates(lists.tax),
        },
        datev:
          numbers.consultant === ''
            ? null
            : {
                consultant: Number(numbers.consultant),
                client: Number(numbers.client),
                account_length: Number(numbers.account_length),
                fiscal_year_start: start,
              },
      }),
    onSuccess: () => notifications.show({ color: 'green', message: t('saved') }),
  })
  const isComplete =
    [...lists.revenue, ...lists.tax].every((row) => row.percentage !== '' && row.account !== '') &&
    (numbers.consultant === '' || (numbers.client !== '' && numbers.account_length !== ''))
  return (
    <SettingsForm
      submission={submission}
      scope={SCOPE}
      saveLabel={t('save')}
      isComplete={isComplete}
      intro={t('accounts.text')}
    >
      {ACCOUNTS.map((name) => (
        <TextInput
          key={name}
          label={t(`accounts.${name}`)}
          disabled={!mayEdit}
          value={names[name]}
          onChange={({ currentTarget: { value } }) => setNames({ ...names, [name]: value })}
        />
      ))}
      {LISTS.map((list) => (
        <RowsField
          key={list}
          rows={lists[list]}
          added={ADDED}
          addLabel={t(`accounts.add_${list}`)}
          labelOf={(_, index) => t(`accounts.${list}`, { number: index + 1 })}
          removeLabel={(_, index) =>
            t('accounts.remove', { name: t(`accounts.${list}`, { number: index + 1 }) })
          }
          onChange={(rows) => setLists({ ...lists, [list]: rows })}
        >
          {(row, change) => (
            <SimpleGrid cols={{ base: 2, sm: list === 'tax' ? 3 : 4 }} spacing="xs">
              <Select
                label={t('reports:invoices.column.treatment')}
                allowDeselect={false}
                disabled={!mayEdit}
                data={TREATMENTS.map((value) => ({ value, label: t(`reports:invoices.treatment.${value}`) }))}
                value={row.treatment}
                onChange={(treatment) => treatment !== null && change({ treatment })}
              />
              <TextInput
                label={t('accounts.percentage')}
                inputMode="decimal"
                disabled={!mayEdit}
                value={row.percentage}
                onChange={({ currentTarget: { value } }) => change({ percentage: value.replace(',', '.') })}
              />
              <TextInput
                label={t(list === 'tax' ? 'accounts.tax_name' : 'accounts.account')}
                disabled={!mayEdit}
                value={row.account}
                onChange={({ currentTarget: { value } }) => change({ account: value })}
              />
              {list === 'revenue' && (
                <TextInput
                  label={t('accounts.tax_key')}
                  disabled={!mayEdit}
                  value={row.tax_key ?? ''}
                  onChange={({ currentTarget: { value } }) => change({ tax_key: value })}
                />
              )}
            </SimpleGrid>
          )}
        </RowsField>
      ))}
      {DATEV.map((name) => (
        <NumberInput
          key={name}
          {...WHOLE}
          label={t(`accounts.${name}`)}
          thousandSeparator=""
          disabled={!mayEdit}
          value={numbers[name]}
          onChange={(value) => setNumbers({ ...numbers, [name]: value })}
        />
      ))}
      <TextInput
        label={t('accounts.fiscal_year_start')}
        disabled={!mayEdit}
        value={start}
        onChange={({ currentTarget: { value } }) => setStart(value)}
      />
    </SettingsForm>
  )
}
