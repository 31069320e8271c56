import { get, list, post, put } from '../methods.ts'

const BILLING = '/svc/billing/api/v1/openapi'
const COUPONS = `${BILLING}/coupons` as const
const CODES = `${BILLING}/promotion_codes` as const

/** Coupons lower the orders of plans for a time. */
export const coupons = {
  create: post(COUPONS, (coupon) => ({ body: { coupon } }), 'coupon'),
  list: list(COUPONS, (query?) => ({ query }), 'coupons'),
  get: get(`${COUPONS}/{id}`, (id) => ({ path: { id } }), 'coupon'),
  /** Plans that have the coupon keep it. */
  update: put(`${COUPONS}/{id}`, (id, coupon) => ({ path: { id }, body: { coupon } }), 'coupon'),
}

/** What customers type to get a coupon. A code goes wherever the id of its coupon does. */
export const promotionCodes = {
  create: post(CODES, (code) => ({ body: { promotion_code: code } }), 'promotion_code'),
  list: list(CODES, (query?) => ({ query }), 'promotion_codes'),
  get: get(`${CODES}/{id}`, (id) => ({ path: { id } }), 'promotion_code'),
}
