import sql from 'sql-template-tag'
import { type Instant, isBefore, realClock, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Caller, IdempotencyRequest } from '#platform/caller'
import type { Database, TransactOptions, Tx } from '#platform/postgres/database'
import { type Job, scheduleJob } from '#platform/jobs/jobs'
import type { Outcome } from '#platform/batches/batches'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { earliestTime } from '#platform/postgres/earliest-time'
import { platformErrors } from '#platform/errors'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { successEnvelope } from '#platform/envelope'

/**
 * The row of an `Idempotency-Key` commits with the first write of its request, and the reply commits with the outcome
 * (reference/conventions#idempotency). After a crash in between, the key says "still running" until the resolver finishes the
 * work and stores the reply.
 */

/** The time of reference/conventions#idempotency. */
export const RETENTION_DAYS = 30
const PURGE_BATCH = 500

/**
 * Stored with work whose outcome comes later. Several ids, separated by spaces, when several requests wait for the outcome;
 * null when the caller sent no key.
 */
export type IdempotencyId = string | null

export function joinIds(first: IdempotencyId, second: IdempotencyId): IdempotencyId {
  return first === null || second === null ? (first ?? second) : `${first} ${second}`
}

interface KeyedCaller extends Caller {
  readonly idempotency: IdempotencyRequest
}

type KeyClaim =
  | { readonly kind: 'claimed'; readonly id: IdempotencyId }
  | { readonly kind: 'refused'; readonly error: Error }
  /** An earlier caller of the set has the key, and its reply is not known yet. */
  | { readonly kind: 'alone' }

interface NewKey extends KeyedCaller {
  readonly id: string
}

const keyColumns = {
  app_id: ['text', ({ appId }: KeyedCaller) => appId],
  endpoint: ['text', ({ idempotency }: KeyedCaller) => idempotency.endpoint],
  key: ['text', ({ idempotency }: KeyedCaller) => idempotency.key],
} as const

const usedKeys = rowsAs<KeyedCaller>('n', keyColumns)

const newKeys = rowsAs<NewKey>('n', {
  ...keyColumns,
  id: ['text', ({ id }) => id],
  fingerprint: ['text', ({ idempotency }) => idempotency.fingerprint],
})

/**
 * Claims the caller's key. Call it in the first transaction of a request, before any other write. Throws `StoredReply` when
 * the request has its reply already, 409 while the request is running, and 422 when the key belongs to another request.
 */
export async function claimIdempotencyKey(tx: Tx, caller: Caller): Promise<IdempotencyId> {
  const [claim] = await claimKeys(tx, [caller])
  if (claim?.kind === 'claimed') return claim.id
  throw claim?.kind === 'refused' ? claim.error : new Error('a key was not claimed')
}

/** As `claimIdempotencyKey`, for each of several callers. */
export async function claimKeys(tx: Tx, callers: readonly Caller[]): Promise<KeyClaim[]> {
  const first = new Map<string, NewKey>()
  for (const caller of callers) {
    const name = nameOf(caller)
    if (isKeyed(caller) && !first.has(name)) first.set(name, { ...caller, id: newId('idk') })
  }
  if (first.size === 0) return callers.map(() => ({ kind: 'claimed', id: null }))
  // In one order, so that two sets do not wait for each other's keys.
  const rows = [...first].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  const claimed = await insertKeys(tx, rows)
  const used = rows.filter(({ id }) => !claimed.has(id))
  const stored = used.length === 0 ? undefined : await findStoredKeys(tx, used)
  return callers.map((caller) => {
    if (!isKeyed(caller)) return { kind: 'claimed', id: null }
    const name = nameOf(caller)
    const id = first.get(name)?.id
    if (id !== undefined && !claimed.has(id))
      return { kind: 'refused', error: replyOf(stored?.get(name), caller.idempotency) }
    first.delete(name)
    return id === undefined ? { kind: 'alone' } : { kind: 'claimed', id }
  })
}

async function insertKeys(tx: Tx, rows: readonly NewKey[]): Promise<ReadonlySet<string>> {
  const now = realClock.now()
  const expired = now.subtract({ hours: 24 * RETENTION_DAYS })
  const claimed = await tx.query<{ id: string }>(sql`
    insert into idempotency_keys (business_id, app_id, endpoint, key, id, fingerprint, created_at)
    select ${tx.businessId}, n.app_id, n.endpoint, n.key, n.id, n.fingerprint, ${toRfc3339(now)}::timestamptz
      from ${newKeys(rows)}
    on conflict (business_id, app_id, endpoint, key) do update
       set id = excluded.id, fingerprint = excluded.fingerprint, created_at = excluded.created_at,
           status = null, body = null, was_unknown = false
     where idempotency_keys.created_at < ${toRfc3339(expired)}
    returning id`)
  if (claimed.length > 0)
    tx.defer(scheduleJob(tx, IDEMPOTENCY_PURGE, now.add({ hours: 24 * RETENTION_DAYS }), 'real'))
  return new Set(claimed.map(({ id }) => id))
}

interface Keyed<Request> {
  readonly request: Request
  readonly idempotencyId: IdempotencyId
}

/**
 * Claims the keys of a set, runs `work` for the requests that may go on, and frees the keys of those that `work` refuses.
 */
export async function claimingKeys<Request extends { readonly caller: Caller }, Value>(
  tx: Tx,
  requests: readonly Request[],
  work: (keyed: readonly Keyed<Request>[]) => Promise<readonly Outcome<Value>[]>,
): Promise<Outcome<Value>[]> {
  const claims = await claimKeys(
    tx,
    requests.map(({ caller }) => caller),
  )
  const going = requests.flatMap((request, index) => {
    const claim = claims[index]
    return claim?.kind === 'claimed' ? [{ request, idempotencyId: claim.id }] : []
  })
  const outcomes = going.length === 0 ? [] : await work(going)
  const isDone = (outcome: Outcome<Value> | undefined) => outcome?.kind === 'done'
  const freed = going.flatMap(({ idempotencyId }, index) =>
    isDone(outcomes[index]) ? [] : (idempotencyId ?? []),
  )
  // If nothing was done, the set is rolled back, and its keys with it.
  if (freed.length > 0 && outcomes.some(isDone)) tx.defer(freeKeys(tx, freed))
  const left = outcomes.values()
  return claims.map((claim) => (claim.kind === 'claimed' ? (left.next().value ?? { kind: 'alone' }) : claim))
}

async function freeKeys(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    delete from idempotency_keys where business_id = ${tx.businessId} and ${isOneOf(sql`id`, ids)}`)
}

function isKeyed(caller: Caller): caller is KeyedCaller {
  return caller.idempotency !== undefined
}

function nameOf({ appId, idempotency }: Caller): string {
  return JSON.stringify([appId, idempotency?.endpoint, idempotency?.key])
}

/**
 * Throws what `claimIdempotencyKey` throws for a used key, and claims nothing. For requests that ask a third party before
 * their first write: a replay must not ask again.
 */
export async function refuseUsedKey(db: Database, caller: Caller): Promise<void> {
  if (!isKeyed(caller)) return
  const stored = await db.transact(caller.businessId, async (tx) =>
    (await findStoredKeys(tx, [caller])).get(nameOf(caller)),
  )
  const expired = realClock.now().subtract({ hours: 24 * RETENTION_DAYS })
  if (stored !== undefined && !isBefore(stored.created_at, expired)) throw replyOf(stored, caller.idempotency)
}

async function findStoredKeys(tx: Tx, callers: readonly KeyedCaller[]): Promise<Map<string, StoredKey>> {
  const rows = await tx.query<StoredKey & { app_id: string; endpoint: string; key: string }>(sql`
    select k.app_id, k.endpoint, k.key, k.fingerprint, k.status, k.body, k.was_unknown, k.created_at
      from ${usedKeys(callers)}
      join idempotency_keys k on k.business_id = ${tx.businessId} and k.app_id = n.app_id and k.endpoint = n.endpoint
       and k.key = n.key`)
  return new Map(rows.map((row) => [JSON.stringify([row.app_id, row.endpoint, row.key]), row]))
}

function replyOf(stored: StoredKey | undefined, request: IdempotencyRequest): Error {
  if (stored === undefined) return platformErrors.idempotency_key_in_use()
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

interface NewReply {
  readonly id: IdempotencyId
  readonly status: number
  /** The whole envelope. */
  readonly body: string
}

const newReplies = rowsAs<NewReply>('n', {
  id: ['text', ({ id }) => id],
  status: ['integer', ({ status }) => status],
  body: ['json', ({ body }) => body],
})

/**
 * Stores replies in the transaction of their outcomes. The resolver replaces a 504 in this way, so that a replay shows the
 * current state.
 */
export async function storeReplies(tx: Tx, replies: readonly NewReply[]): Promise<void> {
  const rows = replies.flatMap((reply) => (reply.id?.split(' ') ?? []).map((id) => ({ ...reply, id })))
  if (rows.length === 0) return
  await tx.execute(sql`
    update idempotency_keys k
       set status = n.status, body = n.body, was_unknown = k.was_unknown or n.status = 504
      from ${newReplies(rows)}
     where k.business_id = ${tx.businessId} and k.id = n.id`)
}

export function storeReply(tx: Tx, id: IdempotencyId, status: number, body: string): Promise<void> {
  return storeReplies(tx, [{ id, status, body }])
}

function renderReply({ idempotency }: Caller, value: unknown): object {
  return idempotency?.render === undefined ? (value as object) : idempotency.render(value)
}

interface KeptValue {
  readonly id: IdempotencyId
  readonly caller: Caller
  readonly value: unknown
}

export function keepReplies(tx: Tx, kept: readonly KeptValue[]): Promise<void> {
  const rendered = kept.flatMap(({ id, caller, value }) =>
    id === null ? [] : [{ id, status: 200, body: successEnvelope(renderReply(caller, value)) }],
  )
  return storeReplies(tx, rendered)
}

export function keepReply(tx: Tx, id: IdempotencyId, caller: Caller, value: unknown): Promise<void> {
  return keepReplies(tx, [{ id, caller, value }])
}

/** As `storeReply`, but keeps a reply that is not 504. For outcomes that may come after the caller's reply. */
export async function storeLateReply(
  tx: Tx,
  id: string,
  { status, body }: Pick<NewReply, 'status' | 'body'>,
): Promise<void> {
  await tx.execute(sql`
    update idempotency_keys
       set status = ${status}, body = ${body}::json, was_unknown = was_unknown or status is not distinct from 504
     where business_id = ${tx.businessId} and id = ${id} and coalesce(status, 504) = 504`)
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
