import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'

/** The first number of a business. */
const FIRST = 100_000n
/** Fetched at a time: twice as many each time, so that who sells little has small gaps and who sells much seldom waits. */
const MIN_FETCHED = 16
const MAX_FETCHED = 1_024
/** Businesses whose numbers are kept; beyond, all are forgotten, which leaves gaps. */
const MAX_BUSINESSES = 20_000

type Numbered<T> = T & { readonly receiptNumber: bigint }

/** Numbers that no other process has: from `next` to below `end`. */
interface Block {
  next: bigint
  end: bigint
  fetched: number
  fetching: Promise<void> | undefined
}

/**
 * Numbers for `receipt_id`: unique in their business, with gaps (decisions, section 3). A process fetches them in blocks:
 * counted in the transaction that uses them, each payment of a business would wait for the disk write of the one before;
 * and from one sequence for all, a business's own receipts would tell it how many payments the others have.
 */
export class ReceiptNumbers {
  readonly #db: Pick<Database, 'commitAlone'>
  readonly #blocks = new Map<string, Block>()

  constructor(db: Pick<Database, 'commitAlone'>) {
    this.#db = db
  }

  /** Gives new transactions of a business its next numbers. Those of what is undone are lost. */
  async number<T extends object>(businessId: string, transactions: readonly T[]): Promise<Numbered<T>[]> {
    const block = this.#blockOf(businessId)
    const numbered: Numbered<T>[] = []
    for (const transaction of transactions) {
      while (block.next === block.end) {
        await (block.fetching ??= this.#fetch(businessId, block, transactions.length - numbered.length))
      }
      numbered.push({ ...transaction, receiptNumber: block.next++ })
    }
    return numbered
  }

  #blockOf(businessId: string): Block {
    const known = this.#blocks.get(businessId)
    if (known !== undefined) return known
    if (this.#blocks.size === MAX_BUSINESSES) this.#blocks.clear()
    const block = { next: 0n, end: 0n, fetched: MIN_FETCHED / 2, fetching: undefined }
    this.#blocks.set(businessId, block)
    return block
  }

  async #fetch(businessId: string, block: Block, needed: number): Promise<void> {
    try {
      const count = BigInt(Math.max(needed, Math.min(2 * block.fetched, MAX_FETCHED)))
      // Waits for the disk: a database that crashes under a process would give what the process holds to another.
      const [row] = await this.#db.commitAlone<{ next_number: bigint }>(
        businessId,
        sql`insert into receipt_counters as c (business_id, next_number)
            values (${businessId}, ${FIRST + count}::bigint)
            on conflict (business_id) do update set next_number = c.next_number + ${count}::bigint
            returning next_number`,
      )
      if (row === undefined) throw new Error(`business ${businessId} was given no receipt numbers`)
      block.fetched = Number(count)
      block.next = row.next_number - count
      block.end = row.next_number
    } finally {
      block.fetching = undefined
    }
  }
}
