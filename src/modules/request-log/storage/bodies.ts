import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { EntryWithBodies } from '../recording/entry.ts'

export type Bodies = readonly [request: string | null, response: string | null]

export interface BodiesPlace {
  readonly bodies_at: string | null
  readonly bodies_id: string | null
  readonly bodies_place: number | null
}

export interface StoredEntry extends EntryWithBodies {
  readonly bodies: Buffer | null
  readonly bodiesAt: Instant
  readonly bodiesId: string
  readonly bodiesPlace: number
}

export const PLACE_COLUMNS = sql`r.bodies_at::text as bodies_at, r.bodies_id, r.bodies_place`

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const DATE_LENGTH = 'YYYY-MM-DD'.length

/** Bundles the bodies of each day (UTC) on its own: days are dropped one by one. */
export function withBundledBodies(entries: readonly EntryWithBodies[]): StoredEntry[] {
  const days = Map.groupBy(entries, ({ createdAt }) => toRfc3339(createdAt).slice(0, DATE_LENGTH))
  return [...days.values()].flatMap((ofDay) => {
    const bodies = compressed(ofDay.map(({ requestBody, responseBody }) => [requestBody, responseBody]))
    const [first] = ofDay
    return ofDay.map((entry, place) => ({
      ...entry,
      bodies: place === 0 ? bodies : null,
      bodiesAt: first?.createdAt ?? entry.createdAt,
      bodiesId: first?.id ?? entry.id,
      bodiesPlace: place,
    }))
  })
}

export function compressed(bodies: readonly Bodies[]): Buffer {
  return zstdCompressSync(Buffer.from(JSON.stringify(bodies)), COMPRESSION)
}

export interface Bundle {
  readonly at: string
  readonly id: string
  readonly bodies: readonly Bodies[]
}

export function selectBundles(businessId: string, places: readonly BodiesPlace[]): Sql {
  const unique = [...new Map(places.map((place) => [place.bodies_id, place])).values()]
  return sql`
    select r.created_at::text as at, r.id, r.bodies from request_log r
     where r.business_id = ${businessId} and r.bodies is not null
       and (r.created_at, r.id) in (
           select unnest((select ${unique.map((place) => place.bodies_at)}::timestamptz[])),
                  unnest((select ${unique.map((place) => place.bodies_id)}::text[])))
     order by r.created_at, r.id`
}

export async function readBundles(
  query: (statement: Sql) => Promise<{ at: string; id: string; bodies: Buffer }[]>,
  statement: Sql,
): Promise<Map<string, Bundle>> {
  const rows = await query(statement)
  return new Map(
    rows.map(({ at, id, bodies }) => [
      id,
      { at, id, bodies: JSON.parse(zstdDecompressSync(bodies).toString()) as Bodies[] },
    ]),
  )
}

export function bodiesAt(bundles: ReadonlyMap<string, Bundle>, place: BodiesPlace): Bodies | undefined {
  return bundles.get(place.bodies_id ?? '')?.bodies[place.bodies_place ?? 0]
}
