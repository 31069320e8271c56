import Type from 'typebox'
import { expect, test } from 'vitest'
import type { Route } from '#platform/http/routes/route'
import { startTestServer, TEST_PRINCIPAL } from '#platform/testing/test-server'
import { composeUnconnected } from '../scripts/compose-unconnected.ts'

const { routes } = await composeUnconnected()

/** The same authorization and body as the route, and nothing behind it. */
function onlyAuthorized(route: Route): Route {
  return {
    ...route,
    takesIdempotencyKey: false,
    data: Type.Object({}),
    handle: async () => ({}),
    render: () => ({}),
  }
}

const billingDetails = (members: object) => ({ billing_details: members })
const note = (refund?: string) => ({ credit_note: { reason: 'Less than agreed', ...(refund && { refund }) } })

// Proves reference/access#scopes, reference/billing-tax#billing-details, reference/billing-lifecycle#cancel-unused, reference/billing-invoices#credit-notes.
test.each([
  ['POST', 'recurring:write', 'payments:write', '/svc/payment/api/v1/openapi/recurring_payments/plan/:id/cancel', { unused: 'refund' }, [{}, { unused: 'keep' }]],
  ['POST', 'billing:write', 'payments:write', '/svc/billing/api/v1/openapi/invoices/:id/credit_notes', note('payment'), [note(), note('credit'), note('none')]],
  ['PUT', 'billing_details:write', 'billing:write', '/svc/billing/api/v1/openapi/customers/:uuid/billing_details', billingDetails({ tax_exempt: 'exempt' }), [billingDetails({}), billingDetails({ language: 'de' })]],
  ['PUT', 'billing_details:write', 'billing:write', '/svc/billing/api/v1/openapi/customers/:uuid/billing_details', billingDetails({ exempt_reason: null }), []],
] as const)('%s with %s alone does nothing that needs %s', async (method, scope, further, path, needing, others) => {
  const route = routes.find((one) => one.path === path && one.method === method)
  if (route === undefined) throw new Error(`there is no route ${path}`)
  const call = async (scopes: readonly string[], body: object) => {
    const authenticate = async () => ({ ...TEST_PRINCIPAL, scopes: new Set(scopes) })
    const server = await startTestServer({ routes: [onlyAuthorized(route)], authenticate })
    const { status, body: reply } = await server.send(method, path.replace(/:\w+/, 'x'), { body: JSON.stringify(body) })
    return status === 200 ? '200' : `${status} ${reply.data.error.reason} ${reply.message}`
  }
  expect(await call([scope], needing)).toBe(`403 scope_missing The API key does not have the scope ${further}.`)
  expect(await call([scope, further], needing)).toBe('200')
  for (const body of others) expect(await call([scope], body)).toBe('200')
}) // prettier-ignore

test('billing includes billing details', async () => {
  const authenticate = async () => ({ ...TEST_PRINCIPAL, scopes: new Set(['billing:write']) })
  const details = routes.filter(({ path }) => path.endsWith('/customers/:uuid/billing_details'))
  const server = await startTestServer({ routes: details.map(onlyAuthorized), authenticate })
  const path = '/svc/billing/api/v1/openapi/customers/x/billing_details'
  const edit = JSON.stringify({ billing_details: { tax_exempt: 'exempt' } })
  expect((await server.send('PUT', path, { body: edit })).status).toBe(200)
  expect((await server.send('GET', path)).status).toBe(200)
})

// Proves reference/access#scopes.
test('a key without the scope of an operation learns nothing of how it is called', async () => {
  const authenticate = async () => ({ ...TEST_PRINCIPAL, scopes: new Set<string>() })
  const server = await startTestServer({ routes: routes.map(onlyAuthorized), authenticate })
  const wrong: string[] = []
  for (const { method, path } of routes) {
    const url = `${path.replace(/:\w+/g, '%20')}?no_such_name=1&no_such_name=2`
    const csv = { body: '[]', headers: { 'content-type': 'text/csv' } }
    for (const options of method === 'GET' ? [{}] : [{}, { body: '{"' }, csv]) {
      const { status, body } = await server.send(method, url, options)
      if (status !== 403) wrong.push(`${method} ${path}: ${status} ${body.data.error.reason}`)
    }
  }
  expect(wrong).toEqual([])
  expect(routes.length).toBeGreaterThan(200)
})
