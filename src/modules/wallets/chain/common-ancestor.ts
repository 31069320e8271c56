import type { Database } from '#platform/postgres/database'
import { NodeError } from '../node/node-error.ts'
import type { Node } from '../node/node.ts'
import type { Cursor } from '../storage/chain-lease.repository.ts'
import { findBlockHashes } from '../storage/chain.repository.ts'

/** Most reorganizations are a few blocks deep, so the hashes of older blocks are seldom read. */
const RECENT = 256
/** More blocks than a chain keeps (`BLOCKS_WITH_HASH`). */
const ALL_STORED = 1_000_000

/**
 * Finds the newest scanned block that is still canonical on the node, or the node's block before the oldest stored one.
 * A block is canonical only if all blocks before it are, so the search doubles its steps back and then halves the gap:
 * a reorg of any depth costs a few dozen requests.
 */
export async function findCommonAncestor(
  db: Database,
  node: Node,
  name: string,
  from: number,
): Promise<Cursor> {
  const isCanonical = async ({ number, hash }: Cursor): Promise<boolean> =>
    (await node.header(number))?.hash === hash
  let stored = await findBlockHashes(db, name, from, RECENT)
  const oldestRecent = stored.at(-1)
  if (stored.length === RECENT && oldestRecent !== undefined && !(await isCanonical(oldestRecent))) {
    stored = await findBlockHashes(db, name, from, ALL_STORED)
  }
  // `stored` is newest first: blocks up to index `reorged` are reorged, blocks from index `canonical` on are canonical.
  let reorged = -1
  let canonical = 0
  let step = 1
  while (canonical < stored.length) {
    const block = stored[canonical]
    if (block === undefined || (await isCanonical(block))) break
    reorged = canonical
    if (canonical === stored.length - 1) return blockBefore(node, block.number)
    canonical = Math.min(canonical + step, stored.length - 1)
    step *= 2
  }
  while (canonical - reorged > 1) {
    const middle = Math.floor((reorged + canonical) / 2)
    const block = stored[middle]
    if (block !== undefined && (await isCanonical(block))) canonical = middle
    else reorged = middle
  }
  return stored[canonical] ?? blockBefore(node, from + 1)
}

async function blockBefore(node: Node, number: number): Promise<Cursor> {
  const header = number > 0 ? await node.header(number - 1) : null
  if (header === null) throw new NodeError('wrong', 'the node shares no block with the scanned chain')
  return header
}
