import { earliestOf, type Instant } from '#kernel/clock'
import type { Customers } from '#modules/customers'
import type { EventLog, NewEvent, PreparedEvents } from '#platform/events/events'
import { type IdempotencyId, storeReplies } from '#platform/idempotency/idempotency'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { AUTHORIZATION_EXPIRY, ORDER_EXPIRY, ORDER_VOIDS, PAYMENT_OPERATIONS } from '../job-names.ts'
import type { Operation } from '../model/operation.ts'
import type { Order } from '../model/order.ts'
import { OrderAggregate } from '../model/order-aggregate.ts'
import type { OrderChange, OrderChangeOrigin, OrdersChangedHandler } from '../model/order-change.ts'
import type { OrderVoidResult } from '../model/order-void-result.ts'
import type { PaymentResult } from '../model/payment-result.ts'
import type { Transaction } from '../model/transaction.ts'
import { deleteOperations, saveOperations } from './operation.repository.ts'
import { lockOrders, lockOrdersOfOpenDays, updateOrders } from './order.repository.ts'
import type { OrderSelector } from './order-selector.ts'
import type { ReceiptNumbers } from './receipt-numbers.ts'
import {
  insertTransactions,
  type TransactionChange,
  transactionsOf,
  updateTransactions,
} from './transaction.repository.ts'

export type Reply = PaymentResult | OrderVoidResult

/** How events and the kept replies of requests are shown. `api/` supplies it, so that use cases know nothing of the API. */
interface Presentation {
  readonly events: (aggregate: OrderAggregate) => NewEvent[]
  readonly reply: (result: Reply, requestId: string) => { readonly status: number; readonly body: string }
}

type KeptInstrument = Parameters<Customers['keepInstruments']>[1][number]

export interface UnitOfWorkContext {
  readonly keepInstruments: Customers['keepInstruments']
  readonly events: EventLog
  readonly changeHandlers: readonly OrdersChangedHandler[]
  readonly receipts: ReceiptNumbers
  readonly present: Presentation
  readonly paymentPage: (businessId: string, order: Order, at: Instant) => string
}

interface KeptReply {
  readonly idempotencyId: string
  readonly requestId: string
  readonly reply: () => Reply
}

/**
 * What one database transaction does to orders. It locks them and reads all their transactions. Pure decisions change them in
 * memory, and `save` writes everything set-based. Hundreds of orders cost as many statements as one.
 */
export class PaymentUnitOfWork {
  readonly tx: Tx
  readonly aggregates: ReadonlyMap<string, OrderAggregate>
  /** The last closed day, YYYY-MM-DD; null if none is closed or it was not asked for. */
  readonly lockedUntil: string | null
  readonly #ctx: UnitOfWorkContext
  readonly #prepared: PreparedEvents | undefined
  readonly #operations = new Map<string, Operation>()
  readonly #endedKeys = new Set<string>()
  readonly #replies: KeptReply[] = []
  readonly #kept: KeptInstrument[] = []

  constructor(
    ctx: UnitOfWorkContext,
    tx: Tx,
    aggregates: readonly OrderAggregate[],
    prepared?: PreparedEvents,
    lockedUntil: string | null = null,
  ) {
    this.#ctx = ctx
    this.lockedUntil = lockedUntil
    this.#prepared = prepared
    this.tx = tx
    this.aggregates = new Map(aggregates.map((aggregate) => [aggregate.order.id, aggregate]))
  }

  static async lock(ctx: UnitOfWorkContext, tx: Tx, selector: OrderSelector): Promise<PaymentUnitOfWork> {
    const locking = lockAggregates(tx, selector)
    const prepared = ctx.events.prepare(tx)
    return new PaymentUnitOfWork(ctx, tx, await locking, prepared)
  }

  /** For requests that a closed day refuses. */
  static async lockForRequest(
    ctx: UnitOfWorkContext,
    tx: Tx,
    selector: OrderSelector,
  ): Promise<PaymentUnitOfWork> {
    const locking = Promise.all([lockOrdersOfOpenDays(tx, selector), transactionsOf(tx, selector)])
    const prepared = ctx.events.prepare(tx)
    const [{ orders, lockedUntil }, transactions] = await locking
    return new PaymentUnitOfWork(ctx, tx, assembleAggregates(orders, transactions), prepared, lockedUntil)
  }

  aggregate(orderId: string): OrderAggregate {
    const aggregate = this.aggregates.get(orderId)
    if (aggregate === undefined) throw new Error(`order ${orderId} is not locked`)
    return aggregate
  }

  paymentPage(order: Order, at: Instant): string {
    return this.#ctx.paymentPage(this.tx.businessId, order, at)
  }

  get only(): OrderAggregate | undefined {
    return this.aggregates.values().next().value
  }

  saveOperation(operation: Operation): void {
    this.#operations.set(operation.key, operation)
  }

  endOperation(operation: Operation): void {
    this.#endedKeys.add(operation.key)
  }

  keepInstrument(kept: KeptInstrument): void {
    this.#kept.push(kept)
  }

  /**
   * Keeps the reply for repeats of the request. The final outcome replaces a stored 504.
   * @param reply called at the end, when new transactions have their receipt numbers
   */
  keepReply(
    {
      idempotencyId,
      requestId,
    }: { readonly idempotencyId: IdempotencyId; readonly requestId: string | null },
    reply: () => Reply,
  ): void {
    if (idempotencyId !== null) this.#replies.push({ idempotencyId, requestId: requestId ?? '', reply })
  }

  /** Writes everything, appends the events and calls the handlers of other modules. Call it once, last. */
  async save(origin?: OrderChangeOrigin): Promise<void> {
    const changes = await this.write(origin)
    if (changes.length === 0) return
    for (const handler of this.#ctx.changeHandlers) await handler(this.tx, changes, origin)
  }

  /** Like `save`, but without the handlers. Use it for new charges: handlers learn of a charge by its outcome. */
  async write(origin?: OrderChangeOrigin): Promise<readonly OrderChange[]> {
    const { tx } = this
    const inserted = await this.#numberNewTransactions()
    if (inserted.length > 0) tx.defer(insertTransactions(tx, inserted))
    const changes = this.#changes()
    const changedOrders = this.#changedOrders()
    const orders = changedOrders.map(({ order }) => order)
    const updated = updatedTransactions(changes)
    const transactions = updated.map(({ transaction }) => transaction)
    const operations = [...this.#operations.values()]
    if (updated.length > 0) tx.defer(updateTransactions(tx, updated))
    if (orders.length > 0) tx.defer(updateOrders(tx, changedOrders))
    if (operations.length > 0) tx.defer(saveOperations(tx, operations))
    if (this.#endedKeys.size > 0) tx.defer(deleteOperations(tx, [...this.#endedKeys]))
    if (this.#kept.length > 0) await this.#ctx.keepInstruments(tx, this.#kept)
    this.#schedule(orders, transactions, operations)
    await Promise.all([
      storeReplies(
        tx,
        this.#replies.map(({ idempotencyId: id, requestId, reply }) => ({
          id,
          ...this.#ctx.present.reply(reply(), requestId),
        })),
      ),
      this.#ctx.events.append(tx, this.#events(origin), this.#prepared),
    ])
    return changes
  }

  async #numberNewTransactions(): Promise<Transaction[]> {
    const inserted = [...this.aggregates.values()]
      .flatMap((aggregate) => aggregate.changedTransactions)
      .filter((change) => change.before === null)
      .map((change) => change.transaction)
    const numbered = await this.#ctx.receipts.number(inserted)
    for (const transaction of numbered) this.aggregate(transaction.orderId).setReceiptNumber(transaction)
    return numbered
  }

  #changedOrders(): OrderAggregate[] {
    return [...this.aggregates.values()].filter((aggregate) => aggregate.isOrderChanged)
  }

  #schedule(
    orders: readonly Order[],
    transactions: readonly Transaction[],
    operations: readonly Operation[],
  ): void {
    const dueTimes: [string, (Instant | null)[]][] = [
      [PAYMENT_OPERATIONS, operations.map((operation) => operation.dueAt)],
      [ORDER_VOIDS, orders.map((order) => order.voiding?.dueAt ?? null)],
      [ORDER_EXPIRY, orders.map((order) => order.expiresAt)],
      [AUTHORIZATION_EXPIRY, transactions.map((transaction) => transaction.expiresAt)],
    ]
    for (const [job, times] of dueTimes) {
      const first = earliestOf(times)
      if (first !== null) this.tx.defer(scheduleJob(this.tx, job, first))
    }
  }

  #events(origin: OrderChangeOrigin | undefined): NewEvent[] {
    return [...this.aggregates.values()].flatMap((aggregate) => {
      const callbackUrl = origin?.callbackUrls.get(aggregate.order.id)
      return this.#ctx.present.events(aggregate).map((event) => ({ ...event, callbackUrl }))
    })
  }

  #changes(): OrderChange[] {
    return [...this.aggregates.values()]
      .filter((aggregate) => aggregate.order !== aggregate.before || aggregate.changedTransactions.length > 0)
      .map((aggregate) => ({
        at: aggregate.order.updatedAt,
        before: aggregate.before,
        order: aggregate.order,
        transactions: aggregate.changedTransactions,
        allTransactions: aggregate.transactions,
        voidedBy: aggregate.voidedBy,
      }))
  }
}

function updatedTransactions(changes: readonly OrderChange[]): TransactionChange[] {
  return changes.flatMap((change) =>
    change.transactions.flatMap(({ before, transaction }) =>
      before === null ? [] : { before, transaction },
    ),
  )
}

/**
 * Locks orders in the order of their ids and reads their transactions, in one round trip: the second statement runs once
 * the first holds its locks.
 */
export async function lockAggregates(tx: Tx, selector: OrderSelector): Promise<OrderAggregate[]> {
  const [orders, transactions] = await Promise.all([lockOrders(tx, selector), transactionsOf(tx, selector)])
  return assembleAggregates(orders, transactions)
}

export function assembleAggregates(
  orders: readonly Order[],
  transactions: readonly Transaction[],
): OrderAggregate[] {
  const byOrder = Map.groupBy(transactions, (transaction) => transaction.orderId)
  return orders.map((order) => new OrderAggregate(order, byOrder.get(order.id) ?? []))
}
