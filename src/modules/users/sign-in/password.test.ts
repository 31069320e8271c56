import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

test('a password is stored as argon2id with a salt of its own', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(one).not.toBe(two)
  expect(await verifyPassword({ hash: one, password: 'correct horse' })).toBe(true)
  expect(await verifyPassword({ hash: one, password: 'correct horsf' })).toBe(false)
  expect(await verifyPassword({ hash: 'scrypt:nothing', password: 'correct horse' })).toBe(false)
})

test('a hash made with other costs is still verified', async () => {
  const nonce = Buffer.alloc(16, 7)
  const tag = argon2Sync('argon2id', {
    message: 'passphrase',
    nonce,
    parallelism: 1,
    tagLength: 16,
    memory: 64,
    passes: 3,
  })
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  const hash = `$argon2id$v=19$m=64,t=3,p=1$${text(nonce)}$${text(tag)}`
  expect(await verifyPassword({ hash, password: 'passphrase' })).toBe(true)
})

test('two spellings of the same characters are the same password', async () => {
  const hash = await hashPassword('caf\u00e9 au lait please')
  expect(await verifyPassword({ hash, password: 'cafe\u0301 au lait please' })).toBe(true)
})
