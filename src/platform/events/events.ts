import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Tx } from '#platform/postgres/database'
import { type StoredDocument, storeDocuments } from '#platform/events/event-documents'
import { rowsAs } from '#platform/postgres/rows'

/** A state change, to be told in the transaction that made it (decisions, section 8). */
export interface NewEvent {
  /** Such as `order.paid`. */
  readonly type: string
  /** What `sequence` counts for: the order for order.* and transaction.*, the plan for plan.* and cycle.*, … */
  readonly objectId: string
  /** The business's time of the change. */
  readonly timestamp: Instant
  /** The object under its resource's name, as answers show it. */
  readonly data: object
  /** A URL that receives the event beside the endpoints of the business; never shown. */
  readonly callbackUrl?: string | undefined
}

/** Told of the events in the transaction that writes them, so that receivers can be queued. */
export interface EventObserver {
  /** Events will be written: what has to be read for them can be asked for beside the transaction's other reads. */
  prepare?(tx: Tx): void
  /**
   * Told of every batch.
   * @param appended the same events once they are written: who needs nothing of them spares a round trip
   */
  onEvents(tx: Tx, events: readonly NewEvent[], appended: Promise<readonly AppendedEvent[]>): Promise<void>
}

export interface AppendedEvent extends NewEvent {
  readonly id: string
  /** 1, 2, 3 … per object, without gaps. */
  readonly sequence: number
}

interface NumberedEvent extends NewEvent {
  readonly id: string
  /** 1, 2, 3 … among those that are appended with it and have the same object. */
  readonly nth: number
}

const newEvents = rowsAs<readonly [NumberedEvent, StoredDocument]>('given', {
  id: ['text', ([event]) => event.id],
  object_id: ['text', ([event]) => event.objectId],
  nth: ['integer', ([event]) => event.nth],
  type: ['text', ([event]) => event.type],
  timestamp: ['timestamptz', ([event]) => toRfc3339(event.timestamp)],
  data: ['json', ([, document]) => document.data],
  bundle_id: ['text', ([, document]) => document.bundle_id],
  place: ['integer', ([, document]) => document.place],
})

/**
 * Appends events in the caller's transaction, in the order given. The caller holds the lock of each
 * object, which makes the sequence free of gaps: the next number is read from the object's last
 * event, and a unique index refuses what a missing lock would let through. A transaction that waited for the lock, or
 * that runs beside the advance of a clock, may have an earlier time than that event: an object's times never run backwards.
 */
export class EventLog {
  readonly #observers: EventObserver[] = []

  observe(observer: EventObserver): void {
    this.#observers.push(observer)
  }

  /** To be called with the first reads of a transaction that will write events. It may be left out. */
  prepare(tx: Tx): void {
    for (const observer of this.#observers) observer.prepare?.(tx)
  }

  /** The events are sent when this is called; when it resolves they may still be under way, and are there at the commit. */
  async append(tx: Tx, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return
    const written = numbered(events)
    const documents = storeDocuments(tx, written)
    const rows = tx.query<{ id: string; sequence: number }>(sql`
      insert into events (business_id, id, object_id, sequence, type, timestamp, data, bundle_id, place)
      select ${tx.businessId}, id, object_id, coalesce(last.sequence, 0) + nth,
             type, greatest(given.timestamp, last.timestamp), data, bundle_id, place
        from ${newEvents(documents)}
        left join lateral (select e.sequence, e.timestamp from events e
                            where e.business_id = ${tx.businessId} and e.object_id = given.object_id
                            order by e.sequence desc limit 1) last on true
      returning id, sequence`)
    const appended = rows.then((sequences) => withSequences(written, sequences))
    tx.defer(appended)
    for (const observer of this.#observers) await observer.onEvents(tx, events, appended)
  }
}

function numbered(events: readonly NewEvent[]): NumberedEvent[] {
  const counts = new Map<string, number>()
  return events.map((event) => {
    const nth = (counts.get(event.objectId) ?? 0) + 1
    counts.set(event.objectId, nth)
    return { ...event, id: newId('evt'), nth }
  })
}

function withSequences(
  written: readonly NumberedEvent[],
  rows: readonly { readonly id: string; readonly sequence: number }[],
): AppendedEvent[] {
  const sequences = new Map(rows.map((row) => [row.id, row.sequence]))
  return written.map((event) => {
    const sequence = sequences.get(event.id)
    if (sequence === undefined) throw new Error('an event was lost')
    return { ...event, sequence }
  })
}
