import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'

const FIRST_NUMBER = 100_000n
/** Each block is twice as large as the one before: small businesses have small gaps, busy ones seldom wait for a block. */
const MIN_BLOCK = 16
const MAX_BLOCK = 1_024
/** Beyond this, all blocks are dropped, which leaves gaps. */
const MAX_BUSINESSES = 20_000

type Numbered<T> = T & { readonly receiptNumber: bigint }

interface Block {
  next: bigint
  end: bigint
  size: number
  fetching: Promise<void> | undefined
}

/**
 * Numbers for `receipt_id`: unique in their business, with gaps. A process reserves them in blocks: with a counter in the
 * transaction that uses the number, each payment of a business would wait for the disk write of the one before. One sequence
 * for all businesses would tell a business how many payments the others have.
 */
export class ReceiptNumbers {
  readonly #db: Pick<Database, 'commitAlone'>
  readonly #blocks = new Map<string, Block>()

  constructor(db: Pick<Database, 'commitAlone'>) {
    this.#db = db
  }

  async number<T extends object>(businessId: string, transactions: readonly T[]): Promise<Numbered<T>[]> {
    const block = this.#block(businessId)
    const numbered: Numbered<T>[] = []
    for (const transaction of transactions) {
      while (block.next === block.end) {
        await (block.fetching ??= this.#fetch(businessId, block, transactions.length - numbered.length))
      }
      numbered.push({ ...transaction, receiptNumber: block.next++ })
    }
    return numbered
  }

  #block(businessId: string): Block {
    const existing = this.#blocks.get(businessId)
    if (existing !== undefined) return existing
    if (this.#blocks.size === MAX_BUSINESSES) this.#blocks.clear()
    const block = { next: 0n, end: 0n, size: MIN_BLOCK / 2, fetching: undefined }
    this.#blocks.set(businessId, block)
    return block
  }

  async #fetch(businessId: string, block: Block, needed: number): Promise<void> {
    try {
      const size = BigInt(Math.max(needed, Math.min(2 * block.size, MAX_BLOCK)))
      // The commit must be on disk: a database that crashes would otherwise give the same block to another process.
      const [row] = await this.#db.commitAlone<{ next_number: bigint }>(
        businessId,
        sql`insert into receipt_counters as c (business_id, next_number)
            values (${businessId}, ${FIRST_NUMBER + size}::bigint)
            on conflict (business_id) do update set next_number = c.next_number + ${size}::bigint
            returning next_number`,
      )
      if (row === undefined) throw new Error(`business ${businessId} got no receipt numbers`)
      block.size = Number(size)
      block.next = row.next_number - size
      block.end = row.next_number
    } finally {
      block.fetching = undefined
    }
  }
}
