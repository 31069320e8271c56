import type { Instant } from '#kernel/clock'
import { NodeError } from '../node/node-error.ts'
import type { Node } from '../node/node.ts'
import type { BlockHeader } from '../node/rpc-responses.ts'

/** The margin of reference/wallets#deposits. */
const MARGIN_S = 600
/** The first scan covers at least this many blocks below the head, in case the chain's clock is far off. */
const MIN_BLOCKS = 128

/**
 * Finds the block after which the first scan begins: the last one older than `since` less the margin. Addresses may have
 * been given out from `since` on, while no node was reachable.
 */
export async function findStartBlock(node: Node, head: BlockHeader, since: Instant): Promise<BlockHeader> {
  const sinceS = Math.floor(since.epochMilliseconds / 1_000) - MARGIN_S
  let older = 0
  let newer = Math.max(0, head.number - MIN_BLOCKS)
  while (newer - older > 1) {
    const middle = Math.floor((older + newer) / 2)
    if ((await header(node, middle)).timeS < sinceS) older = middle
    else newer = middle
  }
  return header(node, older)
}

async function header(node: Node, number: number): Promise<BlockHeader> {
  const block = await node.header(number)
  if (block === null) throw new NodeError('failed', 'the node does not have a block below its head')
  return block
}
