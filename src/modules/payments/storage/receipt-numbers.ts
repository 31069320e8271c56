import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'

/** Each block is twice as large as the one before: an idle process wastes few numbers, a busy one seldom fetches a block. */
const MIN_BLOCK = 16
/** Numbers that a process loses when it dies. */
const MAX_BLOCK = 1_024

type Numbered<T> = T & { readonly receiptNumber: bigint }

/**
 * Numbers for `receipt_id`: one count over all businesses, rising in each process, with gaps. A process reserves them in
 * blocks: with a counter in the transaction that uses the number, each payment would wait for the disk write of the one
 * before.
 */
export class ReceiptNumbers {
  readonly #db: Pick<Database, 'shared'>
  #next = 0n
  #end = 0n
  #size = MIN_BLOCK / 2
  #fetching: Promise<void> | undefined

  constructor(db: Pick<Database, 'shared'>) {
    this.#db = db
  }

  async number<T extends object>(transactions: readonly T[]): Promise<Numbered<T>[]> {
    const numbered: Numbered<T>[] = []
    for (const transaction of transactions) {
      while (this.#next === this.#end) {
        await (this.#fetching ??= this.#fetch(transactions.length - numbered.length))
      }
      numbered.push({ ...transaction, receiptNumber: this.#next++ })
    }
    return numbered
  }

  async #fetch(needed: number): Promise<void> {
    try {
      const size = BigInt(Math.max(needed, Math.min(2 * this.#size, MAX_BLOCK)))
      // The commit must be on disk: a database that crashes would otherwise give the same block to another process.
      const [row] = await this.#db.shared.autocommit<{ next_number: bigint }>(
        sql`update receipt_numbers set next_number = next_number + ${size}::bigint returning next_number`,
      )
      if (row === undefined) throw new Error('the row of receipt_numbers is missing')
      this.#size = Number(size)
      this.#next = row.next_number - size
      this.#end = row.next_number
    } finally {
      this.#fetching = undefined
    }
  }
}
