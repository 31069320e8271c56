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

const note = (refund?: string) => ({ credit_note: { reason: 'Less than agreed', ...(refund && { refund }) } })

// Proves reference/access#scopes, reference/billing-lifecycle#cancel-unused, reference/billing-invoices#credit-notes.
test.each([
  ['recurring:write', '/svc/payment/api/v1/openapi/recurring_payments/plan/:id/cancel', { unused: 'refund' }, [{}, { unused: 'keep' }]],
  ['billing:write', '/svc/billing/api/v1/openapi/invoices/:id/credit_notes', note('payment'), [note(), note('credit'), note('none')]],
] as const)('%s alone refunds nothing at the acquirer', async (scope, path, refunding, others) => {
  const route = routes.find((one) => one.path === path && one.method === 'POST')
  if (route === undefined) throw new Error(`there is no route ${path}`)
  const call = async (scopes: readonly string[], body: object) => {
    const authenticate = async () => ({ ...TEST_PRINCIPAL, scopes: new Set(scopes) })
    const server = await startTestServer({ routes: [onlyAuthorized(route)], authenticate })
    const { status, body: reply } = await server.send('POST', path.replace(':id', 'x'), { body: JSON.stringify(body) })
    return status === 200 ? '200' : `${status} ${reply.data.error.reason} ${reply.message}`
  }
  expect(await call([scope], refunding)).toBe('403 scope_missing The API key does not have the scope payments:write.')
  expect(await call([scope, 'payments:write'], refunding)).toBe('200')
  for (const body of others) expect(await call([scope], body)).toBe('200')
}) // prettier-ignore
