import sql from 'sql-template-tag'
import { Money } from '#kernel/money'
import type { Database } from '#platform/postgres/database'
import type { Breach } from '#platform/verify'
import { OPERATION_OF_TYPE, type OperationKind } from '../model/operation.ts'
import { isUnresolved, type TransactionState } from '../model/transaction.states.ts'
import type { TransactionType } from '../model/transaction.ts'

/** A line of an acquirer's books, as the simulator's `GET /books` returns it (reference/operations#simulator). */
export interface BookLine {
  readonly key: string
  readonly operation: OperationKind
  readonly amount: string
  readonly currency: string
  readonly outcome: 'approved' | 'declined'
  readonly original_key?: string
}

interface BookedRow {
  id: string
  type: TransactionType
  state: TransactionState
  currency: string
  amount_minor: bigint
  original_id: string | null
  void_key: string | null
  void_pending: boolean
}

const PAGE = 5_000

/**
 * Compares our transactions with the acquirer's books: a successful transaction is booked exactly once with its key and
 * amount, a failed one is not, and no booking is without a transaction. An open outcome may be either. All approved lines
 * are kept in memory, about 200 bytes each (measured).
 * @param businessIds read after the books, so that a business that is created meanwhile is included
 * @param acquirerName `transactions.acquirer_name` of the acquirer that keeps these books
 */
export async function* verifyBooks(
  db: Database,
  businessIds: AsyncIterable<string> | Iterable<string>,
  books: AsyncIterable<BookLine> | Iterable<BookLine>,
  acquirerName: string,
): AsyncGenerator<Breach> {
  const { booked, breaches } = await readBooks(books)
  yield* breaches
  for await (const businessId of businessIds) {
    for await (const row of transactionsAt(db, businessId, acquirerName)) {
      for (const detail of [...checkTransaction(row, booked), ...checkVoid(row, booked)]) {
        yield {
          rule: 'transactions_agree_with_the_acquirers_books',
          business_id: businessId,
          object: row.id,
          detail,
        }
      }
      booked.delete(row.id)
      if (row.void_key !== null) booked.delete(row.void_key)
    }
  }
  for (const line of booked.values()) {
    yield {
      rule: 'nothing_is_booked_without_a_transaction',
      business_id: '',
      object: line.key,
      detail: `a ${line.operation} of ${line.amount} ${line.currency}`,
    }
  }
}

async function readBooks(
  books: AsyncIterable<BookLine> | Iterable<BookLine>,
): Promise<{ booked: Map<string, BookLine>; breaches: Breach[] }> {
  const booked = new Map<string, BookLine>()
  const voided = new Set<string>()
  const breaches: Breach[] = []
  for await (const line of books) {
    if (line.outcome !== 'approved') continue
    const original = line.operation === 'void' ? line.original_key : undefined
    if (booked.has(line.key) || (original !== undefined && voided.has(original))) {
      const detail = `a second ${line.operation} of ${line.amount} ${line.currency}`
      breaches.push({
        rule: 'nothing_is_booked_twice',
        business_id: '',
        object: original ?? line.key,
        detail,
      })
    }
    booked.set(line.key, line)
    if (original !== undefined) voided.add(original)
  }
  return { booked, breaches }
}

async function* transactionsAt(
  db: Database,
  businessId: string,
  acquirerName: string,
): AsyncGenerator<BookedRow> {
  let after = ''
  for (;;) {
    const last = after
    const rows = await db.transact(businessId, (tx) =>
      tx.query<BookedRow>(sql`
        select id, type, state, currency, amount_minor, original_id, void_key, void_pending
          from transactions
         where business_id = ${businessId} and id > ${last} and acquirer_name = ${acquirerName}
         order by id limit ${PAGE}`),
    )
    yield* rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < PAGE) return
    after = end.id
  }
}

function checkTransaction(row: BookedRow, booked: ReadonlyMap<string, BookLine>): string[] {
  const line = booked.get(row.id)
  if (line === undefined) {
    const isBooked = !isUnresolved(row.state) && row.state !== 'failed'
    return isBooked ? [`${row.state}, but not in the books`] : []
  }
  if (row.state === 'failed') return ['failed, but booked']
  const amount = Money.ofMinor(row.currency, row.amount_minor).abs()
  const same =
    line.operation === OPERATION_OF_TYPE[row.type] &&
    line.currency === row.currency &&
    Money.ofDecimal(line.currency, line.amount).equals(amount) &&
    (row.original_id === null || line.original_key === row.original_id)
  if (same) return []
  const theirs = `a ${line.operation} of ${line.amount} ${line.currency}`
  return [`a ${row.type} of ${amount.toString()} ${row.currency} here, ${theirs} in the books`]
}

function checkVoid(row: BookedRow, booked: ReadonlyMap<string, BookLine>): string[] {
  const line = row.void_key === null ? undefined : booked.get(row.void_key)
  if (row.state === 'voided' && line === undefined) return ['voided, but its void is not in the books']
  if (line === undefined || row.state === 'voided' || row.void_pending) return []
  return [`${row.state}, but voided in the books`]
}
