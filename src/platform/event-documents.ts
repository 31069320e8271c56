import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import sql, { type Sql } from 'sql-template-tag'
import { newId } from '#kernel/ids'
import type { Tx } from '#platform/database'
import { isOneOf, rowsAs } from '#platform/rows'

/** How the documents of events are stored (docs/decisions/0005). */

/** An event's document: in its row, or with others in a bundle. */
export interface StoredDocument {
  /** JSON text; null when it is in a bundle. */
  readonly data: string | null
  readonly bundle_id: string | null
  /** Counted from 0; null when it is in no bundle. */
  readonly place: number | null
}

/** The columns of `events` that `withDocuments` reads. */
export const DOCUMENT_COLUMNS = sql`data, bundle_id, place`

/** Fewer are stored in their own rows. */
const FEWEST_BUNDLED = 16
/** What is opened for one document, against how well they compress together. */
const MOST_BUNDLED = 64
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const SEPARATOR = '\n'

interface NewBundle {
  readonly id: string
  readonly documents: Buffer
}

const newBundles = rowsAs<NewBundle>('given', {
  id: ['text', (bundle) => bundle.id],
  documents: ['bytea', (bundle) => bundle.documents],
})

/** Stores the documents of events that are written in the same transaction; answers where each is. */
export function storeDocuments<Event extends { readonly data: object }>(
  tx: Tx,
  events: readonly Event[],
): (readonly [Event, StoredDocument])[] {
  if (events.length < FEWEST_BUNDLED)
    return events.map((event) => [event, { data: JSON.stringify(event.data), bundle_id: null, place: null }])
  const bundles = Array.from({ length: Math.ceil(events.length / MOST_BUNDLED) }, (_, index) =>
    bundleOf(events.slice(index * MOST_BUNDLED, (index + 1) * MOST_BUNDLED)),
  )
  tx.leave(
    tx.execute(sql`
      insert into event_bundles (business_id, id, documents)
      select ${tx.businessId}, id, documents from ${newBundles(bundles)}`),
  )
  return bundles.flatMap(({ id, events: bundled }) =>
    bundled.map((event, place) => [event, { data: null, bundle_id: id, place }] as const),
  )
}

/** Lines of the bundle that is being made. Kept for the next: one of its own for each was 100 kB that are freed late. */
let lines = Buffer.allocUnsafeSlow(256 * 1024)
const LONGEST_UTF8 = 3

function bundleOf<Event extends { readonly data: object }>(events: readonly Event[]) {
  let end = 0
  for (const { data } of events) {
    const line = JSON.stringify(data)
    const needed = end + line.length * LONGEST_UTF8 + SEPARATOR.length
    if (needed > lines.length) lines = Buffer.concat([lines], needed * 2)
    end += lines.write(line, end)
    end += lines.write(SEPARATOR, end)
  }
  return { id: newId('evb'), events, documents: zstdCompressSync(lines.subarray(0, end), COMPRESSION) }
}

interface BundleRow {
  readonly id: string
  readonly documents: Buffer
}

/**
 * Events with their documents.
 * @param query runs a statement of the business
 */
export async function withDocuments<Row extends StoredDocument>(
  businessId: string,
  events: readonly Row[],
  query: (statement: Sql) => Promise<BundleRow[]>,
): Promise<(Row & { readonly data: string })[]> {
  const ids = [...new Set(events.flatMap((event) => event.bundle_id ?? []))]
  const rows =
    ids.length === 0
      ? []
      : await query(sql`
          select id, documents from event_bundles
           where business_id = ${businessId} and ${isOneOf(sql`id`, ids)}`)
  const bundles = new Map(
    rows.map(({ id, documents }) => [id, zstdDecompressSync(documents).toString().split(SEPARATOR)]),
  )
  return events.map((event) => {
    const data = event.data ?? bundles.get(event.bundle_id ?? '')?.[event.place ?? 0]
    if (data === undefined) throw new Error(`the document of an event is not in ${event.bundle_id}`)
    return { ...event, data }
  })
}
