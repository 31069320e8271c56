import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { countryName } from '#components/address.tsx'
import { COUNTRIES, type Country } from '#components/countries.ts'

interface CountrySelectProps {
  readonly label: string
  readonly value: Country | null
  readonly onChange: (country: Country) => void
  readonly isRequired?: boolean
}

/** Countries by their names in the language of the page, found by a part of the name or by the code. */
export function CountrySelect({ label, value, onChange, isRequired = true }: CountrySelectProps) {
  const { i18n } = useTranslation()
  const { language } = i18n
  const names = COUNTRIES.map((code) => ({ value: code, label: `${countryName(code, language)} (${code})` }))
  return (
    <Select
      label={label}
      required={isRequired}
      searchable
      value={value}
      data={names.toSorted((a, b) => a.label.localeCompare(b.label, language))}
      onChange={(code) => {
        if (code !== null) onChange(code)
      }}
    />
  )
}
