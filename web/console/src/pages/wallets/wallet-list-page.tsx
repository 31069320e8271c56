import type { Wallet } from 'quittance'
import { plainQuery } from '#components/list/filter-language.ts'
import { ListPage } from '#components/list/list-page.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Money } from '#components/money.tsx'
import { Time } from '#components/time.tsx'

const walletList: ListDefinition<Wallet> = {
  name: 'wallets',
  path: '/svc/ts/api/v1/openapi/digital_wallets',
  hasPlainFilters: true,
  load: ({ quittance }, { filter, ...query }, signal) =>
    quittance.wallets.list({ ...query, ...plainQuery(filter) }, { signal }),
  rowId: ({ id }) => id,
  rowLink: ({ id }) => `/wallets/${id}`,
  columns: [
    { id: 'p_user_id', phone: 'title', cell: ({ p_user_id }) => p_user_id },
    {
      id: 'balances',
      align: 'right',
      phone: 'end',
      cell: ({ balances }) =>
        balances.length === 0
          ? '—'
          : balances.map(({ currency, amount }) => (
              <div key={currency}>
                <Money amount={amount} currency={currency} />
              </div>
            )),
    },
    {
      id: 'addresses',
      cell: ({ addresses }) => addresses.map(({ blockchain }) => blockchain).join(', ') || '—',
    },
    { id: 'id', isHidden: true, cell: ({ id }) => id },
    { id: 'created_at', phone: 'detail', cell: ({ p_created_at }) => <Time at={p_created_at} /> },
  ],
  filters: [{ field: 'p_user_id', kind: 'exact' }],
}

export function WalletListPage() {
  return <ListPage list={walletList} />
}
