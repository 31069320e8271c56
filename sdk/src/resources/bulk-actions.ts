import { type Body, type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { listOf } from '../list.ts'

const PAYMENTS = '/svc/payment/api/v1/openapi/bulk_actions'
const PLANS = '/svc/payment/api/v1/openapi/recurring_payments/bulk_actions'
const DELIVERIES = '/svc/event/api/v1/openapi/bulk_actions'

/** Refunds or voids many orders and transactions, in the background. */
export function paymentBulkActionsOf(client: Client) {
  return {
    create: (action: Body<'post', typeof PAYMENTS>['bulk_action'], options?: RequestOptions) =>
      pick(client.send('post', PAYMENTS, { body: { bulk_action: action } }, options), 'bulk_action'),
    list: (query?: Query<'get', typeof PAYMENTS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', PAYMENTS, { query: page }, options),
        (data) => data.bulk_actions,
      ),
    /** Returns the progress. */
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${PAYMENTS}/{id}`, { path: { id } }, options), 'bulk_action'),
    cancel: (id: string, options?: RequestOptions) =>
      pick(client.send('post', `${PAYMENTS}/{id}/cancel`, { path: { id } }, options), 'bulk_action'),
    /** Does the rest of a stopped action, as the caller. */
    takeOver: (id: string, options?: RequestOptions) =>
      pick(client.send('post', `${PAYMENTS}/{id}/take_over`, { path: { id } }, options), 'bulk_action'),
  }
}

/** Cancels many plans, in the background. */
export function planBulkActionsOf(client: Client) {
  return {
    create: (action: Body<'post', typeof PLANS>['bulk_action'], options?: RequestOptions) =>
      pick(client.send('post', PLANS, { body: { bulk_action: action } }, options), 'bulk_action'),
    list: (query?: Query<'get', typeof PLANS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', PLANS, { query: page }, options),
        (data) => data.bulk_actions,
      ),
    /** Returns the progress. */
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${PLANS}/{id}`, { path: { id } }, options), 'bulk_action'),
    cancel: (id: string, options?: RequestOptions) =>
      pick(client.send('post', `${PLANS}/{id}/cancel`, { path: { id } }, options), 'bulk_action'),
    /** Does the rest of a stopped action, as the caller. */
    takeOver: (id: string, options?: RequestOptions) =>
      pick(client.send('post', `${PLANS}/{id}/take_over`, { path: { id } }, options), 'bulk_action'),
  }
}

/** Sends many deliveries again, in the background. */
export function deliveryBulkActionsOf(client: Client) {
  return {
    create: (action: Body<'post', typeof DELIVERIES>['bulk_action'], options?: RequestOptions) =>
      pick(client.send('post', DELIVERIES, { body: { bulk_action: action } }, options), 'bulk_action'),
    list: (query?: Query<'get', typeof DELIVERIES>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', DELIVERIES, { query: page }, options),
        (data) => data.bulk_actions,
      ),
    /** Returns the progress. */
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${DELIVERIES}/{id}`, { path: { id } }, options), 'bulk_action'),
    cancel: (id: string, options?: RequestOptions) =>
      pick(client.send('post', `${DELIVERIES}/{id}/cancel`, { path: { id } }, options), 'bulk_action'),
    /** Does the rest of a stopped action, as the caller. */
    takeOver: (id: string, options?: RequestOptions) =>
      pick(client.send('post', `${DELIVERIES}/{id}/take_over`, { path: { id } }, options), 'bulk_action'),
  }
}
