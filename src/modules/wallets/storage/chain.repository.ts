import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import { table } from '#platform/postgres/table'
import type { BlockRange, IncomingTransfer } from '../model/block-range.ts'
import { type Cursor, leaseEnd, type LeasedChain } from './chain-lease.repository.ts'
import { TRANSFER_MEMBERS } from './transaction.repository.ts'

// Each change is one statement, hence one transaction, and its condition on the lease and the cursor stops a worker that
// lost the lease without noticing.

/** `watched_blocks` keeps the hash of each of the last 50,000 blocks, and of every thousandth before them. */
const BLOCKS_WITH_HASH = 50_000
const SPARSE_STEP = 1_000

export async function initializeCursor(
  db: Database,
  chain: LeasedChain,
  block: Cursor,
  genesisHash: string | undefined,
): Promise<boolean> {
  const rows = await db.shared.query(sql`
    with moved as (
      update watched_chains
         set cursor_number = ${block.number}, cursor_hash = ${block.hash},
             genesis_hash = ${genesisHash ?? null}
       where name = ${chain.name} and lease_holder = ${chain.holder} and cursor_number is null
      returning name)
    insert into watched_blocks (chain, number, hash)
    select name, ${block.number}::bigint, ${block.hash}::text from moved
    on conflict (chain, number) do update set hash = excluded.hash
    returning number`)
  return rows.length === 1
}

const scannedBlocks = rowsAs<BlockRange['blocks'][number]>('scanned', {
  number: ['bigint', (block) => block.number],
  hash: ['text', (block) => block.hash],
})

const incomingTransfers = table<IncomingTransfer>('t', { ...TRANSFER_MEMBERS, businessId: 'text' })
  .without('blockchain')
  .rowsAs('incoming')

export async function storeBlockRange(
  db: Database,
  chain: LeasedChain,
  cursor: Cursor,
  range: BlockRange,
): Promise<boolean> {
  const last = range.blocks.at(-1)
  if (last === undefined) return true
  const rows = await db.shared.query<{ moved: number }>(sql`
    with moved as (
      update watched_chains
         set cursor_number = ${last.number}, cursor_hash = ${last.hash}, leased_until = ${leaseEnd()}
       where name = ${chain.name} and lease_holder = ${chain.holder}
         and cursor_number = ${cursor.number} and cursor_hash = ${cursor.hash}
      returning name
    ), stored_blocks as (
      insert into watched_blocks (chain, number, hash)
      select moved.name, scanned.number, scanned.hash
        from moved, ${scannedBlocks(range.blocks)}
      on conflict (chain, number) do update set hash = excluded.hash
    ), thinned_blocks as (
      delete from watched_blocks using moved
       where chain = moved.name and number % ${SPARSE_STEP}::bigint <> 0
         and number > ${cursor.number - BLOCKS_WITH_HASH}::bigint
         and number <= ${last.number - BLOCKS_WITH_HASH}::bigint
    ), stored_transfers as (
      insert into chain_transfers (chain, id, wallet_id, block_hash, block_number, block_time, transaction_hash,
             log_index, contract_address, source_address, destination_address, units, currency, decimals, usd_price,
             business_id)
      select moved.name, incoming.* from moved, ${incomingTransfers(range.transfers)}
      on conflict (chain, block_hash, transaction_hash, log_index) do update set canonical = true
    )
    select count(*)::int as moved from moved`)
  return rows[0]?.moved === 1
}

export async function findBlockHashes(
  db: Database,
  name: string,
  number: number,
  limit: number,
): Promise<Cursor[]> {
  const rows = await db.shared.query<{ number: bigint; hash: string }>(sql`
    select number, hash from watched_blocks
     where chain = ${name} and number <= ${number}
     order by number desc
     limit ${limit}`)
  return rows.map((row) => ({ number: Number(row.number), hash: row.hash }))
}

export async function findBlockHash(db: Database, name: string, number: number): Promise<string | undefined> {
  const [row] = await db.shared.query<{ hash: string }>(sql`
    select hash from watched_blocks where chain = ${name} and number = ${number}`)
  return row?.hash
}

export async function rewind(
  db: Database,
  chain: LeasedChain,
  cursor: Cursor,
  ancestor: Cursor,
): Promise<boolean> {
  const rows = await db.shared.query<{ moved: number }>(sql`
    with moved as (
      update watched_chains
         set cursor_number = ${ancestor.number}, cursor_hash = ${ancestor.hash},
             finalized_number = case when finalized_number > ${ancestor.number} then ${ancestor.number}
                                     else finalized_number end
       where name = ${chain.name} and lease_holder = ${chain.holder}
         and cursor_number = ${cursor.number} and cursor_hash = ${cursor.hash}
      returning name
    ), reorged_blocks as (
      delete from watched_blocks using moved where chain = moved.name and number > ${ancestor.number}
    ), reorged_transfers as (
      update chain_transfers set canonical = false from moved
       where chain = moved.name and block_number > ${ancestor.number} and canonical
    )
    select count(*)::int as moved from moved`)
  if (rows[0]?.moved !== 1) return false
  await deleteReorgedUnpublished(db, chain.name)
  return true
}

/**
 * A statement of its own. The rewind may have waited for a publication, and its older snapshot would call the published
 * transfers unpublished. What a crash leaves behind here is deleted at the next reorg.
 */
async function deleteReorgedUnpublished(db: Database, name: string): Promise<void> {
  await db.shared.query(sql`
    delete from chain_transfers where chain = ${name} and published_state is null and not canonical`)
}

/** Only a reorg below the finalized block lowers it. */
export async function setFinalized(db: Database, chain: LeasedChain, number: number): Promise<void> {
  await db.shared.query(sql`
    update watched_chains set finalized_number = ${number}
     where name = ${chain.name} and lease_holder = ${chain.holder}
       and (finalized_number is null or finalized_number < ${number})`)
}
