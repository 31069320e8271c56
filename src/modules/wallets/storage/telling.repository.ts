import sql, { type Sql } from 'sql-template-tag'
import type { Database, Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import { toTransfer, type TransferRow } from './transaction.repository.ts'
import type { WalletTransactionState } from '../ledger/transaction.states.ts'
import type { Transfer } from '../ledger/transaction.ts'

/** Transfers whose tenants do not know yet what the chain says of them. */
export interface UntoldTransfer extends Transfer {
  readonly canonical: boolean
  readonly told: WalletTransactionState | null
}

/** Blocks up to this one are deep enough to be confirmed: `confirmations` a number, or the node's finalized block. */
const CONFIRMED_UP_TO = sql`
  case when c.finalizes then least(c.finalized_number, c.cursor_number) else c.cursor_number - c.confirmations + 1 end`

function chainView(name: string, confirmations: number | 'finalized'): Sql {
  return sql`
    select name, cursor_number, coalesce(finalized_number, -1) as finalized_number,
           ${confirmations === 'finalized'}::boolean as finalizes,
           ${confirmations === 'finalized' ? 0 : confirmations}::bigint as confirmations
      from watched_chains where name = ${name}`
}

/** The first condition is the index's, so that only what is open is looked at. What was never told need not be taken back. */
const UNTOLD = sql`
  (t.published_state is null or (t.canonical and t.published_state <> 'confirmed') or (not t.canonical and t.published_state <> 'reorged'))
  and (t.published_state is not null or t.canonical)
  and (t.published_state is null or t.published_state = 'reorged' or not t.canonical or t.block_number <= ${CONFIRMED_UP_TO})`

/** Tenants that have something to be told of a chain. */
export async function tenantsToTell(
  db: Database,
  name: string,
  confirmations: number | 'finalized',
  most: number,
): Promise<string[]> {
  const rows = await db.shared.query<{ business_id: string }>(sql`
    with c as (${chainView(name, confirmations)})
    select distinct t.business_id
      from c join chain_transfers t on t.chain = c.name
     where ${UNTOLD}
     limit ${most}`)
  return rows.map((row) => row.business_id)
}

/**
 * Locks what a tenant has to be told, what was reorganised away first, so that a transfer that moved to another block
 * is never there twice. The chain's row is shared meanwhile: neither cursor nor canonical rows change.
 */
export async function lockUntold(
  tx: Tx,
  name: string,
  confirmations: number | 'finalized',
  most: number,
): Promise<(UntoldTransfer & { readonly deepEnough: boolean })[]> {
  await tx.execute(sql`select 1 from watched_chains where name = ${name} for share`)
  const rows = await tx.query<
    TransferRow & { canonical: boolean; published_state: WalletTransactionState | null; deep_enough: boolean }
  >(sql`
    with c as (${chainView(name, confirmations)})
    select t.id, t.wallet_id, t.chain as blockchain, t.block_hash, t.block_number, t.block_time, t.transaction_hash,
           t.log_index, t.contract_address, t.source_address, t.destination_address, t.units, t.currency, t.decimals,
           trim_scale(t.usd_price)::text as usd_price, t.canonical, t.published_state,
           t.block_number <= ${CONFIRMED_UP_TO} as deep_enough
      from chain_transfers t, c
     where t.chain = ${name} and t.business_id = ${tx.businessId} and ${UNTOLD}
     order by t.canonical, t.block_number, t.id
     limit ${most}
       for update of t`)
  return rows.map((row) => ({
    ...toTransfer(row),
    canonical: row.canonical,
    told: row.published_state,
    deepEnough: row.deep_enough,
  }))
}

interface Told {
  /** A transfer's. */
  readonly id: string
  readonly state: WalletTransactionState
}

const toldTransfers = rowsAs<Told>('given', {
  id: ['text', (told) => told.id],
  state: ['text', (told) => told.state],
})

/** Notes what the tenant has been told, in the transaction that tells it. */
export async function markTold(tx: Tx, told: readonly Told[]): Promise<void> {
  await tx.execute(sql`
    update chain_transfers t set published_state = given.state
      from ${toldTransfers(told)}
     where t.id = given.id`)
}
