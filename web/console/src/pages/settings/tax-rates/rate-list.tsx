import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'
import { BILLING } from '#app/api.ts'
import { countryName } from '#components/address.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { OpenButton } from '#components/list/open-button.tsx'
import { formatDate, Time } from '#components/time.tsx'

export type TaxRate = Schemas['TaxRate']

export function rateList(onEnd: (rate: TaxRate) => void): ListDefinition<TaxRate> {
  return {
    name: 'tax-rates',
    path: `${BILLING}/tax_rates`,
    load: ({ quittance }, query, signal) => quittance.taxRates.list(query, { signal }),
    rowId: ({ id }) => id,
    rowOpen: onEnd,
    columns: [
      { id: 'name', phone: 'title', cell: ({ name }) => name },
      { id: 'percentage', align: 'right', phone: 'end', cell: ({ percentage }) => `${percentage} %` },
      { id: 'country', phone: 'detail', cell: (rate) => <Place rate={rate} /> },
      { id: 'category', cell: ({ category }) => <Category category={category} /> },
      {
        id: 'valid_from',
        phone: 'detail',
        cell: ({ valid_from }) => <Time at={valid_from} />,
        phoneCell: (rate) => <Validity rate={rate} />,
      },
      { id: 'valid_until', cell: ({ valid_until }) => <Time at={valid_until} /> },
      { id: 'reference_id', isHidden: true, cell: ({ reference_id }) => reference_id ?? '—' },
      { id: 'id', isHidden: true, cell: ({ id }) => id },
      { id: 'created_at', isHidden: true, cell: ({ created_at }) => <Time at={created_at} /> },
      {
        id: 'open',
        align: 'right',
        phone: 'end_detail',
        cell: (rate) => <OpenButton area="tax-rates" onOpen={() => onEnd(rate)} />,
      },
    ],
    filters: [
      { field: 'created_at', kind: 'time' },
      { field: 'reference_id', kind: 'text' },
      { field: 'id', kind: 'exact' },
    ],
  }
}

function Place({ rate: { country, region } }: { readonly rate: TaxRate }) {
  const { i18n } = useTranslation()
  return [countryName(country, i18n.language), region].filter((text) => text !== null).join(', ')
}

function Validity({ rate: { valid_from: from, valid_until: until } }: { readonly rate: TaxRate }) {
  const { t, i18n } = useTranslation('tax-rates')
  const values = { from: formatDate(from, i18n.language) }
  return until === null
    ? t('valid.from', values)
    : t('valid.between', { ...values, until: formatDate(until, i18n.language) })
}

function Category({ category }: Pick<TaxRate, 'category'>) {
  const { t } = useTranslation('tax-rates')
  return category ?? t('all_categories')
}
