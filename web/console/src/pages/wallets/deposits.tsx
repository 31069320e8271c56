import type { Wallet, WalletTransaction } from 'quittance'
import { CopyableId } from '#components/copyable-id.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Money } from '#components/money.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

/** What arrived at the addresses of a wallet. */
export function depositsOf(
  wallet: Wallet,
  state: WalletTransaction['state'],
): ListDefinition<WalletTransaction> {
  return {
    name: 'deposits',
    query: { wallet_id: wallet.id, state },
    load: ({ quittance }, query, signal) =>
      quittance.wallets.listTransactions(
        { ...query, p_user_id: wallet.p_user_id, wallet_id: wallet.id, state },
        { signal },
      ),
    rowId: ({ id }) => id,
    filters: [],
    columns: [
      {
        id: 'amount',
        align: 'right',
        phone: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      {
        id: 'amount_in_usd',
        align: 'right',
        cell: ({ amount_in_usd }) => <Money amount={amount_in_usd} currency="USD" />,
      },
      {
        id: 'fee',
        align: 'right',
        cell: ({ calculated_fee }) => <Money amount={calculated_fee} currency="USD" />,
      },
      { id: 'state', phone: 'end_detail', cell: (row) => <StateBadge state={row.state} /> },
      { id: 'blockchain', phone: 'title', cell: ({ blockchain }) => blockchain },
      { id: 'transaction_hash', cell: ({ transaction_hash }) => <CopyableId id={transaction_hash} /> },
      { id: 'created_at', phone: 'detail', cell: ({ p_created_at }) => <Time at={p_created_at} /> },
    ],
  }
}
