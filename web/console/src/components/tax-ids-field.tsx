import { Group, Input, Select, Stack, TextInput } from '@mantine/core'
import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'
import type { Country } from '#components/countries.ts'
import { AddButton, RemoveButton } from '#components/row-buttons.tsx'

type TaxIdType = Schemas['LegalEntity']['tax_ids'][number]['type']

export interface TaxIdDraft {
  readonly type: TaxIdType
  readonly value: string
}

/** With the country whose businesses have such an id. */
const TYPES: Readonly<Record<TaxIdType, Country | null>> = {
  vat: null,
  hk_br: 'HK',
  sg_uen: 'SG',
  sg_gst: 'SG',
  au_abn: 'AU',
  nz_gst: 'NZ',
  ch_vat: 'CH',
  no_vat: 'NO',
  ca_bn: 'CA',
  us_ein: 'US',
  in_gst: 'IN',
  jp_rn: 'JP',
  kr_brn: 'KR',
  th_vat: 'TH',
  ae_trn: 'AE',
  za_vat: 'ZA',
}

const NAMES = Object.keys(TYPES) as TaxIdType[]

/** The ids as the API takes them. Rows without a value are left out. */
export function readTaxIds(drafts: readonly TaxIdDraft[]): TaxIdDraft[] {
  return drafts
    .filter(({ value }) => value.trim() !== '')
    .map(({ type, value }) => ({ type, value: value.trim() }))
}

interface TaxIdsFieldProps {
  readonly label: string
  readonly country: Country | null
  readonly value: readonly TaxIdDraft[]
  readonly onChange: (value: readonly TaxIdDraft[]) => void
}

export function TaxIdsField({ label, country, value, onChange }: TaxIdsFieldProps) {
  const { t } = useTranslation('tax-ids')
  const local = NAMES.find((type) => TYPES[type] !== null && TYPES[type] === country)
  const data = NAMES.map((type) => ({ value: type, label: t(`tax_id.${type}`) }))
  return (
    <Input.Wrapper label={label} description={t('tax_id.hint')} labelElement="div">
      <Stack gap="xs" mt={4}>
        {value.map(({ type, value: text }, index) => (
          // An id has nothing of its own until it is typed, and only its place distinguishes it.
          // oxlint-disable-next-line react/no-array-index-key
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
            <Select
              aria-label={t('tax_id.type', { number: index + 1 })}
              data={data}
              value={type}
              allowDeselect={false}
              searchable
              onChange={(chosen) =>
                chosen !== null && onChange(value.with(index, { type: chosen, value: text }))
              }
            />
            <TextInput
              aria-label={t('tax_id.value', { number: index + 1 })}
              style={{ flex: 1 }}
              maxLength={64}
              autoComplete="off"
              placeholder={type === 'vat' ? 'DE136695976' : ''}
              value={text}
              onChange={(event) => onChange(value.with(index, { type, value: event.currentTarget.value }))}
            />
            <RemoveButton
              mt={4}
              label={t('tax_id.remove', { number: index + 1 })}
              onClick={() => onChange(value.toSpliced(index, 1))}
            />
          </Group>
        ))}
        <AddButton onClick={() => onChange([...value, { type: local ?? 'vat', value: '' }])}>
          {t('tax_id.add')}
        </AddButton>
      </Stack>
    </Input.Wrapper>
  )
}
