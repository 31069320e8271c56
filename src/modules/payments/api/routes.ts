import { filteredListQuery, readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { UuidParams } from '#platform/http/validation/schemas'
import { payOrder } from '../charges/pay-order.ts'
import type { PaymentsContext } from '../context.ts'
import { capture } from '../follow-ups/capture.ts'
import { refund } from '../follow-ups/refund.ts'
import { checkOrder } from '../orders/check-order.ts'
import { customerSpend } from '../orders/customer-spend.ts'
import { createOrder } from '../orders/create-order.ts'
import { ordersOfPage } from '../orders/list-orders.ts'
import { resolveByHand } from '../resolver/resolve-by-hand.ts'
import { ORDER_FIELDS } from '../storage/order-filter.ts'
import { TRANSACTION_FIELDS } from '../storage/transaction-list.repository.ts'
import { transactionsOfPage } from '../transactions/list-transactions.ts'
import { voidOrder } from '../voids/void-order.ts'
import { voidTransaction } from '../follow-ups/void-transaction.ts'
import { withCurrentState } from './current-state.ts'
import { renderOrdersPage, renderOrderWithLinks, renderSpend, renderTransactionsPage } from './render.ts'
import { renderOrderVoid, renderPayment, renderTransactionWithOrder } from './replies.ts'
import {
  CheckOrderQuery,
  CreateOrderBody,
  ORDER_EXISTS,
  OrderData,
  OrderWithLinksData,
  OrderWithPaymentLinkData,
  OrdersData,
  PaymentLinkQuery,
  SpendData,
  TRANSACTION_FAILURES,
  TransactionData,
  TransactionsData,
  TransactionWithOrder,
  VOID_ORDER_FAILURES,
  VoidOrderBody,
  VoidTransactionBody,
} from './schemas.ts'
import { PayOrderBody } from '../charges/pay-order-request.ts'
import { CheckOrderBody, DecideOutcomeBody, FollowUpBody } from '../model/order-requests.ts'
import { spreadsheetRoutes } from './spreadsheets.ts'

const BASE = '/svc/payment/api/v1/openapi'
const ORDERS = 'Orders'
const TRANSACTIONS = 'Transactions'

export function paymentRoutes(ctx: PaymentsContext): Route[] {
  return [...orderRoutes(ctx), ...transactionRoutes(ctx), ...customerRoutes(ctx), ...spreadsheetRoutes(ctx)]
}

function orderRoutes(ctx: PaymentsContext): Route[] {
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
        createOrder(ctx, caller, body.order, query.with_payment_link ?? false),
      render: renderOrderWithLinks,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/orders`,
      scope: 'payments:read',
      summary: 'List orders',
      tag: ORDERS,
      query: filteredListQuery(ORDER_FIELDS),
      data: OrdersData,
      handle: async ({ caller, query }) => {
        const request = readPage('orders', query)
        return renderOrdersPage(request, await ordersOfPage(ctx, caller, query.filter, request))
      },
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
        checkOrder(ctx, caller, body, {
          withPaymentLink: query.with_payment_link ?? false,
          withDownloadLink: query.with_download_link ?? false,
        }),
      render: renderOrderWithLinks,
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
      handle: ({ caller, body }) => withCurrentState(ctx, caller, voidOrder(ctx, caller, body.order)),
      render: renderOrderVoid,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/orders/pay`,
      scope: 'payments:write',
      priority: 'critical',
      summary: 'Pay an order with a stored token or a wallet',
      description:
        'Without `amount` the payment takes all that is left. With `payment_method` in place of `payment_token` the payer confirms in the app of a wallet or, for FPS, of a bank: `next_action` has our page, and on a desktop the text of the code. When the response has a `next_action`, send the payer to its `url`. A declined payment returns 402 with the failed transaction. After a 504 do not pay again: the service finds out the outcome.',
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
      handle: ({ caller, body }) => withCurrentState(ctx, caller, payOrder(ctx, caller, body)),
      render: renderPayment,
    }),
  ]
}

function customerRoutes(ctx: PaymentsContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/customers/:uuid/spend`,
      scope: 'payments:read',
      summary: 'Get what a customer has paid',
      description: 'Of all orders of the customer, by currency, less what went back.',
      tag: 'Customers',
      params: UuidParams,
      data: SpendData,
      handle: ({ caller, params }) => customerSpend(ctx, caller, params.uuid),
      render: renderSpend,
    }),
  ]
}

function transactionRoutes(ctx: PaymentsContext): Route[] {
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
      handle: async ({ caller, query }) => {
        const request = readPage('transactions', query)
        return renderTransactionsPage(request, await transactionsOfPage(ctx, caller, query.filter, request))
      },
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
      handle: ({ caller, body }) => withCurrentState(ctx, caller, capture(ctx, caller, body)),
      render: renderPayment,
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
      handle: ({ caller, body }) => withCurrentState(ctx, caller, refund(ctx, caller, body)),
      render: renderPayment,
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
      handle: ({ caller, body }) => withCurrentState(ctx, caller, voidTransaction(ctx, caller, body)),
      render: renderPayment,
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
      handle: ({ caller, body }) => resolveByHand(ctx, caller, body),
      render: renderTransactionWithOrder,
    }),
  ]
}
