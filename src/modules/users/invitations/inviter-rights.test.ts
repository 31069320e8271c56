import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import type { Role } from '../model/roles.ts'
import { createFixture, PASSWORD } from '../testing/fixture.ts'
import { outcomeOf } from '../testing/reason.ts'

const fixture = await createFixture()
const INVITATIONS = '/svc/account/api/v1/openapi/invitations'
const MEMBERS = '/svc/account/api/v1/openapi/members'
const ENVIRONMENTS = ['test', 'live'] as const
type Environment = (typeof ENVIRONMENTS)[number]

async function business() {
  const service = await fixture.serve()
  const created = await fixture.newBusiness()
  const { code } = created
  const join = async (testRole: Role | null, liveRole: Role | null) => {
    const user = await fixture.newUser(service.users)
    await fixture.setRoles(code, user.id, testRole, liveRole)
    const page = service.browser()
    await page.signIn(user.email, user.password)
    const call = (path: string, request: object, environment: Environment = 'live') =>
      page.call(path, code, environment, request)
    const invite = async (roles: object, environment: Environment = 'live', email = newAddress()) =>
      call(INVITATIONS, { body: { invitation: { email, ...roles } } }, environment)
    const linkTo = async (roles: object, environment: Environment = 'live', email = newAddress()) =>
      pathOf((await invite(roles, environment, email)).body.data.link)
    const addresses = async () => {
      const { body } = await call(INVITATIONS, {})
      return (body.data.invitations as { email: string }[]).map(({ email }) => email)
    }
    return { ...user, call, invite, linkTo, addresses }
  }
  const accept = async (path: string) => {
    const seen = outcomeOf(await service.browser().send(path))
    const body = { name: 'Jo', password: PASSWORD }
    const accepted = outcomeOf(await service.browser().send(`${path}/accept`, { body }))
    return { seen, accepted }
  }
  return { ...service, ...created, join, accept }
}

function newAddress(): string {
  return `${newId('mail')}@example.com`
}

function pathOf(link: string): string {
  return `/console/api/invitations/${link.split('/').at(-1)}`
}

type Business = Awaited<ReturnType<typeof business>>
type Joined = Awaited<ReturnType<Business['join']>>
const GONE = { seen: '404 one_time_link_not_found', accepted: '404 one_time_link_not_found' }

const ENDS: Readonly<
  Record<string, (by: Joined, removed: Joined, environment: Environment, of: Business) => Promise<unknown>>
> = {
  'a removal': (by, { id }) => by.call(`${MEMBERS}/${id}`, { method: 'DELETE' }),
  'a demotion': (by, { id }, environment) =>
    by.call(`${MEMBERS}/${id}`, {
      method: 'PUT',
      body: { member: { [`${environment}_role`]: 'read_only' } },
    }),
  'disabling by the operator': (_by, { email }, _environment, { users }) => users.disable(email),
}

// Proves reference/users#invitations.
for (const [name, end] of Object.entries(ENDS)) {
  for (const environment of ENVIRONMENTS) {
    test(`${name} revokes the open invitations of that person in ${environment}`, async () => {
      const here = await business()
      const [owner, removed] = [await here.join('owner', 'owner'), await here.join('owner', 'owner')]
      const second = newAddress()
      const link = await removed.linkTo({ [`${environment}_role`]: 'owner' }, environment, second)
      const kept = await owner.linkTo({ [`${environment}_role`]: 'owner' }, environment)
      expect(await owner.addresses()).toContain(second)
      await end(owner, removed, environment, here)
      expect(await owner.addresses()).not.toContain(second)
      expect(await here.accept(link)).toEqual(GONE)
      expect(await here.accept(kept)).toEqual({ seen: '200', accepted: '200' })
    })
  }
}

test('a demotion in one environment keeps the invitations that still may be sent', async () => {
  const { join, accept } = await business()
  const [owner, demoted] = [await join('owner', 'owner'), await join('owner', 'owner')]
  const inTest = await demoted.linkTo({ test_role: 'owner' })
  const inBoth = await demoted.linkTo({ test_role: 'owner', live_role: 'read_only' })
  await owner.call(`${MEMBERS}/${demoted.id}`, { method: 'PUT', body: { member: { live_role: null } } })
  expect(await accept(inBoth)).toEqual(GONE)
  expect(await accept(inTest)).toEqual({ seen: '200', accepted: '200' })
})

test('a removal revokes an invitation that waits for the address of that person', async () => {
  const { join, users, code, accept } = await business()
  const owner = await join('owner', 'owner')
  const email = newAddress()
  const link = await owner.linkTo({ live_role: 'owner' }, 'live', email)
  const { id } = await fixture.newUser(users, { email })
  await fixture.setRoles(code, id, 'owner', 'owner')
  await owner.call(`${MEMBERS}/${id}`, { method: 'DELETE' })
  expect(await accept(link)).toEqual(GONE)
})

test('accepting checks the rights that the inviter has at that moment', async () => {
  const { join, code, accept } = await business()
  const inviter = await join('owner', 'owner')
  for (const environment of ENVIRONMENTS) {
    const link = await inviter.linkTo({ [`${environment}_role`]: 'read_only' }, environment)
    const roles = { test: 'owner', live: 'owner', [environment]: 'developer' } as const
    await fixture.setRoles(code, inviter.id, roles.test, roles.live)
    expect(await accept(link)).toEqual(GONE)
    await fixture.setRoles(code, inviter.id, 'owner', 'owner')
    expect(await accept(link)).toEqual({ seen: '200', accepted: '200' })
  }
})

test('an operator who is no member invites, until somebody disables the operator', async () => {
  const { users, browser, code, accept } = await business()
  const operator = await fixture.newUser(users, { operator: true })
  const page = browser()
  await page.signIn(operator.email, operator.password)
  const invite = async () => {
    const body = { invitation: { email: newAddress(), live_role: 'owner' } }
    return pathOf((await page.call(INVITATIONS, code, 'live', { body })).body.data.link)
  }
  const [first, second] = [await invite(), await invite()]
  expect(await accept(first)).toEqual({ seen: '200', accepted: '200' })
  await fixture.admin.query('update users set disabled_at = now() where id = $1', [operator.id])
  expect(await accept(second)).toEqual(GONE)
})

test('an invitation by an API key ends with the key', async () => {
  const { users, code, liveId, accept } = await business()
  const { rows } = await fixture.admin.query('select app_id as id from apps where business_id = $1', [liveId])
  const { keyId } = await fixture.businesses.createKey({
    appId: rows[0].id,
    environment: 'live',
    scopes: ['users:write'],
    expiresAt: null,
  })
  const caller: Caller = {
    businessId: liveId,
    businessCode: code,
    environment: 'live',
    appId: rows[0].id,
    actor: { type: 'api_key', id: keyId },
    requestId: 'req_1',
  }
  const invite = async () => {
    const { link } = await users.invite(caller, { email: newAddress(), live_role: 'owner' })
    return pathOf(link ?? '')
  }
  const [first, second] = [await invite(), await invite()]
  expect(await accept(first)).toEqual({ seen: '200', accepted: '200' })
  await fixture.businesses.revokeKey(keyId)
  expect(await accept(second)).toEqual(GONE)
})

test('inviting an address again replaces no invitation that the same user may not revoke', async () => {
  const { join, accept } = await business()
  const [owner, testOwner] = [await join('owner', 'owner'), await join('owner', 'read_only')]
  const email = newAddress()
  const link = await owner.linkTo({ live_role: 'finance' }, 'live', email)
  const refused = await testOwner.invite({ test_role: 'developer' }, 'test', email)
  expect(outcomeOf(refused)).toBe('403 role_not_allowed')
  expect(await accept(link)).toEqual({ seen: '200', accepted: '200' })
})
