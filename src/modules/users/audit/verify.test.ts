import { expect, test } from 'vitest'
import { createFixture } from '../testing/fixture.ts'
import { verifyUsers } from './verify.ts'

const fixture = await createFixture()
const verify = verifyUsers(fixture.db)
const { admin } = fixture

async function breaches(businessId: string) {
  const found: { rule: string; object: string }[] = []
  for await (const { rule, object } of verify(businessId)) found.push({ rule, object })
  return found
}

// Proves reference/operations#verify.
test('the rules of members, sessions and invitations are checked', async () => {
  const { users, browser } = await fixture.serve()
  const { code, liveId, testId } = await fixture.newBusiness()
  const [owner, member] = [await fixture.newUser(users), await fixture.newUser(users)]
  await fixture.setRoles(code, owner.id, 'owner', 'owner')
  await fixture.setRoles(code, member.id, 'finance', null)
  await browser().signIn(member.email, member.password)
  expect(await breaches(liveId)).toEqual([])

  await fixture.setRoles(code, owner.id, 'finance', 'finance')
  expect(await breaches(liveId)).toEqual([{ rule: 'business_with_members_has_an_owner', object: code }])
  expect(await breaches(testId)).toEqual([])
  await fixture.setRoles(code, owner.id, 'owner', 'owner')

  await admin.query('update users set disabled_at = now() where id = $1', [member.id])
  await admin.query(
    `insert into user_trusted_devices (id, hash, user_id, created_at, last_used_at, expires_at)
     values ('utd_1', 'h', $1, now(), now(), now())`,
    [member.id],
  )
  expect(await breaches(liveId)).toMatchObject([
    { rule: 'disabled_user_has_no_session' },
    { rule: 'disabled_user_has_no_trusted_device', object: 'utd_1' },
  ])
  await admin.query('update users set disabled_at = null where id = $1', [member.id])

  await admin.query(
    `insert into invitations (business_code, id, hash, email, test_role, mailed, invited_by, created_at, expires_at, accepted_at, user_id)
     values ($1, 'inv_1', 'h', 'other@example.com', 'finance', true, 'usr_1', now(), now(), now(), $2)`,
    [code, member.id],
  )
  expect(await breaches(liveId)).toEqual([{ rule: 'accepted_invitation_names_its_user', object: 'inv_1' }])
})
