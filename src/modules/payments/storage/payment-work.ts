import { earliestOf, type Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import type { NewEvent, PreparedEvents } from '#platform/events/events'
import { type IdempotencyId, keepAnswer } from '#platform/idempotency/idempotency'
import type { PaymentsContext } from '../context.ts'
import { AUTHORIZATION_EXPIRY, ORDER_EXPIRY, ORDER_VOIDS, PAYMENT_OPERATIONS } from '../job-kinds.ts'
import type { Operation } from '../model/operation.ts'
import { deleteOperations, saveOperations } from './operation.repository.ts'
import { OrderAggregate } from '../model/order-aggregate.ts'
import type { OrderChange, OrderChangeOrigin } from '../model/order-change.ts'
import { lockOrders, updateOrders } from './order.repository.ts'
import type { Order } from '../model/order.ts'
import { renderOrder, renderTransaction } from '../api/render.ts'
import { insertTransactions, transactionsOf, updateTransactions } from './transaction.repository.ts'
import type { Transaction } from '../model/transaction.ts'
import type { OrderSelector } from './order-selector.ts'

interface KeptAnswer {
  readonly idempotencyId: string
  readonly status: number
  /** Made when the numbers of new transactions are known. */
  readonly envelope: () => string
}

/**
 * What one database transaction does to orders: they are locked with all their transactions, changed in memory by pure
 * decisions, and written set-based at the end. Hundreds of orders cost as many statements as one.
 */
export class PaymentWork {
  readonly tx: Tx
  readonly ledgers: ReadonlyMap<string, OrderAggregate>
  readonly #ctx: PaymentsContext
  readonly #prepared: PreparedEvents | undefined
  readonly #operations = new Map<string, Operation>()
  readonly #ended = new Set<string>()
  readonly #answers: KeptAnswer[] = []

  constructor(ctx: PaymentsContext, tx: Tx, ledgers: readonly OrderAggregate[], prepared?: PreparedEvents) {
    this.#ctx = ctx
    this.#prepared = prepared
    this.tx = tx
    this.ledgers = new Map(ledgers.map((ledger) => [ledger.order.id, ledger]))
  }

  /** Locks the orders in the order of their ids and reads their transactions: one round trip. */
  static async lock(ctx: PaymentsContext, tx: Tx, selector: OrderSelector): Promise<PaymentWork> {
    // The second statement runs after the first has its locks, so it sees what they protect.
    const locking = Promise.all([lockOrders(tx, selector), transactionsOf(tx, selector)])
    const prepared = ctx.events.prepare(tx)
    const [orders, transactions] = await locking
    return PaymentWork.of(ctx, tx, orders, transactions, prepared)
  }

  static of(
    ctx: PaymentsContext,
    tx: Tx,
    orders: readonly Order[],
    transactions: readonly Transaction[],
    prepared?: PreparedEvents,
  ): PaymentWork {
    const byOrder = Map.groupBy(transactions, (transaction) => transaction.orderId)
    return new PaymentWork(
      ctx,
      tx,
      orders.map((order) => new OrderAggregate(order, byOrder.get(order.id) ?? [])),
      prepared,
    )
  }

  ledger(orderId: string): OrderAggregate {
    const ledger = this.ledgers.get(orderId)
    if (ledger === undefined) throw new Error(`order ${orderId} is not locked`)
    return ledger
  }

  /** The only order that was selected; undefined when there is none. */
  get only(): OrderAggregate | undefined {
    return this.ledgers.values().next().value
  }

  /** A new operation, or one that waits on. */
  keep(operation: Operation): void {
    this.#operations.set(operation.key, operation)
  }

  end(operation: Operation): void {
    this.#ended.add(operation.key)
  }

  /** Keeps the answer of a request with the outcome. */
  answer(idempotencyId: IdempotencyId, status: number, envelope: () => string): void {
    if (idempotencyId !== null) this.#answers.push({ idempotencyId, status, envelope })
  }

  /** Writes everything, tells it, and lets the other modules react. Nothing may be changed afterwards. */
  async save(origin?: OrderChangeOrigin): Promise<void> {
    const { tx } = this
    const made = await this.#numberedTransactions()
    if (made.length > 0) tx.defer(insertTransactions(tx, made))
    const orders = this.#changedOrders()
    const transactions = this.#updatedTransactions()
    const operations = [...this.#operations.values()]
    if (transactions.length > 0) tx.defer(updateTransactions(tx, transactions))
    if (orders.length > 0) tx.defer(updateOrders(tx, orders))
    if (operations.length > 0) tx.defer(saveOperations(tx, operations))
    if (this.#ended.size > 0) tx.defer(deleteOperations(tx, [...this.#ended]))
    this.#schedule(orders, transactions, operations)
    await Promise.all([
      ...this.#answers.map(({ idempotencyId, status, envelope }) =>
        keepAnswer(tx, idempotencyId, status, envelope()),
      ),
      this.#ctx.events.append(tx, this.#events(origin), this.#prepared),
    ])
    await this.#react(origin)
  }

  /** The new transactions, which are given their receipt numbers. */
  async #numberedTransactions(): Promise<Transaction[]> {
    const made = this.#changes()
      .flatMap((change) => change.transactions)
      .filter((change) => change.before === null)
      .map((change) => change.transaction)
    const numbered = await this.#ctx.receipts.number(this.tx.businessId, made)
    for (const transaction of numbered) this.ledger(transaction.orderId).number(transaction)
    return numbered
  }

  #changedOrders(): Order[] {
    return [...this.ledgers.values()]
      .filter((ledger) => ledger.before !== null && ledger.order !== ledger.before)
      .map((ledger) => ledger.order)
  }

  /** Also new ones that are more than just begun: the insert writes only what every transaction begins with. */
  #updatedTransactions(): Transaction[] {
    return this.#changes().flatMap((change) =>
      change.transactions
        .filter(({ before, transaction }) => before !== null || transaction.succeededAt !== null)
        .map(({ transaction }) => transaction),
    )
  }

  #schedule(
    orders: readonly Order[],
    transactions: readonly Transaction[],
    operations: readonly Operation[],
  ): void {
    const due: [string, (Instant | null)[]][] = [
      [PAYMENT_OPERATIONS, operations.map((operation) => operation.dueAt)],
      [ORDER_VOIDS, orders.map((order) => order.voiding?.dueAt ?? null)],
      [ORDER_EXPIRY, orders.map((order) => order.expiresAt)],
      [AUTHORIZATION_EXPIRY, transactions.map((transaction) => transaction.expiresAt)],
    ]
    for (const [kind, times] of due) {
      const first = earliestOf(times)
      if (first !== null) this.tx.defer(scheduleJob(this.tx, kind, first))
    }
  }

  #events(origin: OrderChangeOrigin | undefined): NewEvent[] {
    return [...this.ledgers.values()].flatMap((ledger) => {
      const { order, transactions, recordedEvents } = ledger
      const callbackUrl = origin?.callbackUrls.get(order.id)
      // Most events of one order are of one moment, and show the same.
      const shownAt = new Map<number, object>()
      return recordedEvents.map((event): NewEvent => {
        const { at, transactionId } = event
        const shown = shownAt.get(at.epochMilliseconds) ?? renderOrder(order, transactions, at)
        shownAt.set(at.epochMilliseconds, shown)
        const data =
          transactionId === null
            ? { order: shown }
            : {
                order: shown,
                transaction: renderTransaction(ledger.transaction(transactionId), transactions, at),
              }
        return { type: event.type, objectId: order.id, timestamp: at, data, callbackUrl }
      })
    })
  }

  async #react(origin: OrderChangeOrigin | undefined): Promise<void> {
    if (this.#ctx.reactions.length === 0) return
    const changes = this.#changes()
    if (changes.length === 0) return
    for (const reaction of this.#ctx.reactions) await reaction(this.tx, changes, origin)
  }

  #changes(): OrderChange[] {
    return [...this.ledgers.values()]
      .filter((ledger) => ledger.order !== ledger.before || ledger.changedTransactions.length > 0)
      .map((ledger) => ({
        at: ledger.order.updatedAt,
        before: ledger.before,
        order: ledger.order,
        transactions: ledger.changedTransactions,
        allTransactions: ledger.transactions,
      }))
  }
}
