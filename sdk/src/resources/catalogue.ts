import { get, list, post, put } from '../methods.ts'

const BILLING = '/svc/billing/api/v1/openapi'
const PRODUCTS = `${BILLING}/products` as const
const PRICES = `${BILLING}/prices` as const

/** What a business sells. */
export const products = {
  create: post(PRODUCTS, (product) => ({ body: { product } }), 'product'),
  list: list(PRODUCTS, (query?) => ({ query }), 'products'),
  get: get(`${PRODUCTS}/{id}`, (id) => ({ path: { id } }), 'product'),
  update: put(`${PRODUCTS}/{id}`, (id, product) => ({ path: { id }, body: { product } }), 'product'),
  /** New plans cannot take its prices. Plans that have them go on. */
  archive: post(`${PRODUCTS}/{id}/archive`, (id) => ({ path: { id } }), 'product'),
}

/** The prices of products. The id of one goes wherever a `recurring_item_id` does. */
export const prices = {
  create: post(PRICES, (price) => ({ body: { price } }), 'price'),
  list: list(PRICES, (query?) => ({ query }), 'prices'),
  get: get(`${PRICES}/{id}`, (id) => ({ path: { id } }), 'price'),
  /** Makes the next version. Plans that have this one keep it; nobody else can take it. */
  createVersion: post(`${PRICES}/{id}/versions`, (id, price) => ({ path: { id }, body: { price } }), 'price'),
}
