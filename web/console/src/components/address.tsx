import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export interface Address {
  readonly line1: string
  readonly line2?: string | null
  readonly postal_code?: string | null
  readonly city: string
  readonly region?: string | null
  readonly country: string
}

export function AddressText({ address }: { readonly address: Address }) {
  const { i18n } = useTranslation()
  const { line1, line2, postal_code, city, region, country } = address
  const place = [[postal_code, city].filter(Boolean).join(' '), region].filter(Boolean).join(', ')
  return (
    <Text size="sm" component="address" fs="normal">
      {[line1, line2, place, countryName(country, i18n.language)].filter(Boolean).map((line) => (
        <span key={line} style={{ display: 'block' }}>
          {line}
        </span>
      ))}
    </Text>
  )
}

export function countryName(code: string, language: string): string {
  return new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(code) ?? code
}
