import { type Body, type Client, pick, type Query, type RequestOptions, withResponse } from '../client.ts'
import { listOf } from '../list.ts'

const RECURRING = '/svc/payment/api/v1/openapi/recurring_payments'
const PLANS = `${RECURRING}/plan` as const
const ITEMS = `${RECURRING}/items` as const
const CONFIGS = `${RECURRING}/billing_configs` as const

type NewPlan = Body<'post', typeof PLANS>['plan']
type Change = Body<'post', `${typeof PLANS}/{id}/change`>['change']
type PlanChange = NonNullable<Body<'put', `${typeof PLANS}/{id}`>['plan']>

export function plansOf(client: Client) {
  return {
    create: (plan: NewPlan, options?: RequestOptions) =>
      pick(client.send('post', PLANS, { body: { plan } }, options), 'plan'),
    list: (query?: Query<'get', typeof PLANS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', PLANS, { query: page }, options),
        ({ plans }) => plans,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${PLANS}/{id}`, { path: { id } }, options), 'plan'),
    /** What happened to the plan and its orders, and what happens next. */
    timeline: (id: string, query?: Query<'get', `${typeof PLANS}/{id}/timeline`>, options?: RequestOptions) =>
      pick(client.send('get', `${PLANS}/{id}/timeline`, { path: { id }, query }, options), 'timeline'),
    /** Needs `businessCode` among the options of the client. */
    update: (id: string, plan: PlanChange, options?: RequestOptions) =>
      pick(client.send('put', `${PLANS}/{id}`, { path: { id }, body: { plan } }, options), 'plan'),
    /** The next `count` orders that the plan would make. Nothing is stored. */
    preview: async (plan: NewPlan, query: { count?: number } = {}, options?: RequestOptions) => {
      const body = { plan, ...query }
      const data = await client.send('post', `${PLANS}/preview`, { body, reads: true }, options)
      return withResponse(data.orders, data.lastResponse)
    },
    /** Until `until`, or until somebody resumes it. */
    pause: (id: string, body?: Body<'post', `${typeof PLANS}/{id}/pause`>, options?: RequestOptions) =>
      pick(client.send('post', `${PLANS}/{id}/pause`, { path: { id }, body }, options), 'plan'),
    resume: (id: string, options?: RequestOptions) =>
      pick(client.send('post', `${PLANS}/{id}/resume`, { path: { id } }, options), 'plan'),
    /** Makes the next attempt of open orders at once. Its outcome comes with the events of the order. */
    retry: (id: string, body?: Body<'post', `${typeof PLANS}/{id}/retry`>, options?: RequestOptions) =>
      pick(client.send('post', `${PLANS}/{id}/retry`, { path: { id }, body }, options), 'plan'),
    cancel: (id: string, body?: Body<'post', `${typeof PLANS}/{id}/cancel`>, options?: RequestOptions) =>
      pick(client.send('post', `${PLANS}/{id}/cancel`, { path: { id }, body }, options), 'plan'),
    /** Changes what the plan bills, at once or at the end of the period. Returns `{plan, change, order?}`. */
    change: (id: string, change: Change, options?: RequestOptions) =>
      client.send('post', `${PLANS}/{id}/change`, { path: { id }, body: { change } }, options),
    /** What the change would bill, and the next three orders. Nothing is stored. */
    previewChange: (id: string, change: Change, options?: RequestOptions) =>
      client.send(
        'post',
        `${PLANS}/{id}/change/preview`,
        { path: { id }, body: { change }, reads: true },
        options,
      ),
    /** Removes the change that waits for the end of the period. */
    removeChange: (id: string, options?: RequestOptions) =>
      pick(client.send('delete', `${PLANS}/{id}/change`, { path: { id } }, options), 'plan'),
    /** Revokes a cancellation at the end of the period. */
    uncancel: (id: string, options?: RequestOptions) =>
      pick(client.send('post', `${PLANS}/{id}/uncancel`, { path: { id } }, options), 'plan'),
    /** Lets an ended plan continue. */
    reactivate: (
      id: string,
      body?: Body<'post', `${typeof PLANS}/{id}/reactivate`>,
      options?: RequestOptions,
    ) => pick(client.send('post', `${PLANS}/{id}/reactivate`, { path: { id }, body }, options), 'plan'),
    /** Moves the end of a running trial. An end that is not after now ends it at once. */
    moveTrial: (
      id: string,
      trial: Body<'post', `${typeof PLANS}/{id}/trial`>['trial'],
      options?: RequestOptions,
    ) => pick(client.send('post', `${PLANS}/{id}/trial`, { path: { id }, body: { trial } }, options), 'plan'),
    /** Credits an amount, which pays the next orders of the plan. */
    credit: (id: string, body: Body<'post', `${typeof PLANS}/{id}/credit`>, options?: RequestOptions) =>
      pick(client.send('post', `${PLANS}/{id}/credit`, { path: { id }, body }, options), 'plan'),
    /** @param coupon the id of a coupon, or a promotion code */
    attachCoupon: (id: string, coupon: string, options?: RequestOptions) =>
      pick(client.send('post', `${PLANS}/{id}/coupons`, { path: { id }, body: { coupon } }, options), 'plan'),
    detachCoupon: (id: string, couponId: string, options?: RequestOptions) =>
      pick(
        client.send(
          'delete',
          `${PLANS}/{id}/coupons/{coupon_id}`,
          { path: { id, coupon_id: couponId } },
          options,
        ),
        'plan',
      ),
    /** An order that a plan has made. Returns `{customer, recurring_cycle, order}`. */
    getOrder: (body: Body<'post', `${typeof RECURRING}/orders`>, options?: RequestOptions) =>
      client.send('post', `${RECURRING}/orders`, { body, reads: true }, options),
  }
}

/** The catalogue of what plans sell. */
export function recurringItemsOf(client: Client) {
  return {
    create: (item: Body<'post', typeof ITEMS>['recurring_item'], options?: RequestOptions) =>
      pick(client.send('post', ITEMS, { body: { recurring_item: item } }, options), 'recurring_item'),
    list: (query?: Query<'get', typeof ITEMS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', ITEMS, { query: page }, options),
        (data) => data.recurring_items,
      ),
  }
}

/** When plans bill. */
export function billingConfigsOf(client: Client) {
  return {
    create: (config: Body<'post', typeof CONFIGS>['recurring_billing_config'], options?: RequestOptions) =>
      pick(
        client.send('post', CONFIGS, { body: { recurring_billing_config: config } }, options),
        'recurring_billing_config',
      ),
    list: (query?: Query<'get', typeof CONFIGS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', CONFIGS, { query: page }, options),
        (data) => data.recurring_billing_configs,
      ),
  }
}
