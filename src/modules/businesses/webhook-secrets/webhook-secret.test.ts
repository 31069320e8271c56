import { expect, test } from 'vitest'
import { type Instant, realClock } from '#kernel/clock'
import { keysFromEnvironment } from '#platform/security/key-source'
import { Keyring } from '#platform/security/keyring'
import { createTestDatabase } from '#platform/testing/database'
import { businessesOf } from '../businesses.ts'
import { CommandError } from '../command-error.ts'
import { prepareBusiness } from '../profiles/prepare-business.ts'
import { rewrapWebhookSecrets } from './rewrap.ts'

const { db, admin } = await createTestDatabase()

/** A keyring in which each number stands for one key. */
function ringOf(...numbers: number[]): Keyring {
  const keys = numbers.map((number) => Buffer.alloc(32, number).toString('base64'))
  return new Keyring(keysFromEnvironment(keys.join(',')))
}

const businesses = businessesOf({ db, keyring: ringOf(7) })

async function makeBusiness() {
  const business = prepareBusiness({ name: 'Kowloon Books' })
  await businesses.create(business)
  return business
}

// Proves reference/events#secrets.
test('each environment has its own secret', async () => {
  const { code, test: sandbox, live } = await makeBusiness()
  expect(await businesses.showWebhookSecret({ code, environment: 'test' })).toEqual(sandbox)
  expect(await businesses.showWebhookSecret({ code, environment: 'live' })).toEqual(live)
  await expect(businesses.showWebhookSecret({ code: 'mch_none', environment: 'live' })).rejects.toThrow(
    CommandError,
  )
})

test('after a rotation every process signs with the new and the previous secret and with no other', async () => {
  const { code, test: sandbox, live } = await makeBusiness()
  const other = businessesOf({ db, keyring: ringOf(7) })
  const signing = () => other.webhookSecrets(live.businessId)
  expect(await signing()).toEqual([live.webhookSecret])
  const second = await businesses.rotateWebhookSecret({ code, environment: 'live' })
  expect(second.businessId).toBe(live.businessId)
  expect(await signing()).toEqual([second.webhookSecret, live.webhookSecret])
  expect(await other.webhookSecrets(sandbox.businessId)).toEqual([sandbox.webhookSecret])
  const third = await businesses.rotateWebhookSecret({ code, environment: 'live' })
  expect(await signing()).toEqual([third.webhookSecret, second.webhookSecret])
  expect(await businesses.showWebhookSecret({ code, environment: 'live' })).toEqual(third)
})

test('the previous secret continues to sign for 24 hours', async () => {
  const { code, test: sandbox } = await makeBusiness()
  const before = realClock.now()
  const { webhookSecret } = await businesses.rotateWebhookSecret({ code, environment: 'test' })
  const after = realClock.now()
  const { rows } = await admin.query<{ previous_until: Instant }>(
    'select previous_until from businesses where business_id = $1',
    [sandbox.businessId],
  )
  const rotatedAt = rows[0]?.previous_until.subtract({ hours: 24 })
  expect(rotatedAt?.epochMilliseconds).toBeGreaterThanOrEqual(before.epochMilliseconds)
  expect(rotatedAt?.epochMilliseconds).toBeLessThanOrEqual(after.epochMilliseconds)
  await admin.query('update businesses set previous_until = now() where business_id = $1', [
    sandbox.businessId,
  ])
  const signing = businessesOf({ db, keyring: ringOf(7) }).webhookSecrets(sandbox.businessId)
  expect(await signing).toEqual([webhookSecret])
})

test('after the encryption key is rotated, the new key alone opens both secrets of a tenant', async () => {
  const { code, live } = await makeBusiness()
  const { webhookSecret } = await businesses.rotateWebhookSecret({ code, environment: 'live' })
  const rewrap = rewrapWebhookSecrets(db, ringOf(8, 7))
  expect(await rewrap(live.businessId)).toBe(1)
  expect(await rewrap(live.businessId)).toBe(0)
  const secrets = await businessesOf({ db, keyring: ringOf(8) }).webhookSecrets(live.businessId)
  expect(secrets).toEqual([webhookSecret, live.webhookSecret])
})
