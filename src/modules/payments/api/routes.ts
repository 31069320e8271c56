import { filteredListQuery, readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { ORDER_FIELDS } from '../orders/list-orders.ts'
import type { Payments } from '../payments.ts'
import { TRANSACTION_FIELDS } from '../transactions/list-transactions.ts'
import {
  CheckOrderBody,
  CheckOrderQuery,
  CreateOrderBody,
  DecideOutcomeBody,
  FollowUpBody,
  ORDER_EXISTS,
  OrderData,
  OrderWithLinksData,
  OrderWithPaymentLinkData,
  OrdersData,
  PayOrderBody,
  PaymentLinkQuery,
  TRANSACTION_FAILURES,
  TransactionData,
  TransactionsData,
  TransactionWithOrder,
  VOID_ORDER_FAILURES,
  VoidOrderBody,
  VoidTransactionBody,
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
      description:
        'Send `initial_total`, `line_items` or both, which must agree. If another order has the `reference_number`, the response is 409 with the number of that order.',
      tag: ORDERS,
      query: PaymentLinkQuery,
      body: CreateOrderBody,
      example: {
        order: {
          reference_number: 'o-1001',
          currency: 'HKD',
          initial_total: 150.5,
          customer_uuid: 'cus_01m82g27rde57v77qfb3qj2d2m',
          return_url: 'https://shop.example.com/done',
          notify_url: 'https://shop.example.com/webhooks',
        },
      },
      data: OrderWithPaymentLinkData,
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
      query: filteredListQuery(ORDER_FIELDS),
      data: OrdersData,
      handle: ({ caller, query }) => payments.ordersPage(caller, query.filter, readPage('orders', query)),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/orders/check`,
      scope: 'payments:read',
      summary: 'Get an order',
      description:
        'Name the order by its `number`, its `reference_number` or the `uuid` of one of its transactions. There is a payment link only while the order can be paid.',
      tag: ORDERS,
      query: CheckOrderQuery,
      body: CheckOrderBody,
      example: { order: { reference_number: 'o-1001' } },
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
      priority: 'critical',
      summary: 'Void an order',
      description:
        'Voids the transactions of the order at the acquirer, then the order. This works only while nothing is settled. Voiding a voided order again returns 200; after a 504 the next call resumes the void.',
      tag: ORDERS,
      body: VoidOrderBody,
      example: { order: { reference_number: 'o-1001' } },
      data: OrderData,
      failures: VOID_ORDER_FAILURES,
      handle: ({ caller, body }) => payments.voidOrder(caller, body.order),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/orders/pay`,
      scope: 'payments:write',
      priority: 'critical',
      summary: 'Pay an order with a stored token',
      description:
        'Without `amount` the payment takes all that is left. When the response has a `next_action`, send the payer to its `url`. A declined payment returns 402 with the failed transaction. After a 504 do not pay again: the service finds out the outcome.',
      tag: ORDERS,
      body: PayOrderBody,
      example: {
        order: { reference_number: 'o-1001' },
        transaction: {
          type: 'Sales',
          payment_token: 'pmt_01m82g27xvez0b1rsa33wcz54b',
          reference_id: 'o-1001-1',
        },
      },
      data: TransactionData,
      failures: TRANSACTION_FAILURES,
      handle: ({ caller, body }) => payments.payOrder(caller, body),
    }),
  ]
}

function transactionRoutes(payments: Payments): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/transactions`,
      scope: 'payments:read',
      summary: 'List transactions',
      description: 'The transactions of all orders, newest first.',
      tag: TRANSACTIONS,
      query: filteredListQuery(TRANSACTION_FIELDS),
      data: TransactionsData,
      handle: ({ caller, query }) =>
        payments.transactionsPage(caller, query.filter, readPage('transactions', query)),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/transactions/capture`,
      scope: 'payments:write',
      priority: 'critical',
      summary: 'Capture an authorization',
      description: 'An Authorization can be captured several times, up to its amount, within 7 days.',
      tag: TRANSACTIONS,
      body: FollowUpBody,
      example: { transaction: { uuid: 'txn_01m82g28ayenxakn1zm5hzpn5n' }, amount: 100 },
      data: TransactionWithOrder,
      failures: TRANSACTION_FAILURES,
      handle: ({ caller, body }) => payments.capture(caller, body),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/transactions/refund`,
      scope: 'payments:write',
      priority: 'critical',
      summary: 'Refund a sale or capture',
      description:
        'A payment can be refunded several times, up to its amount. A Refund has a negative amount.',
      tag: TRANSACTIONS,
      body: FollowUpBody,
      example: { transaction: { uuid: 'txn_01m82g28ayenxakn1zm5hzpn5n' }, amount: 20.5, note: 'Sent back' },
      data: TransactionWithOrder,
      failures: TRANSACTION_FAILURES,
      handle: ({ caller, body }) => payments.refund(caller, body),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/transactions/void`,
      scope: 'payments:write',
      priority: 'critical',
      summary: 'Void a transaction',
      description:
        'A transaction can be voided as a whole, until it settles and while no part of it was captured or refunded.',
      tag: TRANSACTIONS,
      body: VoidTransactionBody,
      example: { transaction: { uuid: 'txn_01m82g28ayenxakn1zm5hzpn5n' } },
      data: TransactionWithOrder,
      failures: TRANSACTION_FAILURES,
      handle: ({ caller, body }) => payments.voidTransaction(caller, body),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/transactions/decide`,
      scope: 'admin:write',
      summary: 'Decide an unknown outcome',
      description:
        'For a transaction whose outcome no inquiry can find out, a day after it was sent. Look at the acquirer first: `succeeded` means that the acquirer moved the money.',
      tag: TRANSACTIONS,
      body: DecideOutcomeBody,
      example: {
        transaction: { uuid: 'txn_01m82g28ayenxakn1zm5hzpn5n' },
        outcome: 'succeeded',
        new_gateway_txn_id: 're_3Q0Xx2eZvKYlo2C0',
      },
      data: TransactionWithOrder,
      handle: ({ caller, body }) => payments.decideOutcome(caller, body),
    }),
  ]
}
