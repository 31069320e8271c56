import type { Instant } from '#kernel/clock'
import type { Lookup, Notice } from '#modules/acquirers'
import { Batches } from '#platform/batches/batches'
import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import { defineModule } from '#platform/module'
import type { Tx } from '#platform/postgres/database'
import { storedTransactions, withCurrentState } from './api/current-state.ts'
import { renderEvents } from './api/events.ts'
import { recordDisputed } from './operations/record-disputed.ts'
import { type DisputedPayment, findDisputedDays } from './storage/disputed-money.repository.ts'
import { renderReply } from './api/replies.ts'
import { paymentRoutes } from './api/routes.ts'
import { verifyPayments } from './audit/verify.ts'
import type { Charge, FailedCharge, NewCharge } from './model/charge.ts'
import type { PaymentsContext, ReadGivenCredit } from './context.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { payOrder } from './charges/pay-order.ts'
import type { PayOrderRequest } from './charges/pay-order-request.ts'
import { previewRefund, refund } from './follow-ups/refund.ts'
import { paymentJobs } from './jobs.ts'
import type { NewOrder, Order } from './model/order.ts'
import type { OrderChangeOrigin, OrdersChangedHandler } from './model/order-change.ts'
import type { FollowUpRequest } from './model/order-requests.ts'
import { performCharge } from './operations/perform.ts'
import { performWithFallbacks } from './operations/record-for-caller.ts'
import { recordOutcomes } from './operations/record-results.ts'
import { rewrapReturned } from './operations/returned.ts'
import { lockOrdersToCredit } from './orders/credit-orders.ts'
import { paidOrders } from './orders/paid-orders.ts'
import { orderIdsPage } from './orders/list-orders.ts'
import { orderForLink } from './links/order-for-link.ts'
import { firstPaymentLink, paymentLink } from './links/order-links.ts'
import type { AcquirerResult } from './outcomes/acquirer-result.ts'
import type { PaymentResult } from './model/payment-result.ts'
import { handleNotice } from './resolver/handle-notice.ts'
import { cancelPending, refreshStatus } from './resolver/payer-actions.ts'
import { createOrders } from './sets/create-orders.ts'
import { createRequestedOrders } from './sets/create-requested-orders.ts'
import { extendChargeLeases, initiateCharges } from './sets/initiate-charges.ts'
import { initiateFollowUps } from './sets/initiate-follow-ups.ts'
import { initiatePayments } from './sets/initiate-payments.ts'
import { recordFailedCharges } from './sets/record-failed-charges.ts'
import { recordForCallers } from './sets/record-for-callers.ts'
import { storeReferencesTogether } from './sets/store-references.ts'
import {
  currenciesPaidAt,
  findByAcquirerReferences,
  movementsOf,
  newestAtSimulator,
} from './storage/acquirer-transaction.repository.ts'
import { END_OPERATION_LEASES, findUnknownOutcomes } from './storage/operation.repository.ts'
import { findMoneyOfDay, findMoneyOfOrders, findOverpaidOrders } from './storage/order-money.repository.ts'
import { addNotedRefunds, assignInvoices } from './storage/order.repository.ts'
import { findDues, findOrdersById } from './storage/order-read.repository.ts'
import {
  findOpenOrdersOfTotals,
  findOrderIdsOfCustomer,
  findOrdersOfPlan,
  findOrdersWithoutRate,
  takenReferences,
} from './storage/order-lookup.repository.ts'
import { PAYMENTS_PERSONAL_DATA } from './storage/personal-data.ts'
import { ReceiptNumbers } from './storage/receipt-numbers.ts'
import {
  findLaterFailures,
  findTransactions,
  hasTransactions,
  recordLost,
} from './storage/transaction.repository.ts'
import { findOrderNames } from './storage/search.repository.ts'
import { searchPayments } from './transactions/search-payments.ts'
import { lockOrdersForTransfers } from './transfers/lock-for-transfers.ts'
import { stepsOfOrder } from './upcoming/order-steps.ts'
import { previewVoidOrder, previewVoidTransaction } from './voids/preview-voids.ts'
import { voidOrder } from './voids/void-order.ts'
import { type OrderToVoid, voidOrders, voidOrdersNow } from './voids/void-orders-now.ts'
import { voidTransaction } from './follow-ups/void-transaction.ts'

export type { StoredTransaction } from './api/current-state.ts'
export { PAYMENT_EVENTS } from './api/events.ts'
export { renderBilledLine, renderOrder, renderTax, renderTransaction } from './api/render.ts'
export { renderPayment, renderTransactionWithOrder } from './api/replies.ts'
export {
  BilledLineMembers,
  OrderSchema,
  OrderTaxSchema,
  TransactionData,
  TransactionSchema,
  TransactionWithOrder,
} from './api/schemas.ts'

export const paymentsModule = defineModule({
  name: 'payments',
  errors: errors.catalogue,
  verify: verifyPayments,
  rewraps: [rewrapReturned],
  personalData: PAYMENTS_PERSONAL_DATA,
  endLeases: END_OPERATION_LEASES,
  connect: (deps: PaymentsDependencies) => {
    const ctx = contextOf(deps)
    return {
      payments: useCasesOf(ctx),
      routes: paymentRoutes(ctx),
      jobs: paymentJobs(ctx),
      search: { scope: 'payments:read', search: searchPayments },
    }
  },
})

export function contextOf(deps: PaymentsDependencies): PaymentsContext {
  const ctx: PaymentsContext = {
    ...deps,
    changeHandlers: [],
    givenCreditReaders: [],
    receipts: new ReceiptNumbers(deps.db),
    keepInstruments: deps.customers.keepInstruments,
    present: { events: renderEvents, reply: renderReply },
    paymentPage: (businessId, order, at) => paymentLink(deps.links, businessId, order, at),
    sets: {
      createRequestedOrders: new Batches(deps.db, { run: (tx, set) => createRequestedOrders(ctx, tx, set) }),
      initiatePayments: new Batches(deps.db, { run: (tx, set) => initiatePayments(ctx, tx, set) }),
      initiateFollowUps: new Batches(deps.db, { run: (tx, set) => initiateFollowUps(ctx, tx, set) }),
      recordForCallers: new Batches(deps.db, { run: (tx, set) => recordForCallers(ctx, tx, set) }),
      storeReferences: new Batches(deps.db, { run: storeReferencesTogether }),
    },
  }
  return ctx
}

export type Payments = ReturnType<typeof useCasesOf>

export function useCasesOf(ctx: PaymentsContext) {
  return {
    assignInvoices,
    extendChargeLeases,
    currenciesPaidAt,
    findByAcquirerReferences,
    findOrders: findOrdersById,
    duesOf: findDues,
    orderNames: findOrderNames,
    orderIdsOfCustomer: findOrderIdsOfCustomer,
    openOrdersOfTotals: findOpenOrdersOfTotals,
    laterFailures: findLaterFailures,
    hasTransactions,
    ordersWithoutRate: findOrdersWithoutRate,
    moneyOfDay: findMoneyOfDay,
    moneyOfOrders: findMoneyOfOrders,
    movementsOf,
    newestAtSimulator,
    overpaidOrders: findOverpaidOrders,
    addNotedRefunds,
    paidOrders: (tx: Tx, ids: readonly string[]) => paidOrders(ctx, tx, ids),
    ordersOfPlan: findOrdersOfPlan,
    stepsOfOrder,
    storedTransactions,
    takenReferences,
    transactions: findTransactions,
    unknownOutcomes: findUnknownOutcomes,
    recordLost,
    recordDisputed: (tx: Tx, disputed: DisputedPayment) => recordDisputed(ctx, tx, disputed),
    disputedDays: findDisputedDays,
    readGivenCredit: (read: ReadGivenCredit) => void ctx.givenCreditReaders.push(read),
    onOrdersChanged: (handler: OrdersChangedHandler) => void ctx.changeHandlers.push(handler),
    handleNotice: (tx: Tx, notice: Pick<Notice, 'subject'> & { readonly accountId: string }) =>
      handleNotice(ctx, tx, notice),
    createOrders: (tx: Tx, orders: readonly NewOrder[], origin?: OrderChangeOrigin) =>
      createOrders(ctx, tx, orders, origin),
    lockOrdersToCredit: (tx: Tx, ids: readonly string[]) => lockOrdersToCredit(ctx, tx, ids),
    lockOrdersForTransfers: (tx: Tx, ids: readonly string[]) => lockOrdersForTransfers(ctx, tx, ids),
    initiateCharges: (tx: Tx, charges: readonly NewCharge[], created: readonly Order[] = []) =>
      initiateCharges(ctx, tx, charges, created),
    performCharge: (charge: Charge) => performCharge(ctx, charge),
    performWithFallbacks: <Recorded extends Pick<PaymentResult, 'fallback'>>(
      first: Charge,
      record: (charge: Charge, outcome: AcquirerResult) => Promise<Recorded>,
    ) => performWithFallbacks(ctx, first, record),
    recordOutcomes: (tx: Tx, outcomes: Parameters<typeof recordOutcomes>[2]) =>
      recordOutcomes(ctx, tx, outcomes),
    recordFailedCharges: (tx: Tx, charges: readonly FailedCharge[], origin?: OrderChangeOrigin) =>
      recordFailedCharges(ctx, tx, charges, origin),
    refreshStatus: (businessId: string, orderId: string, returned?: Lookup['returned']) =>
      refreshStatus(ctx, businessId, orderId, returned),
    cancelPending: (businessId: string, orderId: string, transactionId: string) =>
      cancelPending(ctx, businessId, orderId, transactionId),
    orderForLink: (businessId: string, linkId: string) => orderForLink(ctx, businessId, linkId),
    paymentLink: (businessId: string, order: Order, now: Instant) =>
      firstPaymentLink(ctx, businessId, order, now),
    orderIdsPage: (caller: Caller, filter: string, request: PageRequest) =>
      orderIdsPage(ctx, caller, filter, request),
    payOrder: (caller: Caller, request: PayOrderRequest) =>
      withCurrentState(ctx, caller, payOrder(ctx, caller, request)),
    refund: (caller: Caller, request: FollowUpRequest) =>
      withCurrentState(ctx, caller, refund(ctx, caller, request)),
    voidTransaction: (caller: Caller, request: FollowUpRequest) =>
      withCurrentState(ctx, caller, voidTransaction(ctx, caller, request)),
    voidOrder: (caller: Caller, number: string) =>
      withCurrentState(ctx, caller, voidOrder(ctx, caller, { number })),
    previewRefund: (caller: Caller, request: FollowUpRequest) => previewRefund(ctx, caller, request),
    previewVoidTransaction: (caller: Caller, request: FollowUpRequest) =>
      previewVoidTransaction(ctx, caller, request),
    previewVoidOrder: (caller: Caller, number: string) => previewVoidOrder(ctx, caller, number),
    voidOrders: (tx: Tx, orders: readonly OrderToVoid[]) =>
      voidOrders(ctx, tx, orders, async () => new Set(orders.map(({ orderId }) => orderId))),
    voidOrdersNow: (
      businessId: string,
      orders: readonly OrderToVoid[],
      findDue: (tx: Tx) => Promise<ReadonlySet<string>>,
    ) => voidOrdersNow(ctx, businessId, orders, findDue),
  }
}
