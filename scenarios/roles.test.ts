import Type from 'typebox'
import { expect, test } from 'vitest'
import type { Environment } from '#platform/caller'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { composeUnconnected } from '../scripts/compose-unconnected.ts'
import { ROLE_SCOPES, ROLES, type Role } from '../src/modules/users/model/roles.ts'
import { createFixture } from '../src/modules/users/testing/fixture.ts'

const fixture = await createFixture()
const { routes } = await composeUnconnected()
const ENVIRONMENTS: readonly Environment[] = ['test', 'live']

/** The same authorization as the route, and nothing behind it. */
function onlyAuthorized({ method, path, scope, environments, tag, summary }: Route): Route {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const params = Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])))
  return defineRoute({
    method,
    path,
    scope,
    environments,
    tag,
    summary,
    ...(names.length > 0 && { params }),
    takesIdempotencyKey: false,
    data: Type.Object({}),
    handle: async () => ({}),
  })
}

/** Written from the reference, apart from the table in the sources. */
function mayCall(role: Role, environment: Environment, scope: string): boolean {
  const [area = '', access = ''] = scope.split(':')
  // Only a customer's own session opens the portal.
  if (area === 'portal') return false
  const writes = {
    owner: () => true,
    developer: () =>
      environment === 'test' ? area !== 'users' : ['keys', 'webhooks', 'admin'].includes(area),
    finance: () => ['payments', 'recurring', 'billing', 'billing_details'].includes(area),
    support: () => ['payments', 'customers', 'recurring', 'billing_details', 'cards'].includes(area),
    read_only: () => false,
  }
  if (access === 'write') return writes[role]()
  if (role !== 'support') return true
  return !['wallets', 'admin', 'keys', 'users', 'privacy'].includes(area)
}

// Proves reference/users#roles.
test('each role may call exactly its routes in each environment, and gets 403 for all others', async () => {
  const { users, browser } = await fixture.serve({ routes: routes.map(onlyAuthorized) })
  const business = await fixture.newBusiness()
  const wrong: string[] = []
  const count = { allowed: 0, refused: 0 }
  for (const role of ROLES) {
    const user = await fixture.newUser(users)
    await fixture.setRoles(business.code, user.id, role, role)
    const page = browser()
    await page.signIn(user.email, user.password)
    for (const environment of ENVIRONMENTS) {
      for (const { method, path, scope, environments } of routes) {
        const url = path.replace(/:\w+/g, 'x')
        const { status, body } = await page.call(url, business.code, environment, { method })
        const isThere = environments === 'all' || environment === 'test'
        const expected = !mayCall(role, environment, scope)
          ? '403 role_not_allowed'
          : isThere
            ? '200'
            : '403 test_environment_only'
        const outcome = status === 200 ? '200' : `${status} ${body.data?.error?.reason}`
        if (outcome !== expected)
          wrong.push(`${role} ${environment} ${method} ${path}: ${outcome}, not ${expected}`)
        count[status === 200 ? 'allowed' : 'refused']++
      }
    }
  }
  expect(wrong).toEqual([])
  expect(count.allowed + count.refused).toBe(ROLES.length * ENVIRONMENTS.length * routes.length)
  expect(Math.min(count.allowed, count.refused)).toBeGreaterThan(100)
}, 240_000)

test('a role in one environment opens nothing in the other', async () => {
  const { users, browser } = await fixture.serve({ routes: routes.map(onlyAuthorized) })
  const business = await fixture.newBusiness()
  for (const [mine, other] of [
    ['test', 'live'],
    ['live', 'test'],
  ] as const) {
    const user = await fixture.newUser(users)
    const roles = { test: null, live: null, [mine]: 'owner' as const }
    await fixture.setRoles(business.code, user.id, roles.test, roles.live)
    const page = browser()
    await page.signIn(user.email, user.password)
    for (const { method, path } of routes.filter(
      ({ environments, scope }) => environments === 'all' && !scope.startsWith('portal:'),
    )) {
      const url = path.replace(/:\w+/g, 'x')
      expect((await page.call(url, business.code, mine, { method })).status, path).toBe(200)
      const refused = await page.call(url, business.code, other, { method })
      expect(refused.body.data?.error?.reason, path).toBe('role_not_allowed')
    }
  }
}, 240_000)

test('a role that may write an area may also read it', () => {
  for (const role of ROLES) {
    for (const environment of ENVIRONMENTS) {
      const scopes = new Set<string>(ROLE_SCOPES[role][environment])
      for (const scope of scopes) expect(scopes).toContain(scope.replace(/:write$/, ':read'))
    }
  }
})
