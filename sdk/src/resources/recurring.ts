import type { Body } from '../client.ts'
import { del, get, list, post, postBody, put, send } from '../methods.ts'

const RECURRING = '/svc/payment/api/v1/openapi/recurring_payments'
const PLANS = `${RECURRING}/plan` as const
const ITEMS = `${RECURRING}/items` as const
const CONFIGS = `${RECURRING}/billing_configs` as const

type NewPlan = Body<'post', typeof PLANS>['plan']

export const plans = {
  create: post(PLANS, (plan) => ({ body: { plan } }), 'plan'),
  list: list(PLANS, (query?) => ({ query }), 'plans'),
  get: get(`${PLANS}/{id}`, (id) => ({ path: { id } }), 'plan'),
  /** What happened to the plan and its orders, and what happens next. */
  timeline: get(`${PLANS}/{id}/timeline`, (id, query?) => ({ path: { id }, query }), 'timeline'),
  /** Needs `businessCode` among the options of the client. */
  update: put(`${PLANS}/{id}`, (id, plan) => ({ path: { id }, body: { plan } }), 'plan'),
  /** The next `count` orders that the plan would make. Nothing is stored. */
  preview: send(
    'post',
    `${PLANS}/preview`,
    (plan: NewPlan, query?: { count?: number }) => ({ body: { plan, ...query }, reads: true }),
    'orders',
  ),
  /** Until `until`, or until somebody resumes it. */
  pause: postBody(`${PLANS}/{id}/pause`, (id, body?) => ({ path: { id }, body }), 'plan'),
  resume: post(`${PLANS}/{id}/resume`, (id) => ({ path: { id } }), 'plan'),
  /** Makes the next attempt of open orders at once. Its outcome comes with the events of the order. */
  retry: postBody(`${PLANS}/{id}/retry`, (id, body?) => ({ path: { id }, body }), 'plan'),
  cancel: postBody(`${PLANS}/{id}/cancel`, (id, body?) => ({ path: { id }, body }), 'plan'),
  /** Changes what the plan bills, at once or at the end of the period. Returns `{plan, change, order?}`. */
  change: post(`${PLANS}/{id}/change`, (id, change) => ({ path: { id }, body: { change } })),
  /**
   * Changes the plan at once if its order is paid, else not at all: `only_if_paid` is true unless `change` says otherwise. A decline
   * throws `PaymentDeclinedError`.
   */
  upgrade: post(`${PLANS}/{id}/change`, (id, change) => ({
    path: { id },
    body: { change: { only_if_paid: true, ...change } },
  })),
  /** What the change would bill, and the next three orders. Nothing is stored. */
  previewChange: post(`${PLANS}/{id}/change/preview`, (id, change) => ({
    path: { id },
    body: { change },
    reads: true,
  })),
  /** Removes the change that waits for the end of the period. */
  removeChange: del(`${PLANS}/{id}/change`, (id) => ({ path: { id } }), 'plan'),
  /** Revokes a cancellation at the end of the period. */
  uncancel: post(`${PLANS}/{id}/uncancel`, (id) => ({ path: { id } }), 'plan'),
  /** Lets an ended plan continue. */
  reactivate: postBody(`${PLANS}/{id}/reactivate`, (id, body?) => ({ path: { id }, body }), 'plan'),
  /** Moves the end of a running trial. An end that is not after now ends it at once. */
  moveTrial: post(`${PLANS}/{id}/trial`, (id, trial) => ({ path: { id }, body: { trial } }), 'plan'),
  /** Credits an amount, which pays the next orders of the plan. */
  credit: postBody(`${PLANS}/{id}/credit`, (id, body) => ({ path: { id }, body }), 'plan'),
  /** @param coupon the id of a coupon, or a promotion code */
  attachCoupon: post(`${PLANS}/{id}/coupons`, (id, coupon) => ({ path: { id }, body: { coupon } }), 'plan'),
  detachCoupon: del(
    `${PLANS}/{id}/coupons/{coupon_id}`,
    (id, couponId) => ({ path: { id, coupon_id: couponId } }),
    'plan',
  ),
  /** An order that a plan has made. Returns `{customer, recurring_cycle, order}`. */
  getOrder: postBody(`${RECURRING}/orders`, (body) => ({ body, reads: true })),
}

/** The catalogue of what plans sell. */
export const recurringItems = {
  create: post(ITEMS, (item) => ({ body: { recurring_item: item } }), 'recurring_item'),
  list: list(ITEMS, (query?) => ({ query }), 'recurring_items'),
}

/** When plans bill. */
export const billingConfigs = {
  create: post(
    CONFIGS,
    (config) => ({ body: { recurring_billing_config: config } }),
    'recurring_billing_config',
  ),
  list: list(CONFIGS, (query?) => ({ query }), 'recurring_billing_configs'),
}
