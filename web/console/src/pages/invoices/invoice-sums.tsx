import { Group, Select, Stack, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useApiQuery } from '#components/loaded.tsx'
import { Money } from '#components/money.tsx'
import { INVOICE_SORTS, type InvoicesSearch } from '#pages/invoices/invoice-search.ts'

/** The order of the list, and the sums of what its filter finds. */
export function InvoiceSums() {
  const { t } = useTranslation('invoices')
  const navigate = useNavigate()
  const { filter = '', sort }: InvoicesSearch = useSearch({ strict: false })
  const { data } = useApiQuery(['invoices', 'totals', filter], (api, signal) =>
    api.quittance.invoices.totals(filter === '' ? {} : { filter }, { signal }),
  )
  const labelOf = (value: string) => {
    const isDescending = value.startsWith('-')
    const name = t(`column.${isDescending ? value.slice(1) : value}`)
    return t(isDescending ? 'sums.descending' : 'sums.ascending', { name })
  }
  return (
    <Group justify="space-between" align="flex-end" mb="sm" gap="md">
      <Stack gap={2} aria-live="polite">
        {data?.totals.map(({ currency, documents, total, amount_due }) => (
          <Text key={currency} size="sm">
            {t('sums.documents', { count: documents })} · <Money amount={total} currency={currency} /> ·{' '}
            {t('column.amount_due')} <Money amount={amount_due} currency={currency} />
          </Text>
        ))}
      </Stack>
      <Select
        size="xs"
        label={t('sums.sort')}
        data={[
          { value: '', label: t('sums.newest') },
          ...INVOICE_SORTS.map((value) => ({ value, label: labelOf(value) })),
        ]}
        value={sort ?? ''}
        allowDeselect={false}
        onChange={(value) =>
          void navigate({
            to: '.',
            search: (previous: Record<string, unknown>) => {
              const { sort: _, ...others } = previous
              return value === null || value === '' ? others : { ...others, sort: value }
            },
          })
        }
      />
    </Group>
  )
}
