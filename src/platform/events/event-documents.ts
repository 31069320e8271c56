import sql, { empty, type Sql } from 'sql-template-tag'
import { firstIdAt, newId } from '#kernel/ids'
import { compress, decompress } from '#platform/compression/compression'
import type { Database, Tx } from '#platform/postgres/database'
import type { PartitionedTable } from '#platform/postgres/partitions/partitions'
import { isOneOf, rowsAs } from '#platform/postgres/rows'

/**
 * An event's document is stored in its own row, or compressed with others in a bundle (docs/decisions/event-bundles): the
 * events of a billing run are nearly alike, and together take a tenth of the space. Bundles can be dropped by the month.
 */
export interface StoredDocument {
  readonly data: string | null
  readonly bundle_id: string | null
  readonly place: number | null
}

export const DOCUMENT_COLUMNS = sql`data, bundle_id, place`

export const MIN_TO_BUNDLE = 2
/** A bundle is opened whole to read one document, in 0.15 ms (docs/decisions/event-bundles). */
const MAX_PER_BUNDLE = 64
const SEPARATOR = '\n'
const BUNDLE = 'evb'

export const EVENT_BUNDLES: Omit<PartitionedTable, 'keepDays'> = {
  name: 'event_bundles',
  period: 'month',
  boundOf: (start) => firstIdAt(BUNDLE, start.epochMilliseconds),
}

interface Bundle {
  readonly id: string
  readonly documents: Buffer
}

interface CountedBundle extends Bundle {
  readonly count: number
}

const newBundles = rowsAs<CountedBundle>('input', {
  id: ['text', (bundle) => bundle.id],
  documents: ['bytea', (bundle) => bundle.documents],
  count: ['integer', (bundle) => bundle.count],
})

export function documentsToStore<Event extends { readonly data: object }>(
  { businessId }: Tx,
  events: readonly Event[],
  minToBundle: number,
): { documents: (readonly [Event, StoredDocument])[]; insertBundles: Sql } {
  if (events.length < minToBundle) {
    const documents = events.map(
      (event) => [event, { data: JSON.stringify(event.data), bundle_id: null, place: null }] as const,
    )
    return { documents, insertBundles: empty }
  }
  const bundles = Array.from({ length: Math.ceil(events.length / MAX_PER_BUNDLE) }, (_, index) =>
    bundleOf(events.slice(index * MAX_PER_BUNDLE, (index + 1) * MAX_PER_BUNDLE)),
  )
  const insertBundles = sql`
    with bundled as (
      insert into event_bundles (business_id, id, documents, count)
      select ${businessId}, id, documents, count from ${newBundles(bundles)})`
  const documents = bundles.flatMap(({ id, events: bundled }) =>
    bundled.map((event, place) => [event, { data: null, bundle_id: id, place }] as const),
  )
  return { documents, insertBundles }
}

/** Reused, because the garbage collector would be slow to free a new buffer of 100 kB for each bundle. */
let lines = Buffer.allocUnsafeSlow(256 * 1024)
/** A UTF-16 code unit is at most three bytes of UTF-8. */
const MAX_UTF8_BYTES = 3

function bundleOf<Event extends { readonly data: object }>(events: readonly Event[]) {
  let end = 0
  for (const { data } of events) {
    const line = JSON.stringify(data)
    const needed = end + line.length * MAX_UTF8_BYTES + SEPARATOR.length
    if (needed > lines.length) lines = Buffer.concat([lines], needed * 2)
    end += lines.write(line, end)
    end += lines.write(SEPARATOR, end)
  }
  const documents = compress(lines.subarray(0, end))
  return { id: newId(BUNDLE), events, documents, count: events.length }
}

/** `data` is JSON text, or null where a bundle is damaged or was dropped: other events must not fail with it. */
export async function withDocuments<Row extends StoredDocument>(
  businessId: string,
  events: readonly Row[],
  query: (statement: Sql) => Promise<Bundle[]>,
): Promise<(Row & EventDocument)[]> {
  const ids = [...new Set(events.flatMap((event) => event.bundle_id ?? []))]
  const rows =
    ids.length === 0
      ? []
      : await query(sql`
          select id, documents from event_bundles
           where business_id = ${businessId} and ${isOneOf(sql`id`, ids)}`)
  const bundles = new Map(rows.map(({ id, documents }) => [id, documentsOf(documents)]))
  return events.map((event) => ({
    ...event,
    data: event.data ?? bundles.get(event.bundle_id ?? '')?.[event.place ?? 0] ?? null,
  }))
}

export interface EventDocument {
  readonly data: string | null
}

export function isReadable<Event extends EventDocument>(
  event: Event,
): event is Event & { readonly data: string } {
  return event.data !== null
}

function documentsOf(bundle: Buffer): string[] {
  try {
    return decompress(bundle).toString().split(SEPARATOR).slice(0, -1)
  } catch {
    return []
  }
}

/** Each is opened and compressed anew (0.5 ms), which holds up everybody else's requests. */
const REWRITTEN_AT_ONCE = 16

const rewritten = rowsAs<Bundle>('input', {
  id: ['text', ({ id }) => id],
  documents: ['bytea', ({ documents }) => documents],
})

export async function rewriteBundles(
  tx: Tx,
  ids: readonly string[],
  rewrite: (document: string, place: number, bundleId: string) => string,
): Promise<void> {
  const sorted = ids.toSorted()
  for (let start = 0; start < sorted.length; start += REWRITTEN_AT_ONCE) {
    const some = sorted.slice(start, start + REWRITTEN_AT_ONCE)
    const bundles = await tx.query<Bundle>(sql`
      select id, documents from event_bundles
       where business_id = ${tx.businessId} and ${isOneOf(sql`id`, some)} order by id for update`)
    const changed = bundles.map(({ id, documents }) => {
      const written = documentsOf(documents).map(
        (document, place) => rewrite(document, place, id) + SEPARATOR,
      )
      return { id, documents: compress(Buffer.from(written.join(''))) }
    })
    await tx.execute(sql`
      update event_bundles b set documents = input.documents from ${rewritten(changed)}
       where b.business_id = ${tx.businessId} and b.id = input.id`)
  }
}

const BUNDLES_PER_READ = 200

const countsFound = rowsAs<readonly [id: string, documents: number]>('found', {
  id: ['text', ([id]) => id],
  documents: ['integer', ([, documents]) => documents],
})

/**
 * Opens every bundle, and returns the statement of a `verify` rule that selects events without a readable document.
 * Only bundles with another number of documents than their row says are kept in memory. A bundle from before the oldest month may have been dropped.
 */
export async function eventsWithoutDocument(db: Database, businessId: string): Promise<Sql> {
  const found: [id: string, documents: number][] = []
  for (let after = ''; ;) {
    const page = await db.read<CountedBundle>(
      businessId,
      sql`select id, documents, count from event_bundles
           where business_id = ${businessId} and id > ${after} order by id limit ${BUNDLES_PER_READ}`,
    )
    for (const { id, documents, count } of page) {
      const { length } = documentsOf(documents)
      if (length !== count) found.push([id, length])
    }
    const last = page.at(-1)
    if (last === undefined || page.length < BUNDLES_PER_READ) break
    after = last.id
  }
  return sql`
    select e.id as object,
           'its bundle ' || e.bundle_id || case when b.id is null then ' is missing'
             when found.documents = 0 then ' cannot be read'
             else ' has no place ' || e.place end as detail
      from events e
      left join event_bundles b on b.business_id = ${businessId} and b.id = e.bundle_id
      left join ${countsFound(found)} on found.id = e.bundle_id
     where e.business_id = ${businessId} and e.bundle_id is not null
       and case when b.id is null then e.bundle_id >= ${await firstIdOfOldestMonth(db)}
                else e.place not between 0 and coalesce(found.documents, b.count) - 1 end`
}

async function firstIdOfOldestMonth(db: Database): Promise<string> {
  const [row] = await db.shared.query<{ bound: string | null }>(sql`
    select min(nullif(split_part(pg_get_expr(c.relpartbound, c.oid), '''', 2), '') collate "C") as bound
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'event_bundles'::regclass`)
  return row?.bound ?? ''
}
