import sql from 'sql-template-tag'
import {
  DOCUMENT_COLUMNS,
  rewriteBundles,
  type StoredDocument,
  withDocuments,
} from '#platform/events/event-documents'
import type { Batch, PersonalData, Subject } from '#platform/personal-data/personal-data'
import { documentWithoutPerson } from '#platform/personal-data/rewrite'
import type { Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'

const BATCH = 200

interface EventRow extends StoredDocument {
  readonly id: string
  readonly object_id: string
  readonly sequence: number
  readonly type: string
  readonly timestamp: string
}

const documents = rowsAs<EventRow>('input', {
  object_id: ['text', (event) => event.object_id],
  sequence: ['integer', (event) => event.sequence],
  data: ['text', (event) => event.data],
})

export const EVENTS_PERSONAL_DATA: PersonalData = {
  sources: [
    {
      table: 'events',
      read: async (tx, subject, after) => {
        const rows = await eventsOf(tx, subject, after)
        const events = await withDocuments(tx.businessId, rows, (statement) => tx.query(statement))
        return {
          rows: events.map(
            ({ id, object_id, sequence, type, timestamp, data }) =>
              `${JSON.stringify({ id, object_id, sequence, type, timestamp }).slice(0, -1)},"data":${data ?? 'null'}}`,
          ),
          next: nextOf(rows),
        }
      },
      erase: eraseEvents,
    },
  ],
}

async function eraseEvents(tx: Tx, subject: Subject, after: string): Promise<Batch> {
  const rows = await eventsOf(tx, subject, after)
  const rewrite = (data: string) => documentWithoutPerson(data, subject)
  const own = rows.flatMap((event) => (event.data === null ? [] : [{ ...event, data: rewrite(event.data) }]))
  if (own.length > 0) {
    await tx.execute(sql`
      update events e set data = input.data::json from ${documents(own)}
       where e.business_id = ${tx.businessId} and e.object_id = input.object_id and e.sequence = input.sequence`)
  }
  const places = Map.groupBy(rows, ({ bundle_id }) => bundle_id ?? '')
  places.delete('')
  await rewriteBundles(tx, [...places.keys()], (data, at, bundleId) =>
    places.get(bundleId)?.some(({ place }) => place === at) === true ? rewrite(data) : data,
  )
  return { count: rows.length, next: nextOf(rows) }
}

function eventsOf(tx: Tx, { objects }: Subject, after: string): Promise<EventRow[]> {
  return tx.query<EventRow>(sql`
    select id, object_id, sequence, type, to_jsonb(timestamp) #>> '{}' as timestamp, ${DOCUMENT_COLUMNS}
      from events
     where business_id = ${tx.businessId} and object_id in (${objects}) and id > ${after}
     order by id limit ${BATCH}`)
}

function nextOf(rows: readonly EventRow[]): string | null {
  return rows.length < BATCH ? null : (rows.at(-1)?.id ?? null)
}
