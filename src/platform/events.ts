import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Tx } from '#platform/database'
import { jsonDocuments } from '#platform/parameters'

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

/** Told of every batch of events in the transaction that writes them, so that receivers can be queued. */
export type EventObserver = (tx: Tx, events: readonly AppendedEvent[]) => Promise<void>

export interface AppendedEvent extends NewEvent {
  readonly id: string
  /** 1, 2, 3 … per object, without gaps. */
  readonly sequence: number
}

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

  async append(tx: Tx, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return
    const ids = events.map(() => newId('evt'))
    const rows = await tx.query<{ ordinal: number; sequence: number }>(sql`
      with given as (
        select * from unnest(
          ${ids}::text[], ${events.map((event) => event.objectId)}::text[], ${events.map((event) => event.type)}::text[],
          ${events.map((event) => toRfc3339(event.timestamp))}::timestamptz[],
          ${jsonDocuments(events.map((event) => JSON.stringify(event.data)))}
        ) with ordinality as given (id, object_id, type, timestamp, data, ordinal)
      ), numbered as (
        select given.*, coalesce(
                 (select e.sequence from events e
                   where e.business_id = ${tx.businessId} and e.object_id = given.object_id
                   order by e.sequence desc limit 1), 0)
               + row_number() over (partition by given.object_id order by given.ordinal) as sequence
          from given
      ), appended as (
        insert into events (business_id, id, object_id, sequence, type, timestamp, data)
        select ${tx.businessId}, id, object_id, sequence, type, timestamp, data from numbered
      )
      select ordinal::int, sequence::int from numbered order by ordinal`)
    if (this.#observers.length === 0) return
    const appended = rows.map((row, index) => {
      const event = events[index]
      const id = ids[index]
      if (event === undefined || id === undefined) throw new Error('an event was lost')
      return { ...event, id, sequence: row.sequence }
    })
    for (const observer of this.#observers) await observer(tx, appended)
  }
}
