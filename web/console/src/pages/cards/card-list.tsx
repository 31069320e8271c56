import type { Card } from 'quittance'
import { brandName } from '#components/brand-name.ts'
import type { ListDefinition } from '#components/list/list-types.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { STATUSES, toneOf } from '#pages/cards/card.ts'

const TYPES = ['virtual', 'physical'] as const satisfies readonly Card['type'][]

export const cardList: ListDefinition<Card> = {
  name: 'cards',
  path: '/svc/ts/api/v1/openapi/cards',
  load: ({ quittance }, query, signal) => quittance.cards.list(query, { signal }),
  rowId: ({ id }) => id,
  rowLink: ({ id }) => `/cards/${id}`,
  columns: [
    {
      id: 'number',
      phone: 'title',
      cell: ({ issuer_brand, last_4_digits }) => `${brandName(issuer_brand)} •••• ${last_4_digits}`,
    },
    { id: 'title', phone: 'detail', cell: ({ title }) => title || '—' },
    { id: 'status', phone: 'end', cell: ({ status }) => <StateBadge state={status} tone={toneOf(status)} /> },
    { id: 'type', cell: ({ type }) => <StateBadge state={type} tone="plain" /> },
    { id: 'settlement_currency', cell: ({ settlement_currency }) => settlement_currency },
    { id: 'p_user_id', cell: ({ p_user_id }) => p_user_id ?? '—' },
    { id: 'expiration_date', isHidden: true, cell: ({ expiration_date }) => expiration_date },
    { id: 'reference_id', isHidden: true, cell: ({ reference_id }) => reference_id },
    { id: 'id', isHidden: true, cell: ({ id }) => id },
    { id: 'created_at', phone: 'end_detail', cell: ({ p_created_at }) => <Time at={p_created_at} /> },
  ],
  filters: [
    { field: 'status', kind: 'word', words: STATUSES },
    { field: 'type', kind: 'word', words: TYPES },
    { field: 'last_4_digits', kind: 'exact' },
    { field: 'p_user_id', kind: 'exact' },
    { field: 'reference_id', kind: 'exact' },
    { field: 'created_at', kind: 'time' },
    { field: 'id', kind: 'exact' },
  ],
  views: [
    { name: 'active', filter: 'status = Active' },
    { name: 'locked', filter: 'status = Locked' },
    { name: 'suspended', filter: 'status = Suspended' },
  ],
}
