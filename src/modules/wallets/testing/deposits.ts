import { decimal } from '#kernel/decimal'
import { newId } from '#kernel/ids'
import type { Database } from '#platform/postgres/database'
import {
  beginAt,
  type Cursor,
  type LeasedChain,
  registerChain,
  takeLease,
} from '../storage/chain.repository.ts'
import type { FoundTransfer, Window } from '../node/read-window.ts'
import type { Chain } from '../configuration/configuration.ts'

export type Block = Window['blocks'][number]

export const block = (number: number, branch: string): Block => ({
  number,
  hash: `0x${branch}${number}`,
  time: 1_800_000_000,
})

/** A chain that was read up to block 10, without a node, and whose lease is ours. */
export async function leasedChain(
  db: Database,
  name: string,
): Promise<{ leased: LeasedChain; start: Cursor }> {
  await registerChain(db, name, 31337)
  const leased = await takeLease(db, name, 'we')
  if (leased === undefined) throw new Error('somebody else has the lease')
  const start = block(10, 'a')
  await beginAt(db, leased, start, undefined)
  return { leased, start }
}

export function windowOf(last: Block, transfers: readonly FoundTransfer[]): Window {
  return { blocks: [last], parentHash: '', transfers, answered: 0 }
}

/** 5 USDC for the wallet, as a block shows them. */
export function deposit(
  chain: Chain,
  where: Block,
  businessId: string,
  wallet: { readonly id: string; readonly address: string },
): FoundTransfer {
  return {
    id: newId('wtx'),
    businessId,
    walletId: wallet.id,
    blockchain: chain.name,
    blockHash: where.hash,
    blockNumber: where.number,
    blockTime: Temporal.Instant.fromEpochMilliseconds(where.time * 1_000),
    transactionHash: newId('0x'),
    logIndex: 0,
    contractAddress: '',
    sourceAddress: wallet.address,
    destinationAddress: wallet.address,
    units: 5n,
    currency: 'USDC',
    decimals: 0,
    usdPrice: decimal('1'),
  }
}
