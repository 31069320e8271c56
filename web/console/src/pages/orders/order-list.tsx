import type { Order } from 'quittance'
import { PAYMENTS } from '#app/api.ts'
import { CustomerName } from '#components/customer-name.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Money } from '#components/money.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

const STATES = ['open', 'completed', 'refunded', 'voided', 'expired'] as const
const CORRESPONDENCE_STATES = ['unpaid', 'partial_paid', 'paid', 'over_paid'] as const

export const orderList: ListDefinition<Order> = {
  name: 'orders',
  path: `${PAYMENTS}/orders`,
  spreadsheet: {
    path: `${PAYMENTS}/orders/spreadsheet.csv`,
    columns: ['created_at', 'reference_number', 'customer'],
  },
  load: ({ quittance }, query, signal) => quittance.orders.list(query, { signal }),
  rowId: ({ number }) => number,
  rowLink: ({ number }) => `/orders/${encodeURIComponent(number)}`,
  columns: [
    {
      id: 'amount',
      align: 'right',
      phone: 'end',
      exported: ['initial_total', 'currency'],
      cell: ({ initial_total, currency }) => <Money amount={initial_total} currency={currency} />,
    },
    {
      id: 'state',
      phone: 'end_detail',
      exported: ['state', 'correspondence_state'],
      cell: ({ state, correspondence_state }) => (
        <StateBadge state={state === 'open' ? correspondence_state : state} />
      ),
    },
    { id: 'reference_number', phone: 'title', cell: ({ reference_number }) => reference_number },
    { id: 'number', isHidden: true, exported: ['number'], cell: ({ number }) => number },
    {
      id: 'paid_total',
      align: 'right',
      exported: ['paid_total', 'currency'],
      cell: ({ paid_total, currency }) => <Money amount={paid_total} currency={currency} />,
    },
    {
      id: 'refunded_total',
      align: 'right',
      isHidden: true,
      exported: ['refunded_total', 'currency'],
      cell: ({ refunded_total, currency }) => <Money amount={refunded_total} currency={currency} />,
    },
    { id: 'customer_uuid', cell: ({ customer_uuid }) => <CustomerName uuid={customer_uuid} /> },
    {
      id: 'source',
      isHidden: true,
      exported: ['source'],
      cell: ({ source }) => <StateBadge state={source} tone="plain" />,
    },
    {
      id: 'due_date',
      isHidden: true,
      exported: ['due_date'],
      cell: ({ due_date }) => <Time at={due_date} />,
    },
    { id: 'created_at', phone: 'detail', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  filters: [
    { field: 'state', kind: 'word', words: STATES },
    { field: 'correspondence_state', kind: 'word', words: CORRESPONDENCE_STATES },
    { field: 'created_at', kind: 'time' },
    { field: 'initial_total', kind: 'number' },
    { field: 'currency', kind: 'exact' },
    { field: 'reference_number', kind: 'text' },
    { field: 'number', kind: 'exact' },
    { field: 'customer.uuid', kind: 'exact' },
  ],
  views: [
    { name: 'unpaid', filter: 'state = open AND correspondence_state = unpaid' },
    { name: 'completed', filter: 'state = completed' },
    { name: 'refunded', filter: 'state = refunded' },
  ],
}
