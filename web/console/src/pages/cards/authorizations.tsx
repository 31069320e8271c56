import { Text } from '@mantine/core'
import type { CardAuthorization } from 'quittance'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Money } from '#components/money.tsx'
import { sentence } from '#components/sentence.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

/** The authorizations of a card, newest first. */
export function authorizationsOf(card: string): ListDefinition<CardAuthorization> {
  return {
    name: 'authorizations',
    query: { card },
    load: ({ quittance }, query, signal) => quittance.cardAuthorizations.list(card, query, { signal }),
    rowId: ({ uuid }) => uuid,
    filters: [],
    columns: [
      {
        id: 'merchant',
        phone: 'title',
        cell: ({ merchant, p_created_at }) => (
          <>
            {merchant.name}
            <Text size="xs" c="dimmed">
              {merchant.mcc} · {merchant.country} · <Time at={p_created_at} />
            </Text>
          </>
        ),
      },
      {
        id: 'amount',
        align: 'right',
        phone: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      {
        id: 'state',
        phone: 'end_detail',
        cell: ({ state, decline_reason: reason }) => (
          <StateBadge state={state} {...(reason !== undefined && { label: sentence(reason), tone: 'bad' })} />
        ),
      },
      {
        id: 'held',
        align: 'right',
        cell: ({ held_amount, currency }) => <Money amount={held_amount} currency={currency} />,
      },
      {
        id: 'captured',
        align: 'right',
        cell: ({ captured_amount, currency }) => <Money amount={captured_amount} currency={currency} />,
      },
    ],
  }
}
