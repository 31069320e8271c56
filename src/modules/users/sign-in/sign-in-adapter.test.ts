import { twoFactor } from 'better-auth/plugins/two-factor'
import { expect, test } from 'vitest'
import { createFixture } from '../testing/fixture.ts'
import { signInAdapter } from '../storage/sign-in-adapter.ts'

const fixture = await createFixture()

test('increments at the same time all count', async () => {
  const { users } = await fixture.serve()
  const { id } = await fixture.newUser(users)
  await fixture.admin.query(
    `insert into user_two_factors (id, user_id, secret, backup_codes, verified) values ('utf_1', $1, 's', 'b', true)`,
    [id],
  )
  const adapter = signInAdapter(fixture.db.shared)({ plugins: [twoFactor()] })
  const increment = () =>
    adapter.incrementOne({
      model: 'twoFactor',
      where: [{ field: 'id', value: 'utf_1' }],
      increment: { failedVerificationCount: 1 },
    })
  await Promise.all(Array.from({ length: 20 }, increment))
  const { rows } = await fixture.admin.query(
    'select failed_verification_count as failures from user_two_factors',
  )
  expect(rows).toEqual([{ failures: 20 }])
})
