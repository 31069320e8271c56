import sql from 'sql-template-tag'
import { type Instant, realClock, toRfc3339 } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { TRANSFER_COLUMNS } from './transaction.repository.ts'
import type { AddressOwner, FoundTransfer, Window } from '../node/read-window.ts'

/**
 * What all tenants share: how far each chain has been read, by whom, and what was found. Each change is one statement,
 * hence one transaction, and holds only for whoever has the lease and knows where the cursor stands.
 */
export interface Cursor {
  readonly number: number
  readonly hash: string
}

/** A chain whose lease we hold. */
export interface LeasedChain {
  readonly name: string
  readonly holder: string
  readonly watchedSince: Instant
  readonly genesisHash: string | undefined
  /** Undefined before the first contact with a node. */
  readonly cursor: Cursor | undefined
}

/** A dead worker's chain stands still no longer than this: also the only worker's, which is started again. */
const LEASE_MS = 6_000
/** How often a worker that is at it renews its lease: a slow node, or a stall of a second or two, does not cost it. */
export const LEASE_RENEWAL_MS = 1_500
/** The hash of every block is kept for this many blocks, of every thousandth before. */
const EVERY_HASH_FOR = 50_000
const SPARSE_STEP = 1_000
/** Bound of one look-up; more addresses are asked for in several. */
const ADDRESSES_AT_ONCE = 10_000

/** Makes the chain known, before any node is asked: deposits count from now on. Answers the chain id it is known by. */
export async function registerChain(db: Database, name: string, chainId: number): Promise<number> {
  await db.shared.query(sql`
    insert into watched_chains (name, chain_id, watched_since)
    values (${name}, ${chainId}, ${toRfc3339(realClock.now())})
    on conflict (name) do nothing`)
  const [row] = await db.shared.query<{ chain_id: bigint }>(sql`
    select chain_id from watched_chains where name = ${name}`)
  if (row === undefined) throw new Error(`the chain ${name} was not registered`)
  return Number(row.chain_id)
}

interface ChainRow {
  watched_since: Instant
  genesis_hash: string | null
  cursor_number: bigint | null
  cursor_hash: string | null
}

/** Takes or renews the lease of a chain; undefined while another worker has it. */
export async function takeLease(
  db: Database,
  name: string,
  holder: string,
): Promise<LeasedChain | undefined> {
  const now = realClock.now()
  const [row] = await db.shared.query<ChainRow>(sql`
    update watched_chains
       set lease_holder = ${holder}, leased_until = ${toRfc3339(now.add({ milliseconds: LEASE_MS }))}
     where name = ${name}
       and (lease_holder is null or lease_holder = ${holder} or leased_until < ${toRfc3339(now)})
    returning watched_since, genesis_hash, cursor_number, cursor_hash`)
  if (row === undefined) return undefined
  return {
    name,
    holder,
    watchedSince: row.watched_since,
    genesisHash: row.genesis_hash ?? undefined,
    cursor:
      row.cursor_number === null || row.cursor_hash === null
        ? undefined
        : { number: Number(row.cursor_number), hash: row.cursor_hash },
  }
}

/** Makes a lease that we hold last on. */
export async function renewLease(db: Database, name: string, holder: string): Promise<void> {
  await db.shared.query(sql`
    update watched_chains
       set leased_until = ${toRfc3339(realClock.now().add({ milliseconds: LEASE_MS }))}
     where name = ${name} and lease_holder = ${holder}`)
}

export async function releaseLease(db: Database, name: string, holder: string): Promise<void> {
  await db.shared.query(sql`
    update watched_chains set lease_holder = null, leased_until = null
     where name = ${name} and lease_holder = ${holder}`)
}

export const END_CHAIN_LEASES = sql`
  update watched_chains set lease_holder = null, leased_until = null where lease_holder is not null`

/** Sets the cursor at the first contact. False when another worker was faster. */
export async function beginAt(
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

const storedBlocks = rowsAs<Window['blocks'][number]>('given', {
  number: ['bigint', (block) => block.number],
  hash: ['text', (block) => block.hash],
})

const foundTransfers = rowsAs<FoundTransfer>('given', {
  ...TRANSFER_COLUMNS,
  business_id: ['text', (transfer) => transfer.businessId],
})

/**
 * Stores a window: the cursor, the hashes of its blocks and the transfers found, in one statement. A transfer whose
 * block comes back after a reorganisation is canonical again. False when the lease or the cursor is not ours any more.
 */
export async function storeWindow(
  db: Database,
  chain: LeasedChain,
  cursor: Cursor,
  window: Window,
): Promise<boolean> {
  const last = window.blocks.at(-1)
  if (last === undefined) return true
  const rows = await db.shared.query<{ moved: number }>(sql`
    with moved as (
      update watched_chains
         set cursor_number = ${last.number}, cursor_hash = ${last.hash},
             leased_until = ${toRfc3339(realClock.now().add({ milliseconds: LEASE_MS }))}
       where name = ${chain.name} and lease_holder = ${chain.holder}
         and cursor_number = ${cursor.number} and cursor_hash = ${cursor.hash}
      returning name
    ), blocks as (
      insert into watched_blocks (chain, number, hash)
      select moved.name, given.number, given.hash
        from moved, ${storedBlocks(window.blocks)}
      on conflict (chain, number) do update set hash = excluded.hash
    ), thinned as (
      delete from watched_blocks using moved
       where chain = moved.name and number % ${SPARSE_STEP}::bigint <> 0
         and number > ${cursor.number - EVERY_HASH_FOR}::bigint and number <= ${last.number - EVERY_HASH_FOR}::bigint
    ), found as (
      insert into chain_transfers (chain, id, wallet_id, block_hash, block_number, block_time, transaction_hash,
             log_index, contract_address, source_address, destination_address, units, currency, decimals, usd_price,
             business_id)
      select moved.name, given.* from moved, ${foundTransfers(window.transfers)}
      on conflict (chain, block_hash, transaction_hash, log_index) do update set canonical = true
    )
    select count(*)::int as moved from moved`)
  return rows[0]?.moved === 1
}

/** The kept hashes at or below `number`, newest first. */
export async function keptHashes(
  db: Database,
  name: string,
  number: number,
  most: number,
): Promise<Cursor[]> {
  const rows = await db.shared.query<{ number: bigint; hash: string }>(sql`
    select number, hash from watched_blocks
     where chain = ${name} and number <= ${number}
     order by number desc
     limit ${most}`)
  return rows.map((row) => ({ number: Number(row.number), hash: row.hash }))
}

export async function keptHash(db: Database, name: string, number: number): Promise<string | undefined> {
  const [row] = await db.shared.query<{ hash: string }>(sql`
    select hash from watched_blocks where chain = ${name} and number = ${number}`)
  return row?.hash
}

/**
 * Moves the cursor, and what is final, back to the common ancestor. Transfers above it are canonical no more; those that
 * no tenant was told of are forgotten. False when the lease or the cursor is not ours any more.
 */
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
    ), blocks as (
      delete from watched_blocks using moved where chain = moved.name and number > ${ancestor.number}
    ), gone as (
      update chain_transfers set canonical = false from moved
       where chain = moved.name and block_number > ${ancestor.number} and canonical
    )
    select count(*)::int as moved from moved`)
  if (rows[0]?.moved !== 1) return false
  await forgetUntold(db, chain.name)
  return true
}

/**
 * A statement of its own: the one above may have waited for a tenant to be told, and would still see as untold what was
 * told meanwhile. Should a crash come in between, the next reorganisation forgets these too.
 */
async function forgetUntold(db: Database, name: string): Promise<void> {
  await db.shared.query(sql`
    delete from chain_transfers where chain = ${name} and published_state is null and not canonical`)
}

/** Notes the node's finalized block; only a reorganisation below it takes it back. */
export async function setFinalized(db: Database, chain: LeasedChain, number: number): Promise<void> {
  await db.shared.query(sql`
    update watched_chains set finalized_number = ${number}
     where name = ${chain.name} and lease_holder = ${chain.holder}
       and (finalized_number is null or finalized_number < ${number})`)
}

/** Which of these addresses (lower case) are ours. */
export async function findOwners(
  db: Database,
  addresses: readonly string[],
): Promise<Map<string, AddressOwner>> {
  const distinct = [...new Set(addresses)]
  const owners = new Map<string, AddressOwner>()
  for (let from = 0; from < distinct.length; from += ADDRESSES_AT_ONCE) {
    const part = distinct.slice(from, from + ADDRESSES_AT_ONCE)
    const rows = await db.shared.query<{ address: string; business_id: string; wallet_id: string }>(sql`
      select address, business_id, wallet_id from deposit_addresses where ${isOneOf(sql`address`, part)}`)
    for (const row of rows) {
      owners.set(row.address, { businessId: row.business_id, walletId: row.wallet_id })
    }
  }
  return owners
}
