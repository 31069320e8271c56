import sql from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import {
  DOCUMENT_COLUMNS,
  type EventDocument,
  type StoredDocument,
  withDocuments,
} from '#platform/events/event-documents'
import type { PageKey } from '#platform/http/validation/list'
import type { Tx } from '#platform/postgres/database'
import { givenIds } from '#platform/postgres/rows'

export interface PastEvent extends EventDocument {
  readonly id: string
  readonly type: string
  readonly timestamp: Instant
  readonly object_id: string
  readonly request_id: string | null
  readonly actor_id: string | null
}

export async function newestEvents(
  tx: Tx,
  objectIds: readonly string[],
  { before, limit }: { readonly before: PageKey | undefined; readonly limit: number },
): Promise<PastEvent[]> {
  const at = before?.at.toString() ?? 'infinity'
  const rows = await tx.query<Omit<PastEvent, 'data'> & StoredDocument>(sql`
    select newest.id, newest.type, newest.timestamp, newest.object_id, newest.request_id, newest.actor_id, ${DOCUMENT_COLUMNS}
      from (select e.*
              from ${givenIds(objectIds)}
             cross join lateral (
                   select id, type, timestamp, object_id, sequence, request_id, actor_id from events
                    where business_id = ${tx.businessId} and object_id = given.id
                      and (timestamp, id) < (${at}::timestamptz, ${before?.id ?? ''})
                    order by sequence desc limit ${limit}) e
             order by e.timestamp desc, e.id desc limit ${limit}) newest
     cross join lateral (
           select ${DOCUMENT_COLUMNS} from events
            where business_id = ${tx.businessId} and object_id = newest.object_id
              and sequence = newest.sequence offset 0) document
     order by newest.timestamp desc, newest.id desc`)
  return withDocuments(tx.businessId, rows, (statement) => tx.query(statement))
}
