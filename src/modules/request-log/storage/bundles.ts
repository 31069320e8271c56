import { hash } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { SECOND_MS } from '#kernel/time-units'
import { compress, decompress } from '#platform/compression/compression'
import { MAX_INTEGER } from '#platform/http/validation/schemas'
import type { Tx } from '#platform/postgres/database'
import type { NewEntry } from '../model/entry.ts'
import { idempotencyKey, objectKey, requestKey } from './keys.ts'
import { isWhereItsIdSays } from './times.ts'

export type Bodies = readonly [request: string | null, response: string | null]

/** Entries of one caller and one second that are written together, in one row. */
export interface NewBundle {
  readonly id: string
  readonly second: Instant
  readonly entries: readonly [NewEntry, ...NewEntry[]]
}

export function bundled(entries: readonly NewEntry[]): NewBundle[] {
  const ofRows = Map.groupBy(entries, (entry) =>
    JSON.stringify([secondOf(entry), entry.actorId, entry.appId, entry.ipAddress, entry.userAgent]),
  )
  return [...ofRows.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [
          {
            id: newId('rql'),
            second: Temporal.Instant.fromEpochMilliseconds(secondOf(first)),
            entries: [first, ...others] as const,
          },
        ],
  )
}

function secondOf(entry: NewEntry): number {
  return entry.createdAt.epochMilliseconds - afterMs(entry)
}

function afterMs({ createdAt }: NewEntry): number {
  return createdAt.epochMilliseconds % SECOND_MS
}

function durationUs({ durationMs }: NewEntry): number {
  return Math.min(Math.round(durationMs * 1_000), MAX_INTEGER)
}

/** Leaves out what the entry shares with the first one, and what most entries have. */
function shortened(entry: NewEntry) {
  return {
    after_ms: afterMs(entry),
    request_id: entry.requestId,
    method: entry.method,
    path: entry.path === entry.route ? undefined : entry.path,
    query: entry.query || undefined,
    route: entry.route,
    status: entry.status,
    reason: entry.reason ?? undefined,
    duration_us: durationUs(entry),
    idempotency_key: entry.idempotencyKey ?? undefined,
    is_replayed: entry.isReplayed || undefined,
    object_ids: entry.objectIds || undefined,
  }
}

export async function insertBundles(tx: Tx, bundles: readonly NewBundle[]): Promise<void> {
  await Promise.all([
    ...bundles.map((bundle) => insertBundle(tx, bundle)),
    ...bundles.map((bundle) => insertChosenIds(tx, bundle)),
  ])
}

async function insertBundle(tx: Tx, { id, second, entries }: NewBundle): Promise<void> {
  const [first, ...others] = entries
  const keys = [...new Set(entries.flatMap(keysOf))].map((key) => String(hashOf(key)))
  const bodies = compressed(entries.map(({ requestBody, responseBody }) => [requestBody, responseBody]))
  await tx.execute(sql`
    insert into request_log (business_id, created_at, id, after_ms, request_id, method, path, query, route, status, reason,
                             duration_us, actor_type, actor_id, app_id, ip_address, user_agent, idempotency_key, is_replayed,
                             object_ids, others, keys, bodies)
    values (${tx.businessId}, ${toRfc3339(second)}::timestamptz, ${id}, ${afterMs(first)}, ${first.requestId}, ${first.method},
            ${first.path}, ${first.query}, ${first.route}, ${first.status}, ${first.reason}, ${durationUs(first)},
            ${first.actorType}, ${first.actorId}, ${first.appId}, ${first.ipAddress}, ${first.userAgent},
            ${first.idempotencyKey}, ${first.isReplayed}, ${first.objectIds},
            ${others.length === 0 ? null : JSON.stringify(others.map(shortened))}::json,
            ${keys.length === 0 ? null : keys}::integer[], ${bodies}::bytea)`)
}

function keysOf({ idempotencyKey: key, objectIds }: NewEntry): string[] {
  const keys = objectIds === '' ? [] : objectIds.split(' ').map(objectKey)
  return key === null ? keys : [...keys, idempotencyKey(key)]
}

/** Hashes as `quittance_requests_with` does. */
function hashOf(key: string): number {
  return hash('sha256', key, 'buffer').readInt32BE(0)
}

async function insertChosenIds(tx: Tx, { id, second, entries }: NewBundle): Promise<void> {
  const chosen = entries.filter((entry) => !isWhereItsIdSays(entry)).map((entry) => entry.requestId)
  if (chosen.length === 0) return
  await tx.execute(sql`
    insert into request_log_keys (business_id, key, created_at, id)
    select ${tx.businessId}, key, ${toRfc3339(second)}::timestamptz, ${id}
      from unnest((select ${[...new Set(chosen)].map(requestKey)}::text[])) n (key)`)
}

export function compressed(bodies: readonly Bodies[]): Buffer {
  return compress(Buffer.from(JSON.stringify(bodies)))
}

export interface BodiesPlace {
  readonly bodies_at: string
  readonly bodies_id: string
  readonly bodies_place: number
}

export interface Bundle {
  readonly at: string
  readonly id: string
  readonly bodies: readonly Bodies[]
  readonly others: readonly Readonly<Record<string, unknown>>[]
}

export function selectBundles(businessId: string, places: readonly BodiesPlace[]): Sql {
  const unique = [...new Map(places.map((place) => [place.bodies_id, place])).values()]
  return sql`
    select b.created_at::text as at, b.id, b.bodies, b.others::text as others from request_log b
     where b.business_id = ${businessId} and b.bodies is not null
       and (b.created_at, b.id) in (
           select unnest((select ${unique.map((place) => place.bodies_at)}::timestamptz[])),
                  unnest((select ${unique.map((place) => place.bodies_id)}::text[])))
     order by b.created_at, b.id`
}

interface StoredBundle extends Pick<Bundle, 'at' | 'id'> {
  readonly bodies: Buffer
  readonly others: string | null
}

export async function readBundles(
  query: (statement: Sql) => Promise<StoredBundle[]>,
  statement: Sql,
): Promise<Map<string, Bundle>> {
  const rows = await query(statement)
  return new Map(
    rows.map(({ at, id, bodies, others }) => [
      id,
      {
        at,
        id,
        bodies: JSON.parse(decompress(bodies).toString()) as Bodies[],
        others: JSON.parse(others ?? '[]') as Bundle['others'],
      },
    ]),
  )
}

export function bodiesAt(bundles: ReadonlyMap<string, Bundle>, place: BodiesPlace): Bodies | undefined {
  return bundles.get(place.bodies_id)?.bodies[place.bodies_place]
}
