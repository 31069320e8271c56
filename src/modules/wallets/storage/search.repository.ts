import sql, { empty } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import { startsWith } from '#platform/filter/filter-sql'
import type { Tx } from '#platform/postgres/database'
import { lookUps, matchOf, type Search, type SearchHit, withoutRepeats } from '#platform/search/search'

interface FoundWallet {
  id: string
  p_user_id: string
  address: string | null
  created_at: Instant
}

/** Addresses of all tenants stand in one table, so a beginning must be long enough to name a few. */
const ADDRESS = /^0x[0-9a-f]{4,40}$/i

export async function searchWallets(tx: Tx, search: Search): Promise<SearchHit[]> {
  const byAddress = ADDRESS.test(search.text)
    ? sql` union all (
        select w.id, w.p_user_id, w.address, w.created_at
          from deposit_addresses d
          join wallets w on w.business_id = d.business_id and w.id = d.wallet_id
         where d.business_id = ${tx.businessId} and ${startsWith(sql`d.address`, search.text.toLowerCase())}
         order by d.address limit ${search.limit})`
    : empty
  const rows = await tx.query<FoundWallet>(
    sql`${lookUps(tx.businessId, search, {
      name: sql`wallets`,
      columns: sql`id, p_user_id, address, created_at`,
      prefixes: [sql`id`, sql`p_user_id`],
      newest: sql`created_at desc, id desc`,
    })}${byAddress}`,
  )
  return withoutRepeats(rows, ({ id }) => id).map((wallet) => ({
    type: 'wallet',
    id: wallet.id,
    parentId: null,
    title: wallet.p_user_id,
    subtitle: wallet.address,
    amount: null,
    state: null,
    createdAt: wallet.created_at,
    match: matchOf(search, [wallet.id, wallet.p_user_id, wallet.address]),
  }))
}
