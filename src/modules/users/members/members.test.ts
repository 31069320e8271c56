import { expect, test } from 'vitest'
import type { Role } from '../model/roles.ts'
import { createFixture } from '../testing/fixture.ts'
import { outcomeOf } from '../testing/reason.ts'

const fixture = await createFixture()
const MEMBERS = '/svc/account/api/v1/openapi/members'
type Environment = 'test' | 'live'

async function business() {
  const service = await fixture.serve()
  const { code } = await fixture.newBusiness()
  const join = async (testRole: Role | null, liveRole: Role | null) => {
    const user = await fixture.newUser(service.users)
    await fixture.setRoles(code, user.id, testRole, liveRole)
    const page = service.browser()
    await page.signIn(user.email, user.password)
    const put = async (id: string, member: object, environment: Environment = 'live') =>
      outcomeOf(await page.call(`${MEMBERS}/${id}`, code, environment, { method: 'PUT', body: { member } }))
    const remove = async (id: string, environment: Environment = 'live') =>
      outcomeOf(await page.call(`${MEMBERS}/${id}`, code, environment, { method: 'DELETE' }))
    return { ...user, page, put, remove }
  }
  return { ...service, code, join }
}

// Proves reference/users#members.
test('an owner lists, changes and removes members', async () => {
  const { code, join } = await business()
  const owner = await join('owner', 'owner')
  const other = await join('support', null)
  const list = async (query = '') => {
    const { body } = await owner.page.call(`${MEMBERS}${query}`, code, 'test')
    return body.data.members as { id: string; email: string; test_role: string; live_role: string }[]
  }
  expect((await list()).map(({ id }) => id)).toEqual([other.id, owner.id])
  expect(await list('?filter=test_role="support"')).toMatchObject([{ email: other.email, live_role: null }])
  expect(await list('?limit=1&offset=1')).toMatchObject([{ id: owner.id }])
  expect(await owner.put(other.id, { live_role: 'finance' })).toBe('200')
  expect(await list('?limit=1')).toMatchObject([{ test_role: 'support', live_role: 'finance' }])
  expect(await owner.put(other.id, { test_role: null, live_role: null })).toBe('400 invalid_member')
  expect(await owner.put('usr_none', { live_role: 'finance' })).toBe('404 member_not_found')
  expect(await owner.remove(other.id)).toBe('200')
  expect(await owner.remove(other.id)).toBe('404 member_not_found')
  const call = await other.page.call(MEMBERS, code, 'test')
  expect(outcomeOf(call)).toBe('403 not_a_member')
})

test('members of another business are not found', async () => {
  const one = await business()
  const two = await business()
  const owner = await one.join('owner', 'owner')
  const stranger = await two.join('owner', 'owner')
  expect(await owner.put(stranger.id, { live_role: 'finance' })).toBe('404 member_not_found')
  expect(await owner.remove(stranger.id)).toBe('404 member_not_found')
  const sessions = await owner.page.call(`${MEMBERS}/${stranger.id}/sessions`, one.code, 'live')
  expect(outcomeOf(sessions)).toBe('404 member_not_found')
})

test('the last owner of an environment stays, also when two owners remove each other at once', async () => {
  const { join } = await business()
  const first = await join('owner', 'owner')
  expect(await first.put(first.id, { live_role: 'finance' })).toBe('409 last_owner')
  expect(await first.remove(first.id)).toBe('409 last_owner')
  const second = await join('developer', 'owner')
  expect(await first.put(first.id, { live_role: 'finance' })).toBe('200')
  expect(await first.put(first.id, { test_role: 'finance' }, 'test')).toBe('409 last_owner')
  expect(await second.put(second.id, { live_role: 'finance' })).toBe('409 last_owner')
  const pair = await business()
  const [left, right] = [await pair.join('owner', 'owner'), await pair.join('owner', 'owner')]
  const outcomes = await Promise.all([left.remove(right.id), right.remove(left.id)])
  const { rows } = await fixture.admin.query('select from memberships where business_code = $1', [pair.code])
  expect(rows).toHaveLength(1)
  expect(outcomes).toContain('200')
})

test('a disabled owner does not count as the other one', async () => {
  const { join, users } = await business()
  const [owner, disabled] = [await join('owner', 'owner'), await join('owner', 'owner')]
  await users.disable(disabled.email)
  expect(await owner.remove(owner.id)).toBe('409 last_owner')
})

test('nobody changes roles in an environment where the own role may not', async () => {
  const { join } = await business()
  await join('owner', 'owner')
  const testOwner = await join('owner', 'read_only')
  const other = await join('support', 'support')
  expect(await testOwner.put(other.id, { test_role: 'developer' }, 'test')).toBe('200')
  expect(await testOwner.put(other.id, { live_role: 'owner' }, 'test')).toBe('403 role_not_allowed')
  expect(await testOwner.put(testOwner.id, { live_role: 'owner' }, 'test')).toBe('403 role_not_allowed')
  expect(await testOwner.remove(other.id, 'test')).toBe('403 role_not_allowed')
  expect(await testOwner.put(other.id, { test_role: null }, 'test')).toBe('200')
})

test('an API key changes roles in its own environment only', async () => {
  const { join, users, code } = await business()
  await join('owner', 'owner')
  const other = await join('support', 'support')
  const { rows } = await fixture.admin.query(
    `select business_id as id from businesses where code = $1 and environment = 'test'`,
    [code],
  )
  const caller = {
    businessId: rows[0].id,
    businessCode: code,
    environment: 'test' as const,
    appId: 'app_1',
    actor: { type: 'api_key' as const, id: 'key_1' },
    requestId: 'req_1',
  }
  await expect(users.changeRoles(caller, other.id, { live_role: 'owner' })).rejects.toMatchObject({
    reason: 'role_not_allowed',
  })
  await expect(users.invite(caller, { email: 'a@example.com', live_role: 'owner' })).rejects.toMatchObject({
    reason: 'role_not_allowed',
  })
  expect(await users.changeRoles(caller, other.id, { test_role: 'owner' })).toMatchObject({
    member: { test_role: 'owner', live_role: 'support' },
  })
})

test('an owner sees the sessions of a member and ends them', async () => {
  const { join, code, browser } = await business()
  const [owner, member] = [await join('owner', 'owner'), await join('support', 'support')]
  await browser().signIn(member.email, member.password)
  const path = `${MEMBERS}/${member.id}/sessions`
  const { body } = await owner.page.call(path, code, 'live')
  expect(body.data.sessions).toHaveLength(2)
  expect(Object.keys(body.data.sessions[0])).not.toContain('token')
  expect(body.data.sessions[0].ip_address).toBe('127.0.0.1')
  const refused = await member.page.call(path, code, 'live', { method: 'DELETE' })
  expect(outcomeOf(refused)).toBe('403 role_not_allowed')
  const ended = await owner.page.call(path, code, 'live', { method: 'DELETE' })
  expect(ended.body.data).toEqual({ ended: 2 })
  expect(outcomeOf(await member.page.call(MEMBERS, code, 'live'))).toBe('401 session_ended')
})

test('an owner of test alone ends no sessions of a live owner', async () => {
  const { join, code } = await business()
  const [owner, testOwner] = [await join('owner', 'owner'), await join('owner', 'read_only')]
  const end = async (id: string) => {
    const path = `${MEMBERS}/${id}/sessions`
    return outcomeOf(await testOwner.page.call(path, code, 'test', { method: 'DELETE' }))
  }
  expect(await end(owner.id)).toBe('403 role_not_allowed')
  expect(outcomeOf(await owner.page.call(MEMBERS, code, 'live'))).toBe('200')
  const tester = await join('support', null)
  expect(await end(tester.id)).toBe('200')
})
