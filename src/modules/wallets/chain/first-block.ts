import type { Instant } from '#kernel/clock'
import type { BlockHeader } from '../node/node-answers.ts'
import { NodeError } from '../node/node-error.ts'
import type { Node } from '../node/node.ts'

/** Clocks of chains run a little apart from ours. */
const MARGIN_S = 600
/** Blocks before the head that are always read at first, for chains whose clock is far off. */
const ALWAYS_READ = 128

/**
 * The block after which a chain is read at the first contact: the last one clearly older than the moment from which
 * deposits count, because addresses may have been given out while no node could be reached.
 */
export async function firstBlock(node: Node, head: BlockHeader, since: Instant): Promise<BlockHeader> {
  const sinceS = Math.floor(since.epochMilliseconds / 1_000) - MARGIN_S
  /** Blocks up to `older` are older than `sinceS`, as far as is known. */
  let older = 0
  let newer = Math.max(0, head.number - ALWAYS_READ)
  while (newer - older > 1) {
    const middle = Math.floor((older + newer) / 2)
    if ((await header(node, middle)).time < sinceS) older = middle
    else newer = middle
  }
  return header(node, older)
}

async function header(node: Node, number: number): Promise<BlockHeader> {
  const found = await node.header(number)
  if (found === null) throw new NodeError('failed', 'the node does not have a block below its head')
  return found
}
