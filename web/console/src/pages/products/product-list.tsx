import type { Product } from 'quittance'
import { BILLING } from '#app/api.ts'
import type { ListDefinition } from '#components/list/list-types.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

export const productList: ListDefinition<Product> = {
  name: 'products',
  path: `${BILLING}/products`,
  load: ({ quittance }, query, signal) => quittance.products.list(query, { signal }),
  rowId: ({ id }) => id,
  rowLink: ({ id }) => `/products/${id}`,
  columns: [
    { id: 'name', phone: 'title', cell: ({ name }) => name },
    { id: 'state', phone: 'end_detail', cell: ({ state }) => <StateBadge state={state} /> },
    { id: 'unit_label', phone: 'detail', cell: ({ unit_label }) => unit_label ?? '—' },
    { id: 'reference_id', phone: 'end', cell: ({ reference_id }) => reference_id ?? '—' },
    { id: 'tax_category', isHidden: true, cell: ({ tax_category }) => tax_category },
    { id: 'id', isHidden: true, cell: ({ id }) => id },
    { id: 'created_at', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  filters: [
    { field: 'state', kind: 'word', words: ['active', 'archived'] },
    { field: 'reference_id', kind: 'text' },
    { field: 'created_at', kind: 'time' },
    { field: 'id', kind: 'exact' },
  ],
}
