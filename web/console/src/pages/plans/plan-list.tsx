import type { Plan } from 'quittance'
import { PAYMENTS } from '#app/api.ts'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Money } from '#components/money.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { currentCycle, currencyOf } from '#pages/plans/plan.ts'

const STATES = ['active', 'past_due', 'upcoming', 'paused', 'uncollectible', 'completed', 'canceled'] as const

export const planList: ListDefinition<Plan> = {
  name: 'plans',
  path: `${PAYMENTS}/recurring_payments/plan`,
  load: ({ quittance }, query, signal) => quittance.plans.list(query, { signal }),
  rowId: ({ id }) => id,
  rowLink: ({ id }) => `/plans/${id}`,
  columns: [
    { id: 'name', phone: 'title', cell: ({ name }) => name },
    { id: 'state', phone: 'end_detail', cell: ({ state }) => <StateBadge state={state} /> },
    {
      id: 'amount',
      align: 'right',
      phone: 'end',
      cell: (plan) => <Money amount={currentCycle(plan)?.billing_amount} currency={currencyOf(plan)} />,
    },
    { id: 'customer', phone: 'detail', cell: ({ customer }) => customer?.name ?? '—' },
    { id: 'next_execute_time', cell: ({ next_execute_time }) => <Time at={next_execute_time} /> },
    { id: 'reference_number', isHidden: true, cell: ({ reference_number }) => reference_number ?? '—' },
    { id: 'id', isHidden: true, cell: ({ id }) => id },
    { id: 'created_at', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  filters: [
    { field: 'state', kind: 'word', words: STATES },
    { field: 'name', kind: 'text' },
    { field: 'next_execute_time', kind: 'time' },
    { field: 'created_at', kind: 'time' },
    { field: 'reference_number', kind: 'text' },
    { field: 'customer.reference_number', kind: 'exact' },
    { field: 'customer.uuid', kind: 'exact' },
    { field: 'id', kind: 'exact' },
  ],
  views: [
    { name: 'active', filter: 'state = active' },
    { name: 'past_due', filter: 'state = past_due' },
    { name: 'uncollectible', filter: 'state = uncollectible' },
  ],
}
