import { Text } from '@mantine/core'
import type { CardAuthorization } from 'quittance'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Money } from '#components/money.tsx'
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
        cell: ({ merchant }) => (
          <>
            {merchant.name}
            <Text size="xs" c="dimmed">
              {merchant.mcc} · {merchant.country}
            </Text>
          </>
        ),
      },
      {
        id: 'amount',
        align: 'right',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      {
        id: 'state',
        cell: ({ state, decline_reason: reason }) => (
          <StateBadge
            state={state}
            {...(reason !== undefined && { label: reason.replaceAll('_', ' '), tone: 'bad' })}
          />
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
      { id: 'created_at', cell: ({ p_created_at }) => <Time at={p_created_at} /> },
    ],
  }
}
