import { expect, test } from 'vitest'
import { nearestOperation } from './nearest-operation.ts'

const OPERATIONS = [
  { method: 'POST', path: '/svc/payment/api/v1/openapi/orders' },
  { method: 'GET', path: '/svc/payment/api/v1/openapi/orders' },
  { method: 'POST', path: '/svc/payment/api/v1/openapi/orders/check' },
  { method: 'GET', path: '/svc/payment/api/v1/openapi/orders/:number/timeline' },
  { method: 'PUT', path: '/svc/payment/api/v1/openapi/customers/:id' },
  { method: 'GET', path: '/svc/payment/api/v1/openapi/customers/:id/notes' },
] as const

function nearest(method: string, url: string): string {
  const found = nearestOperation(OPERATIONS, method, url)
  return found === undefined
    ? 'none'
    : `${found.method} ${found.path.replace('/svc/payment/api/v1/openapi', '')}`
}

// Proves reference/conventions#statuses.
test.each([
  ['POST', '/svc/payment/api/v1/openapi/order', 'POST /orders'],
  ['GET', '/svc/payment/api/v1/openapi/ordres?limit=1', 'GET /orders'],
  ['POST', '/svc/payments/api/v1/openapi/orders/check', 'POST /orders/check'],
  ['GET', '/svc/payment/api/v1/openapi/orders/o-1/timelines', 'GET /orders/:number/timeline'],
  ['PATCH', '/svc/payment/api/v1/openapi/customers/cus_1', 'PUT /customers/:id'],
  ['GET', '/orders/', 'GET /orders'],
  ['POST', '/openapi/orders/check', 'POST /orders/check'],
  ['GET', '/svc/payment/api/v1/openapi/orders/o-1', 'GET /orders'],
  ['GET', '/nope', 'none'],
  ['GET', '/svc/payment/api/v1/openapi/unicorns', 'none'],
  ['GET', '/', 'none'],
  ['GET', `/${'a'.repeat(100_000)}`, 'none'],
  ['GET', '/favicon.ico', 'none'],
])('the operation nearest to %s %.60s', (method, url, expected) => {
  expect(nearest(method, url)).toBe(expected)
})
