import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import type { IdempotencyRequest } from '#platform/caller'
import { ReplayedReply } from '#platform/http/routes/replayed-reply'
import { idempotencyPurge, once } from '#platform/idempotency/idempotency'
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
  ).rejects.toThrow(ReplayedReply)
  await expect(
    send('k1', { fingerprint: 'under the new key', olderFingerprints: ['another'] }),
  ).rejects.toMatchObject({ reason: 'idempotency_key_reused' })
})

test('a key of before fingerprints had a key is answered again, whatever comes with it', async () => {
  await send('k2', { fingerprint: 'f' })
  await admin.query(`update idempotency_keys set fingerprint = null where key = 'k2'`)
  await expect(send('k2', { fingerprint: 'g' })).rejects.toThrow(ReplayedReply)
})

test('a key is kept for 30 days, and then forgotten or free for another request', async () => {
  for (const key of ['kept', 'forgotten', 'used again']) await send(key, { fingerprint: 'f' })
  const age = (key: string, days: number) =>
    admin.query(
      `update idempotency_keys set created_at = created_at - $2 * interval '1 day' where key = $1`,
      [key, days],
    )
  await age('kept', 29.9)
  await age('forgotten', 30)
  await age('used again', 30.1)
  await expect(send('kept', { fingerprint: 'g' })).rejects.toMatchObject({ reason: 'idempotency_key_reused' })
  await send('used again', { fingerprint: 'g' })
  const { businessId } = caller
  await idempotencyPurge(db).run({ businessId, until: realClock.now(), timeOf: (dueAt) => dueAt })
  const { rows } = await admin.query<{ key: string }>(
    `select key from idempotency_keys where key in ('kept', 'forgotten', 'used again') order by key`,
  )
  expect(rows.map(({ key }) => key)).toEqual(['kept', 'used again'])
})
