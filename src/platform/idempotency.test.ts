import { expect, test } from 'vitest'
import type { IdempotencyRequest } from '#platform/caller'
import { ReplayedAnswer } from '#platform/http/replayed-answer'
import { once } from '#platform/idempotency'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'

const database = await createTestDatabase()
const { db, admin } = database
const { caller } = await createTestBusiness(database)

function send(key: string, prints: Pick<IdempotencyRequest, 'fingerprint' | 'olderFingerprints'>) {
  return once(db, { ...caller, idempotency: { key, endpoint: 'POST /things', ...prints } }, async () => ({}))
}

test('a request is known again by its fingerprint under an older encryption key, another one is refused', async () => {
  await send('k1', { fingerprint: 'under the old key' })
  await expect(
    send('k1', { fingerprint: 'under the new key', olderFingerprints: ['under the old key'] }),
  ).rejects.toThrow(ReplayedAnswer)
  await expect(
    send('k1', { fingerprint: 'under the new key', olderFingerprints: ['another'] }),
  ).rejects.toMatchObject({ reason: 'idempotency_key_reused' })
})

test('a key of before fingerprints had a key is answered again, whatever comes with it', async () => {
  await send('k2', { fingerprint: 'f' })
  await admin.query(`update idempotency_keys set fingerprint = null where key = 'k2'`)
  await expect(send('k2', { fingerprint: 'g' })).rejects.toThrow(ReplayedAnswer)
})
