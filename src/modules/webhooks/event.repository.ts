import sql, { empty, type Sql } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Database } from '#platform/database'
import { DOCUMENT_COLUMNS, type StoredDocument, withDocuments } from '#platform/event-documents'
import { type PageRequest, rowsOfPage } from '#platform/http/list'

export interface EventRow {
  readonly id: string
  readonly type: string
  readonly timestamp: Instant
  readonly sequence: number
  readonly object_id: string
  /** JSON text, passed on as it was written; null when it cannot be read. */
  readonly data: string | null
}

export interface EventSelection {
  readonly objectId: string | undefined
  readonly type: string | undefined
}

/** Events of one business, newest first; one row more than the page holds. */
export async function listEvents(
  db: Database,
  businessId: string,
  selection: EventSelection,
  page: PageRequest,
): Promise<EventRow[]> {
  const ofObject = selection.objectId === undefined ? empty : sql`and object_id = ${selection.objectId}`
  const ofType = selection.type === undefined ? empty : sql`and type = ${selection.type}`
  const rows = await db.read<Omit<EventRow, 'data'> & StoredDocument>(
    businessId,
    sql`select id, type, timestamp, sequence, object_id, ${DOCUMENT_COLUMNS}
          from events
         where business_id = ${businessId} ${ofObject} ${ofType}
         ${rowsOfPage(page, sql`timestamp`, sql`id`)}`,
  )
  return withDocuments(businessId, rows, (statement) => db.read(businessId, statement))
}

/** The event of a delivery `d`, for a lateral join: looked up by its key (see `queue.repository.ts`). */
export function eventOf(businessId: string): Sql {
  return sql`(select type, timestamp, ${DOCUMENT_COLUMNS} from events
               where business_id = ${businessId} and object_id = d.object_id and sequence = d.sequence offset 0)`
}
