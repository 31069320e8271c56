import { type Body, type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { listOf } from '../list.ts'

const BILLING = '/svc/billing/api/v1/openapi'
const PRODUCTS = `${BILLING}/products` as const
const PRICES = `${BILLING}/prices` as const

type ProductEdit = Body<'put', `${typeof PRODUCTS}/{id}`>['product']
type NewVersion = Body<'post', `${typeof PRICES}/{id}/versions`>['price']

/** What a business sells. */
export function productsOf(client: Client) {
  return {
    create: (product: Body<'post', typeof PRODUCTS>['product'], options?: RequestOptions) =>
      pick(client.send('post', PRODUCTS, { body: { product } }, options), 'product'),
    list: (query?: Query<'get', typeof PRODUCTS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', PRODUCTS, { query: page }, options),
        (data) => data.products,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${PRODUCTS}/{id}`, { path: { id } }, options), 'product'),
    update: (id: string, product: ProductEdit, options?: RequestOptions) =>
      pick(client.send('put', `${PRODUCTS}/{id}`, { path: { id }, body: { product } }, options), 'product'),
    /** New plans cannot take its prices. Plans that have them go on. */
    archive: (id: string, options?: RequestOptions) =>
      pick(client.send('post', `${PRODUCTS}/{id}/archive`, { path: { id } }, options), 'product'),
  }
}

/** The prices of products. The id of one goes wherever a `recurring_item_id` does. */
export function pricesOf(client: Client) {
  return {
    create: (price: Body<'post', typeof PRICES>['price'], options?: RequestOptions) =>
      pick(client.send('post', PRICES, { body: { price } }, options), 'price'),
    list: (query?: Query<'get', typeof PRICES>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', PRICES, { query: page }, options),
        (data) => data.prices,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${PRICES}/{id}`, { path: { id } }, options), 'price'),
    /** Makes the next version. Plans that have this one keep it; nobody else can take it. */
    createVersion: (id: string, price: NewVersion, options?: RequestOptions) =>
      pick(
        client.send('post', `${PRICES}/{id}/versions`, { path: { id }, body: { price } }, options),
        'price',
      ),
  }
}
