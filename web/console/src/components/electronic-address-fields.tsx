import { Group, Select, TextInput } from '@mantine/core'
import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'

type Stored = Schemas['ElectronicAddress']
type Scheme = NonNullable<NonNullable<Schemas['BillingDetailsEdit']['electronic_address']>['scheme']>

export interface ElectronicAddressDraft {
  readonly scheme: string | null
  readonly value: string
}

/** The schemes that are named here; the API takes every code of the list EAS. */
const NAMED = [
  '0088',
  '0204',
  '0208',
  '0192',
  '0007',
  '0009',
  '0060',
  '0106',
  '0151',
  '0195',
  '9930',
  '9925',
  'EM',
] as const

export function electronicAddressDraft(address: Stored | null): ElectronicAddressDraft {
  return address ?? { scheme: null, value: '' }
}

/** The address as the API takes it. */
export function readElectronicAddress({ scheme, value }: ElectronicAddressDraft) {
  return scheme === null || value.trim() === '' ? null : { scheme: scheme as Scheme, value: value.trim() }
}

interface ElectronicAddressFieldsProps {
  readonly value: ElectronicAddressDraft
  readonly onChange: (value: ElectronicAddressDraft) => void
}

export function ElectronicAddressFields({ value, onChange }: ElectronicAddressFieldsProps) {
  const { t } = useTranslation('tax-ids')
  const named: readonly string[] = NAMED
  const others = value.scheme === null || named.includes(value.scheme) ? [] : [value.scheme]
  const data = [
    ...NAMED.map((scheme) => ({ value: scheme as string, label: `${scheme} ${t(`eas.${scheme}`)}` })),
    ...others.map((scheme) => ({ value: scheme, label: scheme })),
  ]
  return (
    <Group grow align="flex-start">
      <Select
        label={t('eas.scheme')}
        description={t('eas.hint')}
        data={data}
        value={value.scheme}
        clearable
        searchable
        onChange={(scheme) => onChange({ ...value, scheme })}
      />
      <TextInput
        label={t('eas.value')}
        description={t('eas.value_hint')}
        maxLength={255}
        autoComplete="off"
        value={value.value}
        onChange={(event) => onChange({ ...value, value: event.currentTarget.value })}
      />
    </Group>
  )
}
