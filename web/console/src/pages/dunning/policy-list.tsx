import type { DunningPolicy } from 'quittance'
import { useTranslation } from 'react-i18next'
import { BILLING } from '#app/api.ts'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Time } from '#components/time.tsx'

export const policyList: ListDefinition<DunningPolicy> = {
  name: 'dunning',
  path: `${BILLING}/dunning_policies`,
  load: ({ quittance }, query, signal) => quittance.dunningPolicies.list(query, { signal }),
  rowId: ({ id }) => id,
  rowLink: ({ id }) => `/dunning-policies/${id}`,
  columns: [
    { id: 'name', phone: 'title', cell: ({ name }) => name },
    { id: 'steps', phone: 'end', align: 'right', cell: ({ steps }) => steps.length },
    { id: 'exhausted', phone: 'detail', cell: (policy) => <Exhausted policy={policy} /> },
    { id: 'reference_id', phone: 'end_detail', cell: ({ reference_id }) => reference_id ?? '—' },
    { id: 'id', isHidden: true, cell: ({ id }) => id },
    { id: 'created_at', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  filters: [
    { field: 'reference_id', kind: 'text' },
    { field: 'created_at', kind: 'time' },
    { field: 'id', kind: 'exact' },
  ],
}

function Exhausted({ policy }: { readonly policy: DunningPolicy }) {
  const { t } = useTranslation('dunning')
  return t(`exhausted.${policy.exhausted}`)
}
