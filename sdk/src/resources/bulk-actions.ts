import { get, list, post } from '../methods.ts'

const PAYMENTS = '/svc/payment/api/v1/openapi/bulk_actions'
const PLANS = '/svc/payment/api/v1/openapi/recurring_payments/bulk_actions'
const DELIVERIES = '/svc/event/api/v1/openapi/bulk_actions'

/** Refunds or voids many orders and transactions, in the background. */
export const paymentBulkActions = {
  create: post(PAYMENTS, (action) => ({ body: { bulk_action: action } }), 'bulk_action'),
  list: list(PAYMENTS, (query?) => ({ query }), 'bulk_actions'),
  /** Returns the progress. */
  get: get(`${PAYMENTS}/{id}`, (id) => ({ path: { id } }), 'bulk_action'),
  cancel: post(`${PAYMENTS}/{id}/cancel`, (id) => ({ path: { id } }), 'bulk_action'),
  /** Does the rest of a stopped action, as the caller. */
  takeOver: post(`${PAYMENTS}/{id}/take_over`, (id) => ({ path: { id } }), 'bulk_action'),
}

/** Cancels many plans, in the background. */
export const planBulkActions = {
  create: post(PLANS, (action) => ({ body: { bulk_action: action } }), 'bulk_action'),
  list: list(PLANS, (query?) => ({ query }), 'bulk_actions'),
  /** Returns the progress. */
  get: get(`${PLANS}/{id}`, (id) => ({ path: { id } }), 'bulk_action'),
  cancel: post(`${PLANS}/{id}/cancel`, (id) => ({ path: { id } }), 'bulk_action'),
  /** Does the rest of a stopped action, as the caller. */
  takeOver: post(`${PLANS}/{id}/take_over`, (id) => ({ path: { id } }), 'bulk_action'),
}

/** Sends many deliveries again, in the background. */
export const deliveryBulkActions = {
  create: post(DELIVERIES, (action) => ({ body: { bulk_action: action } }), 'bulk_action'),
  list: list(DELIVERIES, (query?) => ({ query }), 'bulk_actions'),
  /** Returns the progress. */
  get: get(`${DELIVERIES}/{id}`, (id) => ({ path: { id } }), 'bulk_action'),
  cancel: post(`${DELIVERIES}/{id}/cancel`, (id) => ({ path: { id } }), 'bulk_action'),
  /** Does the rest of a stopped action, as the caller. */
  takeOver: post(`${DELIVERIES}/{id}/take_over`, (id) => ({ path: { id } }), 'bulk_action'),
}
