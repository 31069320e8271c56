import sql, { raw, type Sql } from 'sql-template-tag'
import type { Database, Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import { computed, table } from '#platform/postgres/table'
import { TRANSFER_MEMBERS } from './transaction.repository.ts'
import type { WalletTransactionState } from '../model/transaction.states.ts'
import type { Transfer } from '../model/transaction.ts'

export interface UnpublishedTransfer extends Transfer {
  readonly canonical: boolean
  readonly publishedState: WalletTransactionState | null
  readonly isDeepEnough: boolean
}

const CONFIRMED_UP_TO = `
  case when c.finalizes then least(c.finalized_number, c.cursor_number) else c.cursor_number - c.confirmations + 1 end`

function chainPosition(name: string, confirmations: number | 'finalized'): Sql {
  return sql`
    select name, cursor_number, coalesce(finalized_number, -1) as finalized_number,
           ${confirmations === 'finalized'}::boolean as finalizes,
           ${confirmations === 'finalized' ? 0 : confirmations}::bigint as confirmations
      from watched_chains where name = ${name}`
}

/** The first condition repeats the partial index chain_transfers_unpublished, so that PostgreSQL reads only its rows. */
const UNPUBLISHED = sql`
  (t.published_state is null or (t.canonical and t.published_state <> 'confirmed')
    or (not t.canonical and t.published_state <> 'reorged'))
  and (t.published_state is not null or t.canonical)
  and (t.published_state is null or t.published_state = 'reorged' or not t.canonical
    or t.block_number <= ${raw(CONFIRMED_UP_TO)})`

export async function findTenantsToPublish(
  db: Database,
  name: string,
  confirmations: number | 'finalized',
  limit: number,
): Promise<string[]> {
  const rows = await db.shared.query<{ business_id: string }>(sql`
    with c as (${chainPosition(name, confirmations)})
    select distinct t.business_id
      from c join chain_transfers t on t.chain = c.name
     where ${UNPUBLISHED}
     limit ${limit}`)
  return rows.map((row) => row.business_id)
}

const TRANSFERS = table<UnpublishedTransfer>('t', {
  ...TRANSFER_MEMBERS,
  canonical: 'boolean',
  publishedState: 'text',
  isDeepEnough: computed('is_deep_enough', `t.block_number <= ${CONFIRMED_UP_TO}`),
})

/**
 * Locks a tenant's unpublished transfers. Reorged ones come first, so that a transfer that moved to another block is
 * never counted twice. A shared lock on the chain's row keeps the cursor and the canonical flags as they are.
 */
export async function lockUnpublished(
  tx: Tx,
  name: string,
  confirmations: number | 'finalized',
  limit: number,
): Promise<UnpublishedTransfer[]> {
  await tx.execute(sql`select 1 from watched_chains where name = ${name} for share`)
  const rows = await tx.query(sql`
    with c as (${chainPosition(name, confirmations)})
    select ${TRANSFERS.columns}
      from chain_transfers t, c
     where t.chain = ${name} and t.business_id = ${tx.businessId} and ${UNPUBLISHED}
     order by t.canonical, t.block_number, t.id
     limit ${limit}
       for update of t`)
  return rows.map(TRANSFERS.read)
}

interface PublishedState {
  readonly id: string
  readonly state: WalletTransactionState
}

const publishedStates = rowsAs<PublishedState>('published', {
  id: ['text', (transfer) => transfer.id],
  state: ['text', (transfer) => transfer.state],
})

export async function recordPublishedStates(tx: Tx, states: readonly PublishedState[]): Promise<void> {
  await tx.execute(sql`
    update chain_transfers t set published_state = published.state
      from ${publishedStates(states)}
     where t.id = published.id`)
}
