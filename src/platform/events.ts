import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Tx } from '#platform/database'
import { rowsAs } from '#platform/rows'

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
}

/** Told of the events in the transaction that writes them, so that receivers can be queued. */
export interface EventObserver {
  /** Events will be written: what has to be read for them can be asked for beside the transaction's other reads. */
  prepare?(tx: Tx): void
  /**
   * Told of every batch.
   * @param appended the same events once they are written: who needs nothing of them spares a round trip
   */
  told(tx: Tx, events: readonly NewEvent[], appended: Promise<readonly AppendedEvent[]>): Promise<void>
}

export interface AppendedEvent extends NewEvent {
  readonly id: string
  /** 1, 2, 3 … per object, without gaps. */
  readonly sequence: number
}

const newEvents = rowsAs<NewEvent & { readonly id: string; readonly ordinal: number }>('given', {
  id: ['text', (event) => event.id],
  object_id: ['text', (event) => event.objectId],
  type: ['text', (event) => event.type],
  timestamp: ['timestamptz', (event) => toRfc3339(event.timestamp)],
  data: ['json', (event) => JSON.stringify(event.data)],
  ordinal: ['integer', (event) => event.ordinal],
})

/**
 * Appends events in the caller's transaction, in the order given. The caller holds the lock of each
 * object, which makes the sequence free of gaps: the next number is read from the object's last
 * event, and a unique index refuses what a missing lock would let through.
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
    const written = events.map((event, index) => ({ ...event, id: newId('evt'), ordinal: index + 1 }))
    const rows = tx.query<{ sequence: number }>(sql`
      with numbered as (
        select given.*, coalesce(
                 (select e.sequence from events e
                   where e.business_id = ${tx.businessId} and e.object_id = given.object_id
                   order by e.sequence desc limit 1), 0)
               + row_number() over (partition by given.object_id order by given.ordinal) as sequence
          from ${newEvents(written)}
      ), appended as (
        insert into events (business_id, id, object_id, sequence, type, timestamp, data)
        select ${tx.businessId}, id, object_id, sequence, type, timestamp, data from numbered
      )
      select sequence::int from numbered order by ordinal`)
    const appended = rows.then((sequences) => withSequences(written, sequences))
    tx.leave(appended)
    for (const observer of this.#observers) await observer.told(tx, events, appended)
  }
}

function withSequences(
  written: readonly (NewEvent & { readonly id: string })[],
  rows: readonly { readonly sequence: number }[],
): AppendedEvent[] {
  return written.map((event, index) => {
    const row = rows[index]
    if (row === undefined) throw new Error('an event was lost')
    return { ...event, sequence: row.sequence }
  })
}
