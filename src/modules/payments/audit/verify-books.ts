import sql from 'sql-template-tag'
import { Money } from '#kernel/money'
import type { Database } from '#platform/postgres/database'
import type { Breach } from '#platform/verify'
import { OPERATION_OF_TYPE, type OperationKind } from '../model/operation.ts'
import { isUnresolved } from '../model/transaction.states.ts'
import { TRANSACTIONS } from '../storage/transaction.repository.ts'

/** A line of an acquirer's books, as the simulator's `GET /books` returns it (reference/operations#simulator). */
export interface BookLine {
  readonly key: string
  readonly operation: OperationKind
  readonly amount: string
  readonly currency: string
  readonly outcome: 'approved' | 'declined'
  readonly original_key?: string
}

const COMPARED = TRANSACTIONS.only(
  'id',
  'type',
  'state',
  'currency',
  'amount',
  'originalId',
  'voidKey',
  'voidPending',
)
type ComparedTransaction = ReturnType<typeof COMPARED.read>

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
    for await (const transaction of transactionsAt(db, businessId, acquirerName)) {
      for (const detail of [...checkTransaction(transaction, booked), ...checkVoid(transaction, booked)]) {
        yield {
          rule: 'transactions_agree_with_the_acquirers_books',
          business_id: businessId,
          object: transaction.id,
          detail,
        }
      }
      booked.delete(transaction.id)
      if (transaction.voidKey !== null) booked.delete(transaction.voidKey)
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
): AsyncGenerator<ComparedTransaction> {
  let after = ''
  for (;;) {
    const last = after
    const rows = await db.transact(businessId, (tx) =>
      tx.query(sql`
        select ${COMPARED.columns} from transactions t
         where business_id = ${businessId} and id > ${last} and acquirer_name = ${acquirerName}
         order by id limit ${PAGE}`),
    )
    const transactions = rows.map(COMPARED.read)
    yield* transactions
    const end = transactions.at(-1)
    if (end === undefined || rows.length < PAGE) return
    after = end.id
  }
}

function checkTransaction(transaction: ComparedTransaction, booked: ReadonlyMap<string, BookLine>): string[] {
  const line = booked.get(transaction.id)
  if (line === undefined) {
    const isBooked = !isUnresolved(transaction.state) && transaction.state !== 'failed'
    return isBooked ? [`${transaction.state}, but not in the books`] : []
  }
  if (transaction.state === 'failed') return ['failed, but booked']
  const amount = transaction.amount.abs()
  const same =
    line.operation === OPERATION_OF_TYPE[transaction.type] &&
    line.currency === transaction.currency &&
    Money.ofDecimal(line.currency, line.amount).equals(amount) &&
    (transaction.originalId === null || line.original_key === transaction.originalId)
  if (same) return []
  const theirs = `a ${line.operation} of ${line.amount} ${line.currency}`
  return [
    `a ${transaction.type} of ${amount.toString()} ${transaction.currency} here, ${theirs} in the books`,
  ]
}

function checkVoid(transaction: ComparedTransaction, booked: ReadonlyMap<string, BookLine>): string[] {
  const line = transaction.voidKey === null ? undefined : booked.get(transaction.voidKey)
  if (transaction.state === 'voided' && line === undefined)
    return ['voided, but its void is not in the books']
  if (line === undefined || transaction.state === 'voided' || transaction.voidPending) return []
  return [`${transaction.state}, but voided in the books`]
}
