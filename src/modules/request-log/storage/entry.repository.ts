import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { FilterNode } from '#platform/filter/filter'
import { type FilterFields, startsWith } from '#platform/filter/filter-sql'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import { codeOf } from '#platform/thrown'
import type { Entry, EntryWithBodies } from '../recording/entry.ts'

const CHECK_VIOLATION = '23514'

export function isWithoutPartition(error: unknown): boolean {
  return codeOf(error) === CHECK_VIOLATION
}

/** Classes 22 (data exception) and 23 (integrity constraint violation): another attempt has the same end. */
export function isRefusedData(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error) ?? '')
}

const entryRows = rowsAs<EntryWithBodies>('n', {
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
  request_body: ['bytea', ({ requestBody }) => requestBody && Buffer.from(requestBody)],
  response_body: ['bytea', ({ responseBody }) => responseBody && Buffer.from(responseBody)],
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

const requestKey = (requestId: string) => `r:${requestId}`
const idempotencyKey = (key: string) => `i:${key}`
const objectKey = (objectId: string) => `o:${objectId}`

function keysOf({ id, createdAt, requestId, idempotencyKey: key, objectIds }: Entry): Key[] {
  const keys = [requestKey(requestId)]
  if (key !== null) keys.push(idempotencyKey(key))
  if (objectIds !== '') keys.push(...objectIds.split(' ').map(objectKey))
  return keys.map((text) => ({ key: text, createdAt, id }))
}

export async function insertEntries(tx: Tx, entries: readonly EntryWithBodies[]): Promise<void> {
  await Promise.all([
    tx.execute(sql`
      insert into request_log (business_id, created_at, id, request_id, method, path, query, route, status, reason, duration_us,
                               actor_type, actor_id, app_id, ip_address, user_agent, idempotency_key, is_replayed, object_ids,
                               request_body, response_body)
      select ${tx.businessId}, n.created_at, n.id, n.request_id, n.method, n.path, n.query, n.route, n.status, n.reason,
             n.duration_us, n.actor_type, n.actor_id, n.app_id, n.ip_address, n.user_agent, n.idempotency_key, n.is_replayed,
             n.object_ids, n.request_body, n.response_body
        from ${entryRows(entries)}`),
    tx.execute(sql`
      insert into request_log_keys (business_id, key, created_at, id)
      select ${tx.businessId}, n.key, n.created_at, n.id from ${keyRows(entries.flatMap(keysOf))}`),
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
  const [entry] = await tx.query<EntryWithBodies>(sql`
    select ${COLUMNS}, convert_from(r.request_body, 'UTF8') as "requestBody",
           convert_from(r.response_body, 'UTF8') as "responseBody"
      from ${entriesOf(tx.businessId, requestKey(requestId))}
     order by k.created_at desc, k.id desc limit 1`)
  return entry
}

/** Exactly this id first, and then those that it begins, from the greatest on: made by this service, they are the newest. */
export function findBeginning(tx: Tx, requestId: string, limit: number): Promise<Entry[]> {
  const start = requestKey(requestId)
  const keys = sql`select k.key, k.created_at, k.id from request_log_keys k where k.business_id = ${tx.businessId}`
  return tx.query<Entry>(sql`
    select ${COLUMNS}
      from ((${keys} and k.key = ${start} order by k.created_at desc, k.id desc limit 1)
            union all
            (${keys} and ${startsWith(sql`k.key`, start)} and k.key <> ${start} order by k.key desc limit ${limit})) k
      cross join lateral (select * from request_log e
                           where e.business_id = ${tx.businessId} and e.created_at = k.created_at and e.id = k.id offset 0) r`)
}

/**
 * Goes from the key to its entries, newest first. `offset 0` keeps the planner from joining in another way: PostgreSQL 15 read
 * all entries of the tenant while it had no statistics of the day.
 */
function entriesOf(businessId: string, key: string): Sql {
  return sql`request_log_keys k
      cross join lateral (select * from request_log e
                           where e.business_id = ${businessId} and e.created_at = k.created_at and e.id = k.id offset 0) r
     where k.business_id = ${businessId} and k.key = ${key}`
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
      matches: (value) => hasKey(businessId, requestKey(value)),
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
