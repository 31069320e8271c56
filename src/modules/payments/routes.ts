import { readPage } from '#platform/http/list'
import { defineRoute, type Route } from '#platform/http/route'
import type { Payments } from './payments.ts'
import {
  CheckOrderBody,
  CheckOrderQuery,
  CreateOrderBody,
  FollowUpBody,
  ORDER_EXISTS,
  OrderData,
  OrdersData,
  OrdersQuery,
  OrderWithLinksData,
  PaymentLinkQuery,
  PayOrderBody,
  TRANSACTION_FAILURES,
  TransactionData,
  VOID_ORDER_FAILURES,
  VoidOrderBody,
} from './schemas.ts'

const BASE = '/svc/payment/api/v1/openapi'
const ORDERS = 'Orders'
const TRANSACTIONS = 'Transactions'

export function paymentRoutes(payments: Payments): Route[] {
  return [...orderRoutes(payments), ...transactionRoutes(payments)]
}

function orderRoutes(payments: Payments): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/orders`,
      scope: 'payments:write',
      summary: 'Create an order',
      tag: ORDERS,
      query: PaymentLinkQuery,
      body: CreateOrderBody,
      data: OrderWithLinksData,
      failures: { 409: ORDER_EXISTS },
      handle: ({ caller, query, body }) =>
        payments.createOrder(caller, body.order, query.with_payment_link ?? false),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/orders`,
      scope: 'payments:read',
      summary: 'List orders',
      tag: ORDERS,
      query: OrdersQuery,
      data: OrdersData,
      handle: ({ caller, query }) => payments.ordersPage(caller, query.filter, readPage('orders', query)),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/orders/check`,
      scope: 'payments:read',
      summary: 'Get an order',
      tag: ORDERS,
      query: CheckOrderQuery,
      body: CheckOrderBody,
      data: OrderWithLinksData,
      handle: ({ caller, query, body }) =>
        payments.checkOrder(caller, body, {
          withPaymentLink: query.with_payment_link ?? false,
          withDownloadLink: query.with_download_link ?? false,
        }),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/orders/void`,
      scope: 'payments:write',
      summary: 'Void an order',
      tag: ORDERS,
      body: VoidOrderBody,
      data: OrderData,
      failures: VOID_ORDER_FAILURES,
      handle: ({ caller, body }) => payments.voidOrder(caller, body.order),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/orders/pay`,
      scope: 'payments:write',
      summary: 'Pay an order with a stored token',
      tag: ORDERS,
      body: PayOrderBody,
      data: TransactionData,
      failures: TRANSACTION_FAILURES,
      handle: ({ caller, body }) => payments.payOrder(caller, body),
    }),
  ]
}

function transactionRoutes(payments: Payments): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/transactions/capture`,
      scope: 'payments:write',
      summary: 'Capture an authorization',
      tag: TRANSACTIONS,
      body: FollowUpBody,
      data: TransactionData,
      failures: TRANSACTION_FAILURES,
      handle: ({ caller, body }) => payments.capture(caller, body),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/transactions/refund`,
      scope: 'payments:write',
      summary: 'Refund a sale or capture',
      tag: TRANSACTIONS,
      body: FollowUpBody,
      data: TransactionData,
      failures: TRANSACTION_FAILURES,
      handle: ({ caller, body }) => payments.refund(caller, body),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/transactions/void`,
      scope: 'payments:write',
      summary: 'Void a transaction',
      tag: TRANSACTIONS,
      body: FollowUpBody,
      data: TransactionData,
      failures: TRANSACTION_FAILURES,
      handle: ({ caller, body }) => payments.voidTransaction(caller, body),
    }),
  ]
}
