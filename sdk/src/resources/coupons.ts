import { type Body, type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { listOf } from '../list.ts'

const BILLING = '/svc/billing/api/v1/openapi'
const COUPONS = `${BILLING}/coupons` as const
const CODES = `${BILLING}/promotion_codes` as const

type CouponEdit = Body<'put', `${typeof COUPONS}/{id}`>['coupon']

/** Coupons lower the orders of plans for a time. */
export function couponsOf(client: Client) {
  return {
    create: (coupon: Body<'post', typeof COUPONS>['coupon'], options?: RequestOptions) =>
      pick(client.send('post', COUPONS, { body: { coupon } }, options), 'coupon'),
    list: (query?: Query<'get', typeof COUPONS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', COUPONS, { query: page }, options),
        (data) => data.coupons,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${COUPONS}/{id}`, { path: { id } }, options), 'coupon'),
    /** Plans that have the coupon keep it. */
    update: (id: string, coupon: CouponEdit, options?: RequestOptions) =>
      pick(client.send('put', `${COUPONS}/{id}`, { path: { id }, body: { coupon } }, options), 'coupon'),
  }
}

/** What customers type to get a coupon. A code goes wherever the id of its coupon does. */
export function promotionCodesOf(client: Client) {
  return {
    create: (code: Body<'post', typeof CODES>['promotion_code'], options?: RequestOptions) =>
      pick(client.send('post', CODES, { body: { promotion_code: code } }, options), 'promotion_code'),
    list: (query?: Query<'get', typeof CODES>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', CODES, { query: page }, options),
        (data) => data.promotion_codes,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${CODES}/{id}`, { path: { id } }, options), 'promotion_code'),
  }
}
