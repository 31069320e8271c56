import { passkey } from '@better-auth/passkey'
import { expect, test } from 'vitest'
import { createFixture } from '../testing/fixture.ts'
import { signInAdapter } from '../storage/sign-in-adapter.ts'

const fixture = await createFixture()

test('increments at the same time all count', async () => {
  const { users } = await fixture.serve()
  const { id } = await fixture.newUser(users)
  await fixture.admin.query(
    `insert into user_passkeys (id, user_id, public_key, credential_id, counter, device_type, backed_up)
     values ('upk_1', $1, 'k', 'c', 0, 'singleDevice', false)`,
    [id],
  )
  const adapter = signInAdapter(fixture.db.shared)({ plugins: [passkey()] })
  const increment = () =>
    adapter.incrementOne({
      model: 'passkey',
      where: [{ field: 'id', value: 'upk_1' }],
      increment: { counter: 1 },
    })
  await Promise.all(Array.from({ length: 20 }, increment))
  const { rows } = await fixture.admin.query('select counter from user_passkeys')
  expect(rows).toEqual([{ counter: 20n }])
})
