import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { realClock } from '#kernel/clock'
import type { IdempotencyRequest } from '#platform/caller'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { claimIdempotencyKey, idempotencyPurge, once, refuseUsedKey } from '#platform/idempotency/idempotency'
import { JobRunner } from '#platform/jobs/jobs'
import { adminOf, createTestBusiness, createTestDatabase } from '#platform/testing/database'

const database = await createTestDatabase()
const { db, admin } = database
const { caller } = await createTestBusiness(database)

function send(key: string, prints: Pick<IdempotencyRequest, 'fingerprint' | 'olderFingerprints'>) {
  return once(db, { ...caller, idempotency: { key, endpoint: 'POST /things', ...prints } }, async () => ({}))
}

// Proves reference/conventions#idempotency.
test('a repeated request is recognized by its fingerprint under an older encryption key; another request is refused', async () => {
  await send('k1', { fingerprint: 'under the old key' })
  await expect(
    send('k1', { fingerprint: 'under the new key', olderFingerprints: ['under the old key'] }),
  ).rejects.toThrow(StoredReply)
  await expect(
    send('k1', { fingerprint: 'under the new key', olderFingerprints: ['another'] }),
  ).rejects.toMatchObject({ reason: 'idempotency_key_reused' })
})

test('a request that asks a third party first learns of a used key before it asks, and claims none', async () => {
  const request = (key: string, fingerprint = 'f') => ({
    ...caller,
    idempotency: { key, endpoint: 'POST /things', fingerprint },
  })
  await refuseUsedKey(db, request('asked'))
  await send('asked', { fingerprint: 'f' })
  await expect(refuseUsedKey(db, request('asked'))).rejects.toThrow(StoredReply)
  await expect(refuseUsedKey(db, request('asked', 'g'))).rejects.toMatchObject({
    reason: 'idempotency_key_reused',
  })
  await db.transact(caller.businessId, (tx) => claimIdempotencyKey(tx, request('running')))
  await expect(refuseUsedKey(db, request('running'))).rejects.toMatchObject({
    reason: 'idempotency_key_in_use',
  })
  const node = await adminOf(database, caller.businessId)
  await node.query(
    `update idempotency_keys set created_at = created_at - interval '31 days' where key = 'asked'`,
  )
  await refuseUsedKey(db, request('asked', 'g'))
})

test('a key is kept for 30 days; afterwards it is deleted or free for another request', async () => {
  for (const key of ['kept', 'forgotten', 'used again']) await send(key, { fingerprint: 'f' })
  const node = await adminOf(database, caller.businessId)
  const age = (key: string, days: number) =>
    node.query(`update idempotency_keys set created_at = created_at - $2 * interval '1 day' where key = $1`, [
      key,
      days,
    ])
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

test('a key whose request crashed before its reply is deleted after 30 days, too', async () => {
  const business = await createTestBusiness(database)
  const { businessId } = business.caller
  const attempt = { key: 'crashed', endpoint: 'checkout', fingerprint: 'f' }
  await db.transact(businessId, (tx) =>
    claimIdempotencyKey(tx, { ...business.caller, appId: 'checkout', idempotency: attempt }),
  )
  const node = await adminOf(database, businessId)
  const keys = async () => {
    const { rowCount } = await node.query('select from idempotency_keys where business_id = $1', [businessId])
    return rowCount
  }
  const age = async (days: number) => {
    for (const change of [
      'update idempotency_keys set created_at = created_at',
      'update next_runs set due_at = due_at',
    ])
      await node.query(`${change} - $2 * interval '1 day' where business_id = $1`, [businessId, days])
  }
  const runner = new JobRunner({
    db,
    jobs: [idempotencyPurge(db)],
    log: pino({ level: 'silent' }),
    pollMs: 20,
  })
  await age(29)
  runner.start()
  onTestFinished(() => runner.stop())
  await expect(keys()).resolves.toBe(1)
  await age(1)
  await expect.poll(keys).toBe(0)
})
