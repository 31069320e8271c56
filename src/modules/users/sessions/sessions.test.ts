import { expect, test } from 'vitest'
import { echoOrder } from '#platform/testing/test-server'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()

test('signing in opens the session API and the public API', async () => {
  const { users, browser } = await fixture.serve({ routes: [echoOrder] })
  const business = await fixture.newBusiness()
  const user = await fixture.newUser(users)
  await fixture.setRoles(business.code, user.id, 'owner', 'read_only')
  const page = browser()
  expect((await page.send('/console/api/session')).status).toBe(401)
  expect((await page.signIn(user.email, user.password)).status).toBe(200)
  const session = await page.send('/console/api/session')
  expect(session.body.memberships).toMatchObject([{ test_role: 'owner', live_role: 'read_only' }])
  const body = { order: { currency: 'HKD' } }
  const call = (environment: 'test' | 'live') =>
    page.call('/api/v1/openapi/orders', business.code, environment, { body })
  expect((await call('test')).status).toBe(200)
  expect((await call('live')).body.data.error.reason).toBe('role_not_allowed')
})
