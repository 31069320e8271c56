import type { Body, Query } from '../client.ts'
import { download, get, list, post, send } from '../methods.ts'
import type { components } from '../generated/api.ts'

const ORDERS = '/svc/payment/api/v1/openapi/orders'
const ORDER_TIMELINE = `${ORDERS}/{number}/timeline` as const
const TRANSACTIONS = '/svc/payment/api/v1/openapi/transactions'
const BILLED_ORDERS = '/svc/billing/api/v1/openapi/orders'
const BILLED_TRANSACTIONS = '/svc/billing/api/v1/openapi/transactions'
const ORDERS_SPREADSHEET = `${ORDERS}/spreadsheet.csv` as const
const TRANSACTIONS_SPREADSHEET = `${TRANSACTIONS}/spreadsheet.csv` as const

/** The `number` of an order as a string, or one of its identifiers by name. */
export type OrderId = string | components['schemas']['OrderIdentifiers']

/** The `uuid` of a transaction as a string, or one of its identifiers by name. */
export type TransactionId = string | components['schemas']['TransactionIdentifiers']

type NewPayment = Body<'post', `${typeof ORDERS}/pay`>['transaction']
type Change<Name extends 'capture' | 'refund' | 'void' | 'decide'> = Omit<
  Body<'post', `${typeof TRANSACTIONS}/${Name}`>,
  'transaction'
>

export const orders = {
  /** Returns `{order, payment_link?}`. */
  create: post(ORDERS, (order, query?) => ({ query, body: { order } })),
  list: list(ORDERS, (query?) => ({ query }), 'orders'),
  /** The orders of a range of days for people, as CSV: a `Response` whose body can be streamed. */
  download: download(ORDERS_SPREADSHEET, (query?) => ({ query })),
  /** The order as it is now, with all its transactions. Returns `{order, payment_link?, download_link?}`. */
  get: send(
    'post',
    `${ORDERS}/check`,
    (
      order: OrderId | { readonly transaction: { readonly uuid: string } },
      query?: Query<'post', `${typeof ORDERS}/check`>,
    ) => ({
      query,
      body: typeof order === 'object' && 'transaction' in order ? order : { order: orderId(order) },
      reads: true,
    }),
  ),
  /** What happened to the order, and what happens next. */
  timeline: get(ORDER_TIMELINE, (number, query?) => ({ path: { number }, query }), 'timeline'),
  /** Charges a stored payment token, or asks the payer of a wallet or of FPS. Returns `{order, transaction, next_action?}`. */
  pay: send('post', `${ORDERS}/pay`, (order: OrderId, transaction: NewPayment) => ({
    body: { order: orderId(order), transaction },
  })),
  /** Records money that was given back outside. Returns `{order, transactions}`. */
  recordRepayment: post(`${BILLED_ORDERS}/{number}/repayments`, (number, repayment) => ({
    path: { number },
    body: { repayment },
  })),
  /** Makes what is over-paid credit of a plan. */
  moveOverpayment: post(
    `${BILLED_ORDERS}/{number}/overpayment`,
    (number, plan_id) => ({ path: { number }, body: { plan_id } }),
    'order',
  ),
  void: send('post', `${ORDERS}/void`, (order: OrderId) => ({ body: { order: orderId(order) } }), 'order'),
}

/** The methods that change something return `{order, transaction}`. Without an amount they take all that is left. */
export const transactions = {
  /** The transactions of all orders. */
  list: list(TRANSACTIONS, (query?) => ({ query }), 'transactions'),
  /** Those of a range of days for people, as CSV: a `Response` whose body can be streamed. */
  download: download(TRANSACTIONS_SPREADSHEET, (query?) => ({ query })),
  capture: send('post', `${TRANSACTIONS}/capture`, (id: TransactionId, change?: Change<'capture'>) => ({
    body: { transaction: transactionId(id), ...change },
  })),
  refund: send('post', `${TRANSACTIONS}/refund`, (id: TransactionId, change?: Change<'refund'>) => ({
    body: { transaction: transactionId(id), ...change },
  })),
  void: send('post', `${TRANSACTIONS}/void`, (id: TransactionId, change?: Change<'void'>) => ({
    body: { transaction: transactionId(id), ...change },
  })),
  /** Undoes a payment or a repayment by hand. Returns `{invoice?, order, transaction}`. */
  undo: post(`${BILLED_TRANSACTIONS}/{uuid}/undo`, (uuid) => ({ path: { uuid } })),
  /** Ends a transaction whose outcome no inquiry can find out. Look at the acquirer first. */
  decide: send('post', `${TRANSACTIONS}/decide`, (id: TransactionId, change: Change<'decide'>) => ({
    body: { transaction: transactionId(id), ...change },
  })),
}

function orderId(order: OrderId) {
  return typeof order === 'string' ? { number: order } : order
}

function transactionId(transaction: TransactionId) {
  return typeof transaction === 'string' ? { uuid: transaction } : transaction
}
