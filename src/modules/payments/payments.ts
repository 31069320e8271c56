import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import { LEASE_MS, leaseNow, type Lookup, type Notice, type VerifyOutcome } from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import type { Job } from '#platform/jobs/jobs'
import type { PageRequest } from '#platform/http/validation/list'
import type { Search, SearchHit } from '#platform/search/search'
import { initiateCharges } from './charges/initiate-charges.ts'
import { capture } from './follow-ups/capture.ts'
import { expireByNotice } from './follow-ups/expire-authorizations.ts'
import type {
  InitiatedCharge,
  Charge,
  ChargeOutcome,
  FailedCharge,
  NewCharge,
  RecordedCharge,
  RecordedFailure,
} from './charges/charge.ts'
import { type CheckOptions, checkOrder } from './orders/check-order.ts'
import { type PaymentsContext, routerOf } from './context.ts'
import { createOrder } from './orders/create-order.ts'
import { createOrders } from './orders/create-orders.ts'
import { isPayable } from './charges/decide-payment.ts'
import { paymentJobs } from './jobs.ts'
import { ordersPage } from './orders/list-orders.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { refreshStatus, cancelPending } from './resolver/payer-actions.ts'
import { type LinkedOrderView, orderForLink } from './orders/order-for-link.ts'
import {
  type AcquirerTransaction,
  findByAcquirerReferences,
  movementsOf,
  type MovementsPage,
} from './storage/acquirer-transaction.repository.ts'
import { decideOutcome } from './resolver/decide-outcome.ts'
import {
  extendLeases,
  findOpenOperations,
  findUnknownOutcomes,
  hastenInquiries,
  type UnknownOutcome,
} from './storage/operation.repository.ts'
import { firstPaymentLink } from './orders/order-links.ts'
import {
  findOrders,
  findOrdersOfPlan,
  type OrderOfPlan,
  type OrderWithTransactions,
  takenReferences,
} from './storage/order.repository.ts'
import type { NewOrder, Order } from './model/order.ts'
import type { OrderChangeOrigin, OrdersChangedHandler } from './model/order-change.ts'
import { payOrder } from './charges/pay-order.ts'
import { performCharge } from './operations/perform.ts'
import { ReceiptNumbers } from './storage/receipt-numbers.ts'
import { performWithFallbacks } from './operations/record-for-caller.ts'
import { recordOutcomes } from './operations/record-results.ts'
import { recordFailedCharges } from './charges/record-failed-charges.ts'
import { previewRefund, refund } from './follow-ups/refund.ts'
import { releaseLateHold } from './voids/release-late-hold.ts'
import { renderOrder } from './api/render.ts'
import { renderEvents } from './events.ts'
import type {
  CheckOrderRequest,
  CreateOrderRequest,
  DecideOutcomeRequest,
  FollowUpRequestBody,
  OrderIdentifiersRequest,
  PayOrderRequest,
} from './api/schemas.ts'
import type { Transaction } from './model/transaction.ts'
import { failLater } from './operations/fail-later.ts'
import { findLaterFailures, findTransactions } from './storage/transaction.repository.ts'
import { type OrderStep, orderSteps } from './upcoming/order-steps.ts'
import { withCurrentState } from './api/current-state.ts'
import { previewVoidOrder, previewVoidTransaction } from './voids/preview-voids.ts'
import { voidOrder } from './voids/void-order.ts'
import { type OrderToVoid, type VoidedNow, voidOrdersNow } from './voids/void-orders-now.ts'
import { voidTransaction } from './voids/void-transaction.ts'
import { byIds } from './storage/order-selector.ts'
import { transactionsPage } from './transactions/list-transactions.ts'
import { searchPayments } from './transactions/search-payments.ts'

/**
 * - `handleNotice`: Makes the resolver ask the acquirer at once about the payment of a notice.
 * - `orderForLink`: `linkId` comes from a link whose signature was checked. Throws 404.
 * - `refreshStatus`: Asks the acquirer now about payments that wait for their payer. `returned` are the query members
 *   that the acquirer added when it sent the payer back. Returns false when another process was already asking.
 * - `cancelPending`: Cancels a payment that waits for its payer, so that the order can be paid another way. The payer may
 *   have paid already.
 * - `createOrders`: Results in the order of the arguments; undefined where the reference number is taken.
 * - `initiateCharges`: Reserves the amounts and writes `initiated` transactions. Results in the order of the arguments.
 *   `created` are orders that this database transaction created; they need no lock.
 * - `extendChargeLeases`: Keeps the resolver away for another 30 s from charges that still wait for their call.
 * - `recordOutcomes`: Writes outcomes with their events and stored replies. Changes nothing where the resolver was faster.
 * - `voidOrdersNow`: Voids orders at the end of their grace: voids unsettled payments, refunds settled ones. `waiting`:
 *   payments must be reversed first; a job continues, and its end reaches the handlers of order changes. Do not call it
 *   inside a transaction. `findDue` returns the orders that are still to be voided, called once they are locked.
 * - `findByAcquirerReferences`: By `gatewayTransactionId` or `rrn`.
 * - `movementsOf`: Sales, Captures and Refunds that moved money at the account, in the order in which they succeeded.
 * - `paymentLink`: The order's first payment link, even after the timer of a plan's order closed it: only a check makes a
 *   new link. Undefined when the order is not payable or no acquirer could take the payment.
 */
export class Payments {
  readonly #ctx: PaymentsContext
  readonly #changeHandlers: OrdersChangedHandler[] = []
  readonly jobs: readonly Job[]

  constructor(deps: PaymentsDependencies) {
    this.#ctx = {
      ...deps,
      changeHandlers: this.#changeHandlers,
      receipts: new ReceiptNumbers(deps.db),
      renderEvents,
    }
    this.jobs = paymentJobs(this.#ctx)
  }

  createOrder(caller: Caller, order: CreateOrderRequest, withPaymentLink: boolean): Promise<object> {
    return createOrder(this.#ctx, caller, order, withPaymentLink)
  }

  ordersPage(caller: Caller, filter: string | undefined, page: PageRequest): Promise<object> {
    return ordersPage(this.#ctx, caller, filter, page)
  }

  transactionsPage(caller: Caller, filter: string | undefined, page: PageRequest): Promise<object> {
    return transactionsPage(this.#ctx, caller, filter, page)
  }

  search(tx: Tx, search: Search): Promise<SearchHit[]> {
    return searchPayments(tx, search)
  }

  checkOrder(caller: Caller, request: CheckOrderRequest, options: CheckOptions): Promise<object> {
    return checkOrder(this.#ctx, caller, request, options)
  }

  voidOrder(caller: Caller, order: OrderIdentifiersRequest): Promise<object> {
    return withCurrentState(this.#ctx, caller.businessId, voidOrder(this.#ctx, caller, order))
  }

  payOrder(caller: Caller, request: PayOrderRequest): Promise<object> {
    return withCurrentState(this.#ctx, caller.businessId, payOrder(this.#ctx, caller, request))
  }

  capture(caller: Caller, request: FollowUpRequestBody): Promise<object> {
    return withCurrentState(this.#ctx, caller.businessId, capture(this.#ctx, caller, request))
  }

  refund(caller: Caller, request: FollowUpRequestBody): Promise<object> {
    return withCurrentState(this.#ctx, caller.businessId, refund(this.#ctx, caller, request))
  }

  voidTransaction(caller: Caller, request: FollowUpRequestBody): Promise<object> {
    return withCurrentState(this.#ctx, caller.businessId, voidTransaction(this.#ctx, caller, request))
  }

  previewRefund(caller: Caller, request: FollowUpRequestBody): Promise<Money> {
    return previewRefund(this.#ctx, caller, request)
  }

  previewVoidTransaction(caller: Caller, request: FollowUpRequestBody): Promise<Money> {
    return previewVoidTransaction(this.#ctx, caller, request)
  }

  previewVoidOrder(caller: Caller, number: string): Promise<Money> {
    return previewVoidOrder(this.#ctx, caller, number)
  }

  decideOutcome(caller: Caller, request: DecideOutcomeRequest): Promise<object> {
    return decideOutcome(this.#ctx, caller, request)
  }

  async handleNotice(
    tx: Tx,
    notice: Pick<Notice, 'subject'> & { readonly accountId: string },
  ): Promise<void> {
    const { subject } = notice
    // In the order in which results are recorded: first orders are locked, then operations.
    if (subject.kind === 'hold') await releaseLateHold(this.#ctx, tx, notice)
    if (subject.kind === 'failure') await failLater(this.#ctx, tx, notice)
    if (subject.kind === 'expiry') await expireByNotice(this.#ctx, tx, notice)
    if (isAboutPayment(subject)) await hastenInquiries(tx, subject, tx.now)
  }

  orderForLink(businessId: string, linkId: string): Promise<LinkedOrderView> {
    return orderForLink(this.#ctx, businessId, linkId)
  }

  refreshStatus(businessId: string, orderId: string, returned?: Lookup['returned']): Promise<boolean> {
    return refreshStatus(this.#ctx, businessId, orderId, returned)
  }

  cancelPending(businessId: string, orderId: string, transactionId: string): Promise<void> {
    return cancelPending(this.#ctx, businessId, orderId, transactionId)
  }

  onOrdersChanged(handler: OrdersChangedHandler): void {
    this.#changeHandlers.push(handler)
  }

  createOrders(
    tx: Tx,
    orders: readonly NewOrder[],
    origin?: OrderChangeOrigin,
  ): Promise<(Order | undefined)[]> {
    return createOrders(this.#ctx, tx, orders, origin)
  }

  initiateCharges(
    tx: Tx,
    charges: readonly NewCharge[],
    created: readonly Order[] = [],
  ): Promise<InitiatedCharge[]> {
    return initiateCharges(this.#ctx, tx, charges, created)
  }

  extendChargeLeases(tx: Tx, charges: readonly Charge[]): Promise<void> {
    const operations = charges.map(({ operation }) => operation)
    const dueAt = tx.now.add({ milliseconds: LEASE_MS })
    return extendLeases(tx, operations, { dueAt, leasedUntil: leaseNow().leasedUntil })
  }

  performCharge(charge: Charge): Promise<VerifyOutcome> {
    return performCharge(this.#ctx, charge)
  }

  performWithFallbacks<Recorded extends Pick<RecordedCharge, 'fallback'>>(
    first: Charge,
    record: (charge: Charge, outcome: VerifyOutcome) => Promise<Recorded>,
  ): Promise<Recorded> {
    return performWithFallbacks(this.#ctx, first, record)
  }

  recordOutcomes(tx: Tx, outcomes: readonly ChargeOutcome[]): Promise<RecordedCharge[]> {
    return recordOutcomes(this.#ctx, tx, outcomes)
  }

  recordFailedCharges(
    tx: Tx,
    charges: readonly FailedCharge[],
    origin?: OrderChangeOrigin,
  ): Promise<RecordedFailure[]> {
    return recordFailedCharges(this.#ctx, tx, charges, origin)
  }

  voidOrdersNow(
    businessId: string,
    orders: readonly OrderToVoid[],
    findDue: (tx: Tx) => Promise<ReadonlySet<string>>,
  ): Promise<Map<string, VoidedNow>> {
    return voidOrdersNow(this.#ctx, businessId, orders, findDue)
  }

  async findOrders(tx: Tx, ids: readonly string[]): Promise<Map<string, OrderWithTransactions>> {
    const found = await findOrders(tx, byIds(ids))
    return new Map(found.map((read) => [read.order.id, read]))
  }

  findByAcquirerReferences(
    tx: Tx,
    accountId: string,
    references: readonly string[],
  ): Promise<AcquirerTransaction[]> {
    return findByAcquirerReferences(tx, accountId, references)
  }

  async stepsOfOrder(tx: Tx, found: OrderWithTransactions): Promise<OrderStep[]> {
    const operations = await findOpenOperations(tx, found.transactions)
    return orderSteps({ ...found, now: tx.now }, operations)
  }

  transactions(tx: Tx, ids: readonly string[]): Promise<Map<string, Transaction>> {
    return findTransactions(tx, ids)
  }

  unknownOutcomes(tx: Tx, startedBefore: Instant, limit: number): Promise<UnknownOutcome[]> {
    return findUnknownOutcomes(tx, startedBefore, limit)
  }

  laterFailures(tx: Tx, since: Instant, limit: number): Promise<Transaction[]> {
    return findLaterFailures(tx, since, limit)
  }

  ordersOfPlan(tx: Tx, planId: string, references: readonly string[]): Promise<OrderOfPlan[]> {
    return findOrdersOfPlan(tx, planId, references)
  }

  movementsOf(tx: Tx, accountId: string, page: MovementsPage): Promise<AcquirerTransaction[]> {
    return movementsOf(tx, accountId, page)
  }

  takenReferences(tx: Tx, references: readonly string[]): Promise<Set<string>> {
    return takenReferences(tx, references)
  }

  renderOrder(order: Order, transactions: readonly Transaction[], now: Instant): object {
    return renderOrder(order, transactions, now)
  }

  async paymentLink(businessId: string, order: Order, now: Instant): Promise<string | undefined> {
    if (!isPayable(order, now)) return undefined
    const router = await routerOf(this.#ctx, businessId)
    if (!router.hasPageFor(order.currency)) return undefined
    return firstPaymentLink(this.#ctx.links, businessId, order)
  }
}

function isAboutPayment({ kind }: Notice['subject']): boolean {
  return kind === 'payment' || kind === 'hold' || kind === 'failure' || kind === 'expiry'
}
