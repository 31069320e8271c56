import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'
import { BILLING } from '#app/api.ts'
import { countryName } from '#components/address.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Time } from '#components/time.tsx'

export type LegalEntity = Schemas['LegalEntity']

export const entityList: ListDefinition<LegalEntity> = {
  name: 'legal-entities',
  path: `${BILLING}/legal_entities`,
  load: ({ quittance }, query, signal) => quittance.legalEntities.list(query, { signal }),
  rowId: ({ id }) => id,
  rowLink: ({ id }) => `/settings/legal-entities/${id}`,
  columns: [
    { id: 'name', phone: 'title', cell: ({ name }) => name },
    { id: 'country', phone: 'detail', cell: ({ address }) => <CountryText code={address.country} /> },
    { id: 'tax_ids', cell: ({ tax_ids }) => tax_ids.map(({ value }) => value).join(', ') || '—' },
    {
      id: 'registrations',
      phone: 'end_detail',
      cell: ({ registrations }) =>
        [...new Set(registrations.map(({ country }) => country))].join(', ') || '—',
    },
    { id: 'reference_id', phone: 'end', cell: ({ reference_id }) => reference_id ?? '—' },
    { id: 'id', isHidden: true, cell: ({ id }) => id },
    { id: 'created_at', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  filters: [
    { field: 'reference_id', kind: 'text' },
    { field: 'created_at', kind: 'time' },
    { field: 'id', kind: 'exact' },
  ],
}

export function CountryText({ code }: { readonly code: string }) {
  const { i18n } = useTranslation()
  return countryName(code, i18n.language)
}
