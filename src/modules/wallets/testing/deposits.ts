import { decimal } from '#kernel/decimal'
import { newId } from '#kernel/ids'
import type { Database } from '#platform/postgres/database'
import { type Cursor, type LeasedChain, registerChain, takeLease } from '../storage/chain-lease.repository.ts'
import { initializeCursor } from '../storage/chain.repository.ts'
import type { IncomingTransfer, BlockRange } from '../model/block-range.ts'
import type { Chain } from '../model/chain.ts'

export type Block = BlockRange['blocks'][number]

export const block = (number: number, branch: string): Block => ({
  number,
  hash: `0x${branch}${number}`,
  timeS: 1_800_000_000,
})

export async function leasedChain(
  db: Database,
  name: string,
): Promise<{ leased: LeasedChain; start: Cursor }> {
  await registerChain(db, name, 31337)
  const leased = await takeLease(db, name, 'test')
  if (leased === undefined) throw new Error('another worker holds the lease')
  const start = block(10, 'a')
  await initializeCursor(db, leased, start, undefined)
  return { leased, start }
}

export function rangeOf(last: Block, transfers: readonly IncomingTransfer[]): BlockRange {
  return { blocks: [last], parentHash: '', transfers, itemCount: 0 }
}

export function deposit(
  chain: Chain,
  inBlock: Block,
  businessId: string,
  wallet: { readonly id: string; readonly address: string },
): IncomingTransfer {
  return {
    id: newId('wtx'),
    businessId,
    walletId: wallet.id,
    blockchain: chain.name,
    blockHash: inBlock.hash,
    blockNumber: inBlock.number,
    blockTime: Temporal.Instant.fromEpochMilliseconds(inBlock.timeS * 1_000),
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
