import type { Schemas } from 'quittance'
import { PAYMENTS } from '#app/api.ts'
import { ListPage } from '#components/list/list-page.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Money } from '#components/money.tsx'
import { sentence } from '#components/sentence.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { DueIn } from '#pages/disputes/due-in.tsx'

const STATES = [
  'needs_response',
  'under_review',
  'won',
  'lost',
  'inquiry_needs_response',
  'inquiry_under_review',
  'inquiry_closed',
] as const

const disputeList: ListDefinition<Schemas['Dispute']> = {
  name: 'disputes',
  path: `${PAYMENTS}/disputes`,
  load: ({ quittance }, query, signal) => quittance.disputes.list(query, { signal }),
  rowId: ({ id }) => id,
  rowLink: ({ id }) => `/disputes/${id}`,
  columns: [
    {
      id: 'amount',
      align: 'right',
      phone: 'end',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    { id: 'state', phone: 'end_detail', cell: ({ state }) => <StateBadge state={state} /> },
    { id: 'reason', phone: 'title', cell: ({ reason }) => sentence(reason) },
    { id: 'respond_by', phone: 'detail', cell: (dispute) => <DueIn dispute={dispute} /> },
    { id: 'order_number', cell: ({ order_number }) => order_number ?? '—' },
    { id: 'acquirer_reference', isHidden: true, cell: ({ acquirer_reference }) => acquirer_reference },
    { id: 'id', isHidden: true, cell: ({ id }) => id },
    { id: 'created_at', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  filters: [
    { field: 'state', kind: 'word', words: STATES },
    { field: 'respond_by', kind: 'time' },
    { field: 'reason', kind: 'exact' },
    { field: 'amount', kind: 'number' },
    { field: 'currency', kind: 'exact' },
    { field: 'created_at', kind: 'time' },
    { field: 'order_number', kind: 'exact' },
    { field: 'account_id', kind: 'exact' },
    { field: 'reference', kind: 'exact' },
    { field: 'id', kind: 'exact' },
  ],
  views: [
    { name: 'needs_response', filter: '(state = needs_response OR state = inquiry_needs_response)' },
    { name: 'won', filter: 'state = won' },
    { name: 'lost', filter: 'state = lost' },
  ],
}

export function DisputeListPage() {
  return <ListPage list={disputeList} />
}
