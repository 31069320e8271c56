import { expect, test } from 'vitest'
import { scopesOf } from '../../../src/modules/users/model/roles.ts'
import { replayProblem } from '../src/pages/requests/replay.ts'

const CHARGE = {
  method: 'POST',
  path: '/svc/payment/api/v1/openapi/orders/pay',
  query: '',
  request_body: '{}',
}
const READ = {
  ...CHARGE,
  method: 'GET',
  path: '/svc/payment/api/v1/openapi/transactions',
  request_body: null,
}

test('a request is replayed by whoever may send it in test, whatever the role in live', () => {
  const inTest = (role: Parameters<typeof scopesOf>[0]) => ({ test_scopes: scopesOf(role, 'test') })
  expect(replayProblem(CHARGE, inTest('developer'))).toBeUndefined()
  expect(replayProblem(CHARGE, inTest('read_only'))).toBe('no_scope')
  expect(replayProblem(READ, inTest('read_only'))).toBeUndefined()
  expect(replayProblem(READ, inTest(null))).toBe('no_test')
})
