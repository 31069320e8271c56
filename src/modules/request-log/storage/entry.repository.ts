import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { type FilterFields, startsWith } from '#platform/filter/filter-sql'
import type { PageRequest } from '#platform/http/validation/list'
import type { Tx } from '#platform/postgres/database'
import { codeOf } from '#platform/thrown'
import type { Entry, EntryWithBodies } from '../model/entry.ts'
import { bodiesAt, type BodiesPlace, readBundles, selectBundles } from './bundles.ts'
import { type LookUp, requestKey } from './keys.ts'
import { type Times, timesOf } from './times.ts'

const CHECK_VIOLATION = '23514'

export function isWithoutPartition(error: unknown): boolean {
  return codeOf(error) === CHECK_VIOLATION
}

/** Classes 22 (data exception) and 23 (integrity constraint violation): another attempt would fail, too. */
export function isRefusedData(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error) ?? '')
}

const MEMBERS = sql`after_ms smallint, request_id text collate "C", method text collate "C", path text collate "C",
  query text collate "C", route text collate "C", status smallint, reason text collate "C", duration_us integer,
  idempotency_key text collate "C", is_replayed boolean, object_ids text collate "C"`

/** The requests `r` of the row `b`. What was written before 0036 has one request, and its bodies in another row or in columns. */
const REQUESTS_OF_ROW = sql`cross join lateral (
  select b.id, b.created_at + b.after_ms * interval '1 millisecond' as created_at, b.request_id, b.method, b.path, b.query,
         b.route, b.status, b.reason, b.duration_us, b.actor_type, b.actor_id, b.app_id, b.ip_address, b.user_agent,
         b.idempotency_key, b.is_replayed, b.object_ids, coalesce(b.bodies_at, b.created_at) as bodies_at,
         coalesce(b.bodies_id, b.id) as bodies_id, coalesce(b.bodies_place, 0) as bodies_place, b.request_body, b.response_body
  union all
  select b.id || '.' || lpad(o.place::text, 2, '0'), b.created_at + o.after_ms * interval '1 millisecond', o.request_id,
         o.method, coalesce(o.path, o.route), coalesce(o.query, ''), o.route, o.status, o.reason, o.duration_us, b.actor_type,
         b.actor_id, b.app_id, b.ip_address, b.user_agent, o.idempotency_key, coalesce(o.is_replayed, false),
         coalesce(o.object_ids, ''), b.created_at, b.id, o.place::integer, null, null
    from rows from (json_to_recordset(b.others) as (${MEMBERS})) with ordinality
         as o (after_ms, request_id, method, path, query, route, status, reason, duration_us, idempotency_key, is_replayed,
               object_ids, place)) r`

const COLUMNS = sql`r.id, r.created_at as "createdAt", r.request_id as "requestId", r.method, r.path, r.query, r.route, r.status,
  r.reason, r.duration_us / 1000.0::double precision as "durationMs", r.actor_type as "actorType", r.actor_id as "actorId",
  r.app_id as "appId", r.ip_address as "ipAddress", r.user_agent as "userAgent", r.idempotency_key as "idempotencyKey",
  r.is_replayed as "isReplayed", r.object_ids as "objectIds"`

export const PLACE_COLUMNS = sql`r.bodies_at::text as bodies_at, r.bodies_id, r.bodies_place`

const NEWEST = sql`order by b.created_at desc, r.created_at desc, r.id desc`

/** Rows that are looked up at once. */
const ROWS = 500

export interface RowPlace {
  readonly at: string
  readonly id: string
}

export async function listEntries(
  tx: Tx,
  condition: Sql,
  page: PageRequest,
  lookUp: LookUp | undefined,
): Promise<Entry[]> {
  const { offset, limit, after } = page
  const onlyAfter = after === undefined ? sql`true` : isAfterKey(toRfc3339(after.at), after.id)
  const rest = sql`${condition} and ${onlyAfter} ${NEWEST} limit ${limit + 1 + offset}`
  if (lookUp === undefined)
    return tx.query<Entry>(sql`
      select ${COLUMNS} from request_log b ${REQUESTS_OF_ROW}
       where b.business_id = ${tx.businessId} and ${rest} offset ${offset}`)
  if (lookUp.kind === 'request')
    return tx.query<Entry>(sql`
      select ${COLUMNS} from ${rowsOfRequest(tx.businessId, lookUp.requestId)} where ${rest} offset ${offset}`)
  const found: Entry[] = []
  let before = after === undefined ? 'infinity' : toRfc3339(after.at.add({ milliseconds: 1 }))
  for (;;) {
    const places = await rowsWith(tx, [lookUp.key], before, ROWS)
    found.push(
      ...(await tx.query<Entry>(sql`select ${COLUMNS} from ${rowsAt(tx.businessId, places)} where ${rest}`)),
    )
    before = places.at(-1)?.at ?? ''
    if (places.length < ROWS || found.length > offset + limit) return found.slice(offset, offset + limit + 1)
  }
}

function isAfterKey(at: string, id: string): Sql {
  return sql`(b.created_at <= ${at}::timestamptz and (r.created_at, r.id) < (${at}::timestamptz, ${id}))`
}

/** May return more than `most`: all rows of the oldest second are among them. */
export function rowsWith(tx: Tx, keys: readonly string[], before: string, most: number): Promise<RowPlace[]> {
  return tx.query<RowPlace>(sql`
    select created_at::text as at, id
      from quittance_requests_with(${[...keys]}::text[], ${before}::timestamptz, ${most})`)
}

export function rowsAt(businessId: string, places: readonly RowPlace[]): Sql {
  return fenced(
    businessId,
    sql`select unnest((select ${places.map(({ at }) => at)}::timestamptz[])) as created_at,
               unnest((select ${places.map(({ id }) => id)}::text[])) as id`,
  )
}

function rowsOfRequest(businessId: string, requestId: string): Sql {
  const byKey = sql`select k.created_at, k.id from request_log_keys k
                     where k.business_id = ${businessId} and k.key = ${requestKey(requestId)}`
  const times = timesOf(requestId)
  const byTime =
    times === undefined
      ? empty
      : sql`union select b.created_at, b.id from request_log b
                   where b.business_id = ${businessId} and ${isBetween(times)}`
  return fenced(businessId, sql`${byKey} ${byTime}`)
}

function isBetween({ from, until }: Times): Sql {
  return sql`b.created_at between ${toRfc3339(secondBefore(from))}::timestamptz and ${toRfc3339(until)}::timestamptz`
}

function secondBefore(instant: Instant): Instant {
  return instant.subtract({ seconds: 1 })
}

/**
 * `offset 0` keeps the planner from joining in another way: PostgreSQL 15 read all entries of the tenant while it had no
 * statistics of the day.
 */
function fenced(businessId: string, places: Sql): Sql {
  return sql`(${places}) k
    cross join lateral (select * from request_log e
                         where e.business_id = ${businessId} and e.created_at = k.created_at and e.id = k.id offset 0) b
    ${REQUESTS_OF_ROW}`
}

export async function findEntry(tx: Tx, requestId: string): Promise<EntryWithBodies | undefined> {
  const [entry] = await tx.query<EntryWithBodies & BodiesPlace>(sql`
    select ${COLUMNS}, ${PLACE_COLUMNS}, convert_from(r.request_body, 'UTF8') as "requestBody",
           convert_from(r.response_body, 'UTF8') as "responseBody"
      from ${rowsOfRequest(tx.businessId, requestId)}
     where r.request_id = ${requestId} ${NEWEST} limit 1`)
  if (entry === undefined) return undefined
  const bundles = await readBundles((statement) => tx.query(statement), selectBundles(tx.businessId, [entry]))
  const [requestBody, responseBody] = bodiesAt(bundles, entry) ?? [entry.requestBody, entry.responseBody]
  return { ...entry, requestBody, responseBody }
}

/**
 * Returns exactly this id first, then the ids that it begins, from the greatest on: those that this service made are
 * the newest.
 */
export async function findBeginning(tx: Tx, requestId: string, limit: number): Promise<Entry[]> {
  const start = requestKey(requestId)
  const keys = sql`select k.created_at, k.id from request_log_keys k where k.business_id = ${tx.businessId}`
  const times = timesOf(requestId)
  const begins = startsWith(sql`r.request_id`, requestId)
  const [chosen, own] = await Promise.all([
    tx.query<Entry>(sql`
      select ${COLUMNS}
        from ${fenced(
          tx.businessId,
          sql`(${keys} and k.key = ${start} order by k.created_at desc, k.id desc limit 1)
              union
              (${keys} and ${startsWith(sql`k.key`, start)} and k.key <> ${start} order by k.key desc limit ${limit})`,
        )}
       where ${begins}`),
    times === undefined
      ? []
      : tx.query<Entry>(sql`
          select ${COLUMNS} from request_log b ${REQUESTS_OF_ROW}
           where b.business_id = ${tx.businessId} and ${isBetween(times)} and ${begins} ${NEWEST} limit ${limit}`),
  ])
  const entries = [...new Map([...chosen, ...own].map((entry) => [entry.id, entry])).values()]
  const [exact = [], others = []] = [true, false].map((isExact) =>
    entries.filter((entry) => (entry.requestId === requestId) === isExact).sort(byGreatestId),
  )
  return [...exact, ...others]
}

function byGreatestId(a: Entry, b: Entry): number {
  if (a.requestId === b.requestId) return Temporal.Instant.compare(b.createdAt, a.createdAt)
  return a.requestId < b.requestId ? 1 : -1
}

export const REQUEST_FIELDS: FilterFields = {
  request_id: { type: 'key', matches: (value) => sql`(r.request_id = ${value})`, isPresent: sql`true` },
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
    matches: (value) => sql`(r.idempotency_key = ${value})`,
    isPresent: sql`(r.idempotency_key is not null)`,
  },
  object_id: {
    type: 'key',
    matches: (value) => sql`(${value} = any(string_to_array(r.object_ids, ' ')))`,
    isPresent: sql`(r.object_ids <> '')`,
  },
  created_at: { type: 'time', column: sql`r.created_at`, second: sql`b.created_at` },
}
