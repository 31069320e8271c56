import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import type { Balance, Posting } from '../model/ledger.ts'

type PostedEntry = Posting['entries'][number] & { readonly posting: Posting }

const postedEntries = rowsAs<PostedEntry>('entry', {
  posting_id: ['text', ({ posting }) => posting.id],
  owner: ['text', (entry) => entry.owner],
  kind: ['text', (entry) => entry.kind],
  currency: ['text', (entry) => entry.currency],
  amount: ['numeric', (entry) => entry.amount],
  object_id: ['text', ({ posting }) => posting.objectId],
  reason: ['text', ({ posting }) => posting.reason],
})

/**
 * Writes postings and updates the balances of their accounts, which are locked in the order of their keys. Throws for a
 * posting whose id exists already or whose entries do not sum to zero.
 */
export async function post(tx: Tx, postings: readonly Posting[], at: Instant): Promise<void> {
  const entries = postings.flatMap((posting) => posting.entries.map((entry) => ({ ...entry, posting })))
  if (entries.length === 0) return
  const [result] = await tx.query<{ unbalanced: number }>(sql`
    with posted as (
      select * from ${postedEntries(entries)}
    ), entries as (
      insert into wallet_entries (business_id, posting_id, owner, kind, currency, amount, object_id, reason, created_at)
      select ${tx.businessId}::text, posting_id, owner, kind, currency, amount, object_id, reason,
             ${toRfc3339(at)}::timestamptz
        from posted
    ), balances as (
      insert into wallet_accounts (business_id, owner, kind, currency, balance)
      select ${tx.businessId}::text, owner, kind, currency, sum(amount)
        from posted group by owner, kind, currency order by owner collate "C", kind collate "C", currency collate "C"
      on conflict (business_id, owner, kind, currency)
      do update set balance = wallet_accounts.balance + excluded.balance
    )
    select count(*)::int as unbalanced
      from (select 1 from posted group by posting_id, currency having sum(amount) <> 0) as unbalanced`)
  if (result?.unbalanced !== 0) throw new Error('the entries of a posting must sum to zero')
}

type SummedBalance = Balance & { readonly owner: string }

export async function readBalances(
  db: Database,
  businessId: string,
  walletIds: readonly string[],
): Promise<Map<string, Balance[]>> {
  return byWallet(walletIds, await db.read<SummedBalance>(businessId, selectBalances(businessId, walletIds)))
}

export async function findBalances(tx: Tx, walletId: string): Promise<Balance[]> {
  const rows = await tx.query<SummedBalance>(selectBalances(tx.businessId, [walletId]))
  return byWallet([walletId], rows).get(walletId) ?? []
}

function selectBalances(businessId: string, walletIds: readonly string[]): Sql {
  return sql`
    select owner, currency, trim_scale(sum(balance))::text as total,
           trim_scale(coalesce(sum(balance) filter (where kind = 'available'), 0))::text as available,
           trim_scale(coalesce(sum(balance) filter (where kind = 'held'), 0))::text as held
      from wallet_accounts
     where business_id = ${businessId} and ${isOneOf(sql`owner`, walletIds)} and kind in ('available', 'held')
     group by owner, currency
     order by owner, currency collate "C"`
}

function byWallet(walletIds: readonly string[], rows: readonly SummedBalance[]): Map<string, Balance[]> {
  const balances = new Map<string, Balance[]>(walletIds.map((id) => [id, []]))
  for (const { owner, ...balance } of rows) balances.get(owner)?.push(balance)
  return balances
}

/** Locks the available balances of these wallets in the order that `post` and `lockAvailable` use too. */
export async function lockAvailableOfWallets(tx: Tx, walletIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    select from wallet_accounts
     where business_id = ${tx.businessId} and ${isOneOf(sql`owner`, walletIds)} and kind = 'available'
     order by owner collate "C", currency collate "C"
       for no key update`)
}

export async function lockAvailable(
  tx: Tx,
  walletId: string,
  currencies: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.query<{ currency: string; balance: string }>(sql`
    select currency, trim_scale(balance)::text as balance from wallet_accounts
     where business_id = ${tx.businessId} and owner = ${walletId} and kind = 'available'
       and ${isOneOf(sql`currency`, currencies)}
     order by currency collate "C"
       for no key update`)
  return new Map(rows.map((row) => [row.currency, row.balance]))
}
