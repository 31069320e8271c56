import sql from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import {
  DOCUMENT_COLUMNS,
  isReadable,
  type StoredDocument,
  withDocuments,
} from '#platform/events/event-documents'

interface EventRow {
  readonly type: string
  readonly timestamp: Instant
  readonly sequence: number
}

export async function eventsOf(
  db: Database,
  businessId: string,
  objectId: string,
): Promise<(EventRow & { readonly data: string })[]> {
  const rows = await db.read<EventRow & StoredDocument>(
    businessId,
    sql`select type, timestamp, sequence, ${DOCUMENT_COLUMNS} from events
         where business_id = ${businessId} and object_id = ${objectId} order by sequence`,
  )
  const events = await withDocuments(businessId, rows, (statement) => db.read(businessId, statement))
  return events.map((event) => {
    if (!isReadable(event)) throw new Error(`the document of event ${event.sequence} cannot be read`)
    return event
  })
}

export async function eventTypesOf(db: Database, businessId: string, objectId: string): Promise<string[]> {
  return (await eventsOf(db, businessId, objectId)).map(({ type }) => type)
}
