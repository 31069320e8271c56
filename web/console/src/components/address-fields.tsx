import { Group, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Address } from '#components/address.tsx'
import { type Country, WITHOUT_POSTAL_CODES } from '#components/countries.ts'
import { CountrySelect } from '#components/country-select.tsx'

export interface AddressDraft {
  readonly line1: string
  readonly line2: string
  readonly postal_code: string
  readonly city: string
  readonly region: string
  readonly country: Country | null
}

export const NO_ADDRESS: AddressDraft = {
  line1: '',
  line2: '',
  postal_code: '',
  city: '',
  region: '',
  country: null,
}

export function addressDraft({ line2, postal_code, region, country, ...rest }: Address): AddressDraft {
  return {
    ...rest,
    postal_code: postal_code ?? '',
    line2: line2 ?? '',
    region: region ?? '',
    country: country as Country,
  }
}

/** The address as the API takes it, or undefined while something is missing. */
export function readAddress({ line1, line2, postal_code, city, region, country }: AddressDraft) {
  if ([line1, city].some((text) => text.trim() === '') || country === null) return undefined
  if (postal_code.trim() === '' && !WITHOUT_POSTAL_CODES.has(country)) return undefined
  return {
    line1,
    line2: line2 || null,
    postal_code: postal_code.trim() || null,
    city,
    region: region || null,
    country,
  }
}

interface AddressFieldsProps {
  readonly value: AddressDraft
  readonly onChange: (value: AddressDraft) => void
  readonly isRequired?: boolean
}

export function AddressFields({ value, onChange, isRequired = true }: AddressFieldsProps) {
  const { t } = useTranslation('components')
  const field = (name: Exclude<keyof AddressDraft, 'country'>, maxLength = 255) => ({
    label: t(`address.${name}`),
    value: value[name],
    maxLength,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...value, [name]: event.currentTarget.value }),
  })
  return (
    <>
      <TextInput {...field('line1')} required={isRequired} />
      <TextInput {...field('line2')} />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput
          {...field('postal_code', 32)}
          required={isRequired && !WITHOUT_POSTAL_CODES.has(value.country ?? '')}
          w={120}
          flex="none"
        />
        <TextInput {...field('city')} required={isRequired} />
      </Group>
      <Group grow align="flex-start">
        <TextInput {...field('region')} />
        <CountrySelect
          label={t('address.country')}
          isRequired={isRequired}
          value={value.country}
          onChange={(country) => onChange({ ...value, country })}
        />
      </Group>
    </>
  )
}
