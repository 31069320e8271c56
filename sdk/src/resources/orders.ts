import { type Body, type Client, pick, type Query, type RequestOptions } from '../client.ts'
import type { components } from '../generated/api.ts'
import { listOf } from '../list.ts'

const ORDERS = '/svc/payment/api/v1/openapi/orders'
const ORDER_TIMELINE = `${ORDERS}/{number}/timeline` as const
const TRANSACTIONS = '/svc/payment/api/v1/openapi/transactions'
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

export function ordersOf(client: Client) {
  return {
    /** Returns `{order, payment_link?}`. */
    create: (
      order: Body<'post', typeof ORDERS>['order'],
      query?: Query<'post', typeof ORDERS>,
      options?: RequestOptions,
    ) => client.send('post', ORDERS, { query, body: { order } }, options),
    list: (query?: Query<'get', typeof ORDERS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', ORDERS, { query: page }, options),
        ({ orders }) => orders,
      ),
    /** The orders of a range of days for people, as CSV: a `Response` whose body can be streamed. */
    download: (query?: Query<'get', typeof ORDERS_SPREADSHEET>, options?: RequestOptions) =>
      client.download(ORDERS_SPREADSHEET, { query }, options),
    /** The order as it is now, with all its transactions. Returns `{order, payment_link?, download_link?}`. */
    get: (
      order: OrderId | { readonly transaction: { readonly uuid: string } },
      query?: Query<'post', `${typeof ORDERS}/check`>,
      options?: RequestOptions,
    ) => {
      const body = typeof order === 'object' && 'transaction' in order ? order : { order: orderId(order) }
      return client.send('post', `${ORDERS}/check`, { query, body, reads: true }, options)
    },
    /** What happened to the order, and what happens next. */
    timeline: (number: string, query?: Query<'get', typeof ORDER_TIMELINE>, options?: RequestOptions) =>
      pick(client.send('get', ORDER_TIMELINE, { path: { number }, query }, options), 'timeline'),
    /** Charges a stored payment token. Returns `{order, transaction, next_action?}`. */
    pay: (order: OrderId, transaction: NewPayment, options?: RequestOptions) =>
      client.send('post', `${ORDERS}/pay`, { body: { order: orderId(order), transaction } }, options),
    void: (order: OrderId, options?: RequestOptions) =>
      pick(client.send('post', `${ORDERS}/void`, { body: { order: orderId(order) } }, options), 'order'),
  }
}

/** The methods that change something return `{order, transaction}`. Without an amount they take all that is left. */
export function transactionsOf(client: Client) {
  return {
    /** The transactions of all orders. */
    list: (query?: Query<'get', typeof TRANSACTIONS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', TRANSACTIONS, { query: page }, options),
        ({ transactions }) => transactions,
      ),
    /** Those of a range of days for people, as CSV: a `Response` whose body can be streamed. */
    download: (query?: Query<'get', typeof TRANSACTIONS_SPREADSHEET>, options?: RequestOptions) =>
      client.download(TRANSACTIONS_SPREADSHEET, { query }, options),
    capture: (id: TransactionId, change: Change<'capture'> = {}, options?: RequestOptions) =>
      client.send(
        'post',
        `${TRANSACTIONS}/capture`,
        { body: { transaction: transactionId(id), ...change } },
        options,
      ),
    refund: (id: TransactionId, change: Change<'refund'> = {}, options?: RequestOptions) =>
      client.send(
        'post',
        `${TRANSACTIONS}/refund`,
        { body: { transaction: transactionId(id), ...change } },
        options,
      ),
    void: (id: TransactionId, change: Change<'void'> = {}, options?: RequestOptions) =>
      client.send(
        'post',
        `${TRANSACTIONS}/void`,
        { body: { transaction: transactionId(id), ...change } },
        options,
      ),
    /** Ends a transaction whose outcome no inquiry can find out. Look at the acquirer first. */
    decide: (id: TransactionId, change: Change<'decide'>, options?: RequestOptions) =>
      client.send(
        'post',
        `${TRANSACTIONS}/decide`,
        { body: { transaction: transactionId(id), ...change } },
        options,
      ),
  }
}

function orderId(order: OrderId) {
  return typeof order === 'string' ? { number: order } : order
}

function transactionId(transaction: TransactionId) {
  return typeof transaction === 'string' ? { uuid: transaction } : transaction
}
