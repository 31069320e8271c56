import type { Database } from '#platform/postgres/database'
import { type Cursor, keptHashes } from '../storage/chain.repository.ts'
import { NodeError } from '../node/node-error.ts'
import type { Node } from '../node/node.ts'

/** Nearly every reorganisation is found among so many blocks. */
const RECENT = 256
/** Far more than are ever kept; see `storeWindow`. */
const ALL_KEPT = 1_000_000

/**
 * Finds the newest block that we read and that is still in the node's chain. If a block stands, all before it stand, so
 * the search doubles its steps back and then halves the gap: a reorganisation of any depth costs a few dozen requests.
 * When not even the oldest block read stands, it answers the node's block before that one.
 */
export async function commonAncestor(db: Database, node: Node, name: string, from: number): Promise<Cursor> {
  const stands = async ({ number, hash }: Cursor): Promise<boolean> =>
    (await node.header(number))?.hash === hash
  let kept = await keptHashes(db, name, from, RECENT)
  const oldestRecent = kept.at(-1)
  if (kept.length === RECENT && oldestRecent !== undefined && !(await stands(oldestRecent))) {
    kept = await keptHashes(db, name, from, ALL_KEPT)
  }
  let step = 1
  /** Newest first: everything before `gone` is known to be gone. */
  let gone = -1
  let standing = 0
  while (standing < kept.length) {
    const block = kept[standing]
    if (block === undefined || (await stands(block))) break
    gone = standing
    if (standing === kept.length - 1) return blockBefore(node, block.number)
    standing = Math.min(standing + step, kept.length - 1)
    step *= 2
  }
  while (standing - gone > 1) {
    const middle = Math.floor((gone + standing) / 2)
    const block = kept[middle]
    if (block !== undefined && (await stands(block))) standing = middle
    else gone = middle
  }
  const ancestor = kept[standing]
  if (ancestor === undefined) return blockBefore(node, from + 1)
  return ancestor
}

async function blockBefore(node: Node, number: number): Promise<Cursor> {
  const header = number > 0 ? await node.header(number - 1) : null
  if (header === null) throw new NodeError('wrong', 'the node shares no block with what was read before')
  return header
}
