import { expect, test } from 'vitest'
import { createTestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import { rewrapSignInSecret, signInSecret } from './secret.ts'

const { db, admin } = await createTestDatabase()

test('all processes share one secret, which is stored sealed and survives a rotation of the keys', async () => {
  const { keyring, rotateKeys } = createTestKeyring()
  const secrets = await Promise.all([1, 2, 3].map(() => signInSecret(db, keyring)))
  expect(new Set(secrets).size).toBe(1)
  const { rows } = await admin.query('select * from user_secrets')
  expect(JSON.stringify(rows)).not.toContain(secrets[0])
  const newestOnly = rotateKeys()
  await expect(signInSecret(db, newestOnly)).rejects.toThrow('not configured')
  expect(await rewrapSignInSecret(db, keyring)('biz_1')).toBe(1)
  expect(await rewrapSignInSecret(db, keyring)('biz_2')).toBe(0)
  expect(await signInSecret(db, newestOnly)).toBe(secrets[0])
})
