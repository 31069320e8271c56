import { Stack, Text } from '@mantine/core'
import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'

type TaxIdType = Schemas['LegalEntity']['tax_ids'][number]['type']

interface TaxIdListProps {
  /** The types are those of the API, also of copies that documents have. */
  readonly ids: readonly { readonly type: string; readonly value: string }[]
}

export function TaxIdList({ ids }: TaxIdListProps) {
  const { t } = useTranslation('tax-ids')
  if (ids.length === 0) return '—'
  return (
    <Stack gap={2}>
      {ids.map(({ type, value }) => (
        <Text key={`${type} ${value}`} size="sm" span>
          {t(`tax_id.${type as TaxIdType}`)}: {value}
        </Text>
      ))}
    </Stack>
  )
}
