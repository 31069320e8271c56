import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, isAfter, isBefore, toRfc3339 } from '#kernel/clock'
import { msOfId } from '#kernel/ids'
import type { FilterNode } from '#platform/filter/filter'
import { type FilterFields, startsWith } from '#platform/filter/filter-sql'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import { codeOf } from '#platform/thrown'
import type { Entry, EntryWithBodies } from '../recording/entry.ts'
import {
  bodiesAt,
  type BodiesPlace,
  PLACE_COLUMNS,
  readBundles,
  selectBundles,
  type StoredEntry,
  withBundledBodies,
} from './bodies.ts'

const CHECK_VIOLATION = '23514'

export function isWithoutPartition(error: unknown): boolean {
  return codeOf(error) === CHECK_VIOLATION
}

/** Classes 22 (data exception) and 23 (integrity constraint violation): another attempt has the same end. */
export function isRefusedData(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error) ?? '')
}

const entryRows = rowsAs<StoredEntry>('n', {
  created_at: ['timestamptz', ({ createdAt }) => toRfc3339(createdAt)],
  id: ['text', ({ id }) => id],
  request_id: ['text', ({ requestId }) => requestId],
  method: ['text', ({ method }) => method],
  path: ['text', ({ path }) => path],
  query: ['text', ({ query }) => query],
  route: ['text', ({ route }) => route],
  status: ['integer', ({ status }) => status],
  reason: ['text', ({ reason }) => reason],
  duration_us: ['integer', ({ durationMs }) => Math.min(Math.round(durationMs * 1_000), 2_147_483_647)],
  actor_type: ['text', ({ actorType }) => actorType],
  actor_id: ['text', ({ actorId }) => actorId],
  app_id: ['text', ({ appId }) => appId],
  ip_address: ['text', ({ ipAddress }) => ipAddress],
  user_agent: ['text', ({ userAgent }) => userAgent],
  idempotency_key: ['text', ({ idempotencyKey }) => idempotencyKey],
  is_replayed: ['boolean', ({ isReplayed }) => isReplayed],
  object_ids: ['text', ({ objectIds }) => objectIds],
  bodies: ['bytea', ({ bodies }) => bodies],
  bodies_at: ['timestamptz', ({ bodiesAt: at }) => toRfc3339(at)],
  bodies_id: ['text', ({ bodiesId }) => bodiesId],
  bodies_place: ['integer', ({ bodiesPlace }) => bodiesPlace],
})

interface Key {
  readonly key: string
  readonly createdAt: Instant
  readonly id: string
}

const keyRows = rowsAs<Key>('n', {
  key: ['text', ({ key }) => key],
  created_at: ['timestamptz', ({ createdAt }) => toRfc3339(createdAt)],
  id: ['text', ({ id }) => id],
})

const REQUEST = 'r:'
const requestKey = (requestId: string) => `${REQUEST}${requestId}`
const idempotencyKey = (key: string) => `i:${key}`
const objectKey = (objectId: string) => `o:${objectId}`

function keysOf(entry: Entry): Key[] {
  const { id, createdAt, requestId, idempotencyKey: key, objectIds } = entry
  const keys = isWhereItsIdSays(entry) ? [] : [requestKey(requestId)]
  if (key !== null) keys.push(idempotencyKey(key))
  if (objectIds !== '') keys.push(...objectIds.split(' ').map(objectKey))
  return keys.map((text) => ({ key: text, createdAt, id }))
}

function isWhereItsIdSays({ requestId, createdAt }: Entry): boolean {
  const at = timesOf(requestId)
  return at !== undefined && requestId.length === ID_LENGTH && isBetween(createdAt, at)
}

function isBetween(at: Instant, { from, until }: Times): boolean {
  return !isBefore(at, from) && !isAfter(at, until)
}

interface Times {
  readonly from: Instant
  readonly until: Instant
}

const PREFIX = 'req_'
const OWN_ID = /^req_[0-9a-hjkmnp-tv-z]{0,26}$/
const ID_LENGTH = PREFIX.length + 26
const TIME_LENGTH = PREFIX.length + 10
/** How far the time in a request's id may be from the time of its record. */
const MAX_DEVIATION_MS = 1_000
const LAST_MS = Temporal.Instant.from('9999-01-01T00:00:00Z').epochMilliseconds

function timesOf(beginning: string): Times | undefined {
  const start = PREFIX.startsWith(beginning) ? PREFIX : beginning
  if (!OWN_ID.test(start)) return undefined
  const [first = 0, last = 0] = ['0', 'z'].map((filling) =>
    Math.min(msOfId(start.padEnd(TIME_LENGTH, filling)), LAST_MS),
  )
  return {
    from: Temporal.Instant.fromEpochMilliseconds(first - MAX_DEVIATION_MS),
    until: Temporal.Instant.fromEpochMilliseconds(last + MAX_DEVIATION_MS),
  }
}

export async function insertEntries(tx: Tx, entries: readonly EntryWithBodies[]): Promise<void> {
  const keys = entries.flatMap(keysOf)
  await Promise.all([
    tx.execute(sql`
      insert into request_log (business_id, created_at, id, request_id, method, path, query, route, status, reason, duration_us,
                               actor_type, actor_id, app_id, ip_address, user_agent, idempotency_key, is_replayed, object_ids,
                               bodies, bodies_at, bodies_id, bodies_place)
      select ${tx.businessId}, n.created_at, n.id, n.request_id, n.method, n.path, n.query, n.route, n.status, n.reason,
             n.duration_us, n.actor_type, n.actor_id, n.app_id, n.ip_address, n.user_agent, n.idempotency_key, n.is_replayed,
             n.object_ids, n.bodies, n.bodies_at, n.bodies_id, n.bodies_place
        from ${entryRows(withBundledBodies(entries))}`),
    keys.length > 0 &&
      tx.execute(sql`
        insert into request_log_keys (business_id, key, created_at, id)
        select ${tx.businessId}, n.key, n.created_at, n.id from ${keyRows(keys)}`),
  ])
}

const COLUMNS = sql`r.id, r.created_at as "createdAt", r.request_id as "requestId", r.method, r.path, r.query, r.route, r.status,
  r.reason, r.duration_us / 1000.0::double precision as "durationMs", r.actor_type as "actorType", r.actor_id as "actorId",
  r.app_id as "appId", r.ip_address as "ipAddress", r.user_agent as "userAgent", r.idempotency_key as "idempotencyKey",
  r.is_replayed as "isReplayed", r.object_ids as "objectIds"`

export function listEntries(
  tx: Tx,
  condition: Sql,
  page: PageRequest,
  key: string | undefined,
): Promise<Entry[]> {
  if (key !== undefined) {
    const end = rowsOfPage(page, sql`k.created_at`, sql`k.id`)
    return tx.query<Entry>(sql`
      select ${COLUMNS} from ${entriesOf(tx.businessId, key)} and ${condition} ${end}`)
  }
  return tx.query<Entry>(sql`
    select ${COLUMNS} from request_log r
     where r.business_id = ${tx.businessId} and ${condition}
     ${rowsOfPage(page, sql`r.created_at`, sql`r.id`)}`)
}

export async function findEntry(tx: Tx, requestId: string): Promise<EntryWithBodies | undefined> {
  const [entry] = await tx.query<EntryWithBodies & BodiesPlace>(sql`
    select ${COLUMNS}, ${PLACE_COLUMNS}, convert_from(r.request_body, 'UTF8') as "requestBody",
           convert_from(r.response_body, 'UTF8') as "responseBody"
      from ${entriesOf(tx.businessId, requestKey(requestId))}
     order by k.created_at desc, k.id desc limit 1`)
  if (entry === undefined || entry.bodies_id === null) return entry
  const bundles = await readBundles((statement) => tx.query(statement), selectBundles(tx.businessId, [entry]))
  const [requestBody, responseBody] = bodiesAt(bundles, entry) ?? [null, null]
  return { ...entry, requestBody, responseBody }
}

/** Exactly this id first, and then those that it begins, from the greatest on: made by this service, they are the newest. */
export async function findBeginning(tx: Tx, requestId: string, limit: number): Promise<Entry[]> {
  const start = requestKey(requestId)
  const keys = sql`select k.created_at, k.id from request_log_keys k where k.business_id = ${tx.businessId}`
  const times = timesOf(requestId)
  const byTime =
    times === undefined
      ? empty
      : sql`union (${placesAt(tx.businessId, times)} and ${startsWith(sql`r.request_id`, requestId)}
                   order by r.created_at desc, r.id desc limit ${limit})`
  const entries = await tx.query<Entry>(sql`
    select ${COLUMNS}
      from ((${keys} and k.key = ${start} order by k.created_at desc, k.id desc limit 1)
            union
            (${keys} and ${startsWith(sql`k.key`, start)} and k.key <> ${start} order by k.key desc limit ${limit})
            ${byTime}) k
      ${entryOfPlace(tx.businessId)}`)
  const [exact = [], others = []] = [true, false].map((isExact) =>
    entries.filter((entry) => (entry.requestId === requestId) === isExact).sort(byGreatestId),
  )
  return [...exact, ...others]
}

function byGreatestId(a: Entry, b: Entry): number {
  if (a.requestId === b.requestId) return Temporal.Instant.compare(b.createdAt, a.createdAt)
  return a.requestId < b.requestId ? 1 : -1
}

function entriesOf(businessId: string, key: string): Sql {
  const times = key.startsWith(REQUEST) ? timesOf(key.slice(REQUEST.length)) : undefined
  const byKey = sql`select k.created_at, k.id from request_log_keys k
                     where k.business_id = ${businessId} and k.key = ${key}`
  const places =
    times === undefined
      ? byKey
      : sql`${byKey} union ${placesAt(businessId, times)} and r.request_id = ${key.slice(REQUEST.length)}`
  return sql`(${places}) k ${entryOfPlace(businessId)} where true`
}

function placesAt(businessId: string, { from, until }: Times): Sql {
  return sql`select r.created_at, r.id from request_log r
              where r.business_id = ${businessId}
                and r.created_at between ${toRfc3339(from)}::timestamptz and ${toRfc3339(until)}::timestamptz`
}

/**
 * `offset 0` keeps the planner from joining in another way: PostgreSQL 15 read all entries of the tenant while it had no
 * statistics of the day.
 */
function entryOfPlace(businessId: string): Sql {
  return sql`cross join lateral (select * from request_log e
                       where e.business_id = ${businessId} and e.created_at = k.created_at and e.id = k.id offset 0) r`
}

function hasKey(businessId: string, key: string): Sql {
  return sql`exists (select from request_log_keys k
                      where k.business_id = ${businessId} and k.key = ${key}
                        and k.created_at = r.created_at and k.id = r.id)`
}

const KEYS: Readonly<Record<string, (value: string) => string>> = {
  request_id: requestKey,
  idempotency_key: idempotencyKey,
  object_id: objectKey,
}

export function keyOf(filter: FilterNode): string | undefined {
  if (filter.kind === 'and') return filter.nodes.map(keyOf).find((key) => key !== undefined)
  if (filter.kind !== 'comparison' || (filter.comparator !== '=' && filter.comparator !== ':'))
    return undefined
  return KEYS[filter.field]?.(filter.value)
}

export function requestFields(businessId: string): FilterFields {
  return {
    request_id: {
      type: 'key',
      matches: (value) => sql`(r.request_id = ${value})`,
      isPresent: sql`true`,
    },
    method: { type: 'text', column: sql`r.method` },
    path: { type: 'text', column: sql`r.path` },
    route: { type: 'text', column: sql`r.route` },
    status: { type: 'decimal', column: sql`r.status` },
    reason: { type: 'text', column: sql`r.reason` },
    duration_ms: { type: 'decimal', column: sql`(r.duration_us / 1000.0)` },
    actor_type: { type: 'text', column: sql`r.actor_type` },
    actor_id: { type: 'text', column: sql`r.actor_id` },
    app_id: { type: 'text', column: sql`r.app_id` },
    ip_address: { type: 'text', column: sql`r.ip_address` },
    idempotency_key: {
      type: 'key',
      matches: (value) => hasKey(businessId, idempotencyKey(value)),
      isPresent: sql`(r.idempotency_key is not null)`,
    },
    object_id: {
      type: 'key',
      matches: (value) => hasKey(businessId, objectKey(value)),
      isPresent: sql`(r.object_ids <> '')`,
    },
    created_at: { type: 'time', column: sql`r.created_at` },
  }
}
