import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { createTestKeyring } from '#platform/testing/keyring'
import { SignedTokens } from './signed-tokens.ts'

const { keyring, rotateKeys } = createTestKeyring()
const tokens = new SignedTokens(keyring, 'door')
const claims = {
  businessId: 'biz_1',
  id: 'cus_1',
  expiresAt: realClock.now().add({ minutes: 5 }).round('millisecond'),
}

test('a token proves what it was made for, also after the keys were rotated', () => {
  const token = tokens.make(claims)
  rotateKeys()
  expect(tokens.read(token)).toEqual(claims)
})

test('a token that is forged, expired or of another purpose proves nothing', () => {
  const token = tokens.make(claims)
  expect(new SignedTokens(keyring, 'window').read(token)).toBeNull()
  expect(tokens.read(tokens.make({ ...claims, expiresAt: realClock.now() }))).toBeNull()
  const [, ...rest] = token.split('.')
  const [id, , ...end] = token.split('.')
  for (const forged of [
    '',
    'cus_1',
    `cus_2.${rest.join('.')}`,
    `${id}.biz_2.${end.join('.')}`,
    `${token}x`,
  ]) {
    expect(tokens.read(forged), forged).toBeNull()
  }
})
