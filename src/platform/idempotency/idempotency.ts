import sql from 'sql-template-tag'
import { type Instant, isBefore, realClock, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Caller, IdempotencyRequest } from '#platform/caller'
import type { Database, TransactOptions, Tx } from '#platform/postgres/database'
import { type Job, scheduleJob } from '#platform/jobs/jobs'
import { earliestTime } from '#platform/postgres/earliest-time'
import { platformErrors } from '#platform/errors'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { successEnvelope } from '#platform/envelope'

/**
 * The row of an `Idempotency-Key` commits with the first write of its request, and the reply commits with the outcome
 * (reference/conventions#idempotency). After a crash in between, the key says "still running" until the resolver finishes the
 * work and stores the reply.
 */

const RETENTION_DAYS = 30
const PURGE_BATCH = 500

/**
 * Stored with work whose outcome comes later. Several ids, separated by spaces, when several requests wait for the outcome;
 * null when the caller sent no key.
 */
export type IdempotencyId = string | null

export function joinIds(first: IdempotencyId, second: IdempotencyId): IdempotencyId {
  return first === null || second === null ? (first ?? second) : `${first} ${second}`
}

/**
 * Claims the caller's key. Call it in the first transaction of a request, before any other write. Throws `StoredReply` when
 * the request has its reply already, 409 while the request is running, and 422 when the key belongs to another request.
 */
export async function claimIdempotencyKey(tx: Tx, caller: Caller): Promise<IdempotencyId> {
  const request = caller.idempotency
  if (request === undefined) return null
  const now = realClock.now()
  const expired = now.subtract({ hours: 24 * RETENTION_DAYS })
  const id = newId('idk')
  const claimed = await tx.query(sql`
    insert into idempotency_keys (business_id, app_id, endpoint, key, id, fingerprint, created_at)
    values (${tx.businessId}, ${caller.appId}, ${request.endpoint}, ${request.key}, ${id},
            ${request.fingerprint}, ${toRfc3339(now)})
    on conflict (business_id, app_id, endpoint, key) do update
       set id = excluded.id, fingerprint = excluded.fingerprint, created_at = excluded.created_at,
           status = null, body = null, was_unknown = false
     where idempotency_keys.created_at < ${toRfc3339(expired)}
    returning id`)
  if (claimed.length === 1) {
    await scheduleJob(tx, IDEMPOTENCY_PURGE, now.add({ hours: 24 * RETENTION_DAYS }), 'real')
    return id
  }
  const stored = await findStoredKey(tx, caller, request)
  if (stored === undefined) throw platformErrors.idempotency_key_in_use()
  throw replyOf(stored, request)
}

/**
 * Throws what `claimIdempotencyKey` throws for a used key, and claims nothing. For requests that ask a third party before
 * their first write: a replay must not ask again.
 */
export async function refuseUsedKey(db: Database, caller: Caller): Promise<void> {
  const request = caller.idempotency
  if (request === undefined) return
  const stored = await db.transact(caller.businessId, (tx) => findStoredKey(tx, caller, request))
  const expired = realClock.now().subtract({ hours: 24 * RETENTION_DAYS })
  if (stored !== undefined && !isBefore(stored.created_at, expired)) throw replyOf(stored, request)
}

async function findStoredKey(
  tx: Tx,
  caller: Caller,
  request: IdempotencyRequest,
): Promise<StoredKey | undefined> {
  const [stored] = await tx.query<StoredKey>(sql`
    select fingerprint, status, body, was_unknown, created_at
      from idempotency_keys
     where business_id = ${tx.businessId} and app_id = ${caller.appId}
       and endpoint = ${request.endpoint} and key = ${request.key}`)
  return stored
}

function replyOf(stored: StoredKey, request: IdempotencyRequest): Error {
  if (!isSameRequest(stored, request)) return platformErrors.idempotency_key_reused()
  if (stored.status === null || stored.body === null) return platformErrors.idempotency_key_in_use()
  return new StoredReply(stored.status, stored.body, stored.was_unknown)
}

interface StoredKey {
  readonly fingerprint: string
  readonly status: number | null
  readonly body: string | null
  readonly was_unknown: boolean
  readonly created_at: Instant
}

function isSameRequest({ fingerprint }: StoredKey, request: IdempotencyRequest): boolean {
  if (fingerprint === request.fingerprint) return true
  return request.olderFingerprints?.includes(fingerprint) === true
}

/**
 * Stores the reply in the transaction of its outcome. The resolver replaces a 504 in this way, so that a replay shows the
 * current state.
 * @param body the whole envelope
 */
export async function storeReply(tx: Tx, id: IdempotencyId, status: number, body: string): Promise<void> {
  for (const one of id?.split(' ') ?? []) {
    await tx.execute(sql`
      update idempotency_keys set status = ${status}, body = ${body}, was_unknown = was_unknown or ${status === 504}
       where business_id = ${tx.businessId} and id = ${one}`)
  }
}

function renderReply({ idempotency }: Caller, value: unknown): object {
  return idempotency?.render === undefined ? (value as object) : idempotency.render(value)
}

export async function keepReply(tx: Tx, id: IdempotencyId, caller: Caller, value: unknown): Promise<void> {
  if (id === null) return
  await storeReply(tx, id, 200, successEnvelope(renderReply(caller, value)))
}

/**
 * Runs a use case in one transaction, in which the caller's key, the writes of `work` and the reply commit together.
 * @returns the result of `work`, which is also what the route must return: the stored reply was rendered from it
 */
export async function once<Value>(
  db: Database,
  caller: Caller,
  work: (tx: Tx) => Promise<Value>,
  options?: TransactOptions,
): Promise<Value> {
  const claimAndWork = async (tx: Tx): Promise<Value> => {
    const id = await claimIdempotencyKey(tx, caller)
    const value = await work(tx)
    await keepReply(tx, id, caller, value)
    return value
  }
  return db.transact(caller.businessId, claimAndWork, options)
}

const IDEMPOTENCY_PURGE = 'idempotency_purge'

export function idempotencyPurge(db: Database): Job {
  return {
    name: IDEMPOTENCY_PURGE,
    clock: 'real',
    nextRunAt: async (tx) => {
      const oldest = await earliestTime(tx, sql`idempotency_keys`, sql`created_at`)
      return oldest && oldest.add({ hours: 24 * RETENTION_DAYS })
    },
    run: async ({ businessId, until }) =>
      db.transact(businessId, (tx) =>
        tx.execute(sql`
          delete from idempotency_keys
           where business_id = ${businessId} and (app_id, endpoint, key) in (
                 select app_id, endpoint, key from idempotency_keys
                  where business_id = ${businessId}
                    and created_at <= ${toRfc3339(until.subtract({ hours: 24 * RETENTION_DAYS }))}
                  order by created_at limit ${PURGE_BATCH})`),
      ),
  }
}
