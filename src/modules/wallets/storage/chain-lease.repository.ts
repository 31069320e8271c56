import sql from 'sql-template-tag'
import { type Instant, realClock, toRfc3339 } from '#kernel/clock'
import { RENEWALS_PER_LEASE } from '#platform/jobs/renewals'
import type { Database } from '#platform/postgres/database'
import { composed, table } from '#platform/postgres/table'

export interface Cursor {
  readonly number: number
  readonly hash: string
}

export interface LeasedChain {
  readonly name: string
  readonly holder: string
  readonly watchedSince: Instant
  readonly genesisHash: string | undefined
  readonly cursor: Cursor | undefined
}

/** A chain pauses at most this long after its worker died, also when the only worker is restarted. */
const LEASE_MS = 6_000
export const LEASE_RENEWAL_MS = LEASE_MS / RENEWALS_PER_LEASE

/** Deposits count from the first registration on. Resolves to the chain id with which the name was first registered. */
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

const CHAINS = table<Omit<LeasedChain, 'name' | 'holder'>>('watched_chains', {
  watchedSince: 'timestamptz',
  genesisHash: { type: 'text', read: (hash: string | null) => hash ?? undefined },
  cursor: composed(
    ['cursor_number', 'cursor_hash'],
    (number: bigint | null, hash: string | null) =>
      number === null || hash === null ? undefined : { number: Number(number), hash },
    {},
  ),
})

export async function takeLease(
  db: Database,
  name: string,
  holder: string,
): Promise<LeasedChain | undefined> {
  const now = realClock.now()
  const [row] = await db.shared.query(sql`
    update watched_chains
       set lease_holder = ${holder}, leased_until = ${leaseEnd(now)}
     where name = ${name}
       and (lease_holder is null or lease_holder = ${holder} or leased_until < ${toRfc3339(now)})
    returning ${CHAINS.columns}`)
  return row && { name, holder, ...CHAINS.read(row) }
}

export async function renewLease(db: Database, name: string, holder: string): Promise<boolean> {
  const renewed = await db.shared.query(sql`
    update watched_chains set leased_until = ${leaseEnd()}
     where name = ${name} and lease_holder = ${holder}
    returning 1`)
  return renewed.length === 1
}

export async function releaseLease(db: Database, name: string, holder: string): Promise<void> {
  await db.shared.query(sql`
    update watched_chains set lease_holder = null, leased_until = null
     where name = ${name} and lease_holder = ${holder}`)
}

export const END_CHAIN_LEASES = sql`
  update watched_chains set lease_holder = null, leased_until = null where lease_holder is not null`

export function leaseEnd(now: Instant = realClock.now()): string {
  return toRfc3339(now.add({ milliseconds: LEASE_MS }))
}
