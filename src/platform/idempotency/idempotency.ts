import sql from 'sql-template-tag'
import { realClock, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Caller, IdempotencyRequest } from '#platform/caller'
import type { Database, Tx } from '#platform/postgres/database'
import { type Job, scheduleJob } from '#platform/jobs/jobs'
import { earliestTime } from '#platform/postgres/earliest-time'
import { platformErrors } from '#platform/errors'
import { ReplayedReply } from '#platform/http/routes/replayed-reply'
import { successEnvelope } from '#platform/http/routes/envelope'

/**
 * `Idempotency-Key` (decisions, section 1). The key's row commits with the first thing that the
 * request writes; its answer commits with the outcome. So a crash in between leaves a key that says
 * "still running", and whoever finishes the work (the resolver, too) keeps the answer.
 */

/** How long a key is kept. */
const KEPT_DAYS = 30
const PURGE_BATCH = 500

/**
 * The id of a claimed key, to be stored with work whose outcome comes later; ids with spaces between them when several
 * requests wait for it. Null when the caller sent none.
 */
export type IdempotencyId = string | null

/** Of work that another request waits for, too: both get the outcome. */
export function joinIds(first: IdempotencyId, second: IdempotencyId): IdempotencyId {
  return first === null || second === null ? (first ?? second) : `${first} ${second}`
}

/**
 * Claims the caller's key in the first transaction of a request, before anything else is written.
 * Throws `ReplayedReply` when the request was answered already, 409 while it is still running, 422
 * when the key came with another request.
 */
export async function claimIdempotencyKey(tx: Tx, caller: Caller): Promise<IdempotencyId> {
  const request = caller.idempotency
  if (request === undefined) return null
  const now = realClock.now()
  const expired = now.subtract({ hours: 24 * KEPT_DAYS })
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
    await scheduleJob(tx, IDEMPOTENCY_PURGE, now.add({ hours: 24 * KEPT_DAYS }), 'real')
    return id
  }
  const [kept] = await tx.query<KeptKey>(sql`
    select fingerprint, status, body, was_unknown
      from idempotency_keys
     where business_id = ${tx.businessId} and app_id = ${caller.appId}
       and endpoint = ${request.endpoint} and key = ${request.key}`)
  if (kept === undefined) throw platformErrors.idempotency_key_in_use()
  if (!isOfRequest(kept, request)) throw platformErrors.idempotency_key_reused()
  if (kept.status === null || kept.body === null) throw platformErrors.idempotency_key_in_use()
  throw new ReplayedReply(kept.status, kept.body, kept.was_unknown)
}

interface KeptKey {
  /** Null when the key came before migration 0014: then it is taken at its word. */
  readonly fingerprint: string | null
  readonly status: number | null
  readonly body: string | null
  readonly was_unknown: boolean
}

function isOfRequest({ fingerprint }: KeptKey, request: IdempotencyRequest): boolean {
  if (fingerprint === null || fingerprint === request.fingerprint) return true
  return request.olderFingerprints?.includes(fingerprint) === true
}

/**
 * Keeps the answer of a request, in the transaction of its outcome. Called again by the resolver, it
 * replaces the 504 that was given before, so that a replay answers the state of now.
 * @param body the whole envelope, see `platform/http/envelope.ts`
 */
export async function keepAnswer(tx: Tx, id: IdempotencyId, status: number, body: string): Promise<void> {
  for (const one of id?.split(' ') ?? []) {
    await tx.execute(sql`
      update idempotency_keys set status = ${status}, body = ${body}, was_unknown = was_unknown or ${status === 504}
       where business_id = ${tx.businessId} and id = ${one}`)
  }
}

/**
 * Runs a use case that is one transaction: the caller's key, what `work` writes and its answer
 * commit together, and an error leaves nothing.
 * @returns what `work` answers: `data`, or an `Answer`.
 */
export async function once<Data extends object>(
  db: Database,
  caller: Caller,
  work: (tx: Tx) => Promise<Data>,
): Promise<Data> {
  return db.transact(caller.businessId, async (tx) => {
    const id = await claimIdempotencyKey(tx, caller)
    const data = await work(tx)
    if (id !== null) await keepAnswer(tx, id, 200, successEnvelope(data))
    return data
  })
}

const IDEMPOTENCY_PURGE = 'idempotency_purge'

/** Forgets keys after 30 days of real time. */
export function idempotencyPurge(db: Database): Job {
  return {
    name: IDEMPOTENCY_PURGE,
    clock: 'real',
    nextRunAt: async (tx) => {
      const oldest = await earliestTime(tx, sql`idempotency_keys`, sql`created_at`)
      return oldest && oldest.add({ hours: 24 * KEPT_DAYS })
    },
    run: async ({ businessId, until }) =>
      db.transact(businessId, (tx) =>
        tx.execute(sql`
          delete from idempotency_keys
           where business_id = ${businessId} and (app_id, endpoint, key) in (
                 select app_id, endpoint, key from idempotency_keys
                  where business_id = ${businessId}
                    and created_at <= ${toRfc3339(until.subtract({ hours: 24 * KEPT_DAYS }))}
                  order by created_at limit ${PURGE_BATCH})`),
      ),
  }
}
