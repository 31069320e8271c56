import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Tx } from '#platform/postgres/database'
import {
  documentsToStore,
  EVENT_BUNDLES,
  MIN_TO_BUNDLE,
  type StoredDocument,
} from '#platform/events/event-documents'
import type { PartitionedTable } from '#platform/postgres/partitions/partitions'
import { rowsAs } from '#platform/postgres/rows'
import { currentTraceparent } from '#platform/observability/tracing'
import { currentRequest } from '#platform/request-scope'

/**
 * - `objectId`: The object whose events `sequence` counts: the order for transaction.*, the plan for cycle.*, …
 * - `keepsActor`: Stores who caused it, also where that is an API key. Of a person it is always stored.
 * - `cause`: The request that caused the event, if a transaction serves several. By default it is the current
 * request with the span of the transaction.
 * - `callbackUrl`: A URL that receives the event beside the endpoints of the business; never shown.
 */
export interface NewEvent {
  readonly type: string
  readonly objectId: string
  readonly timestamp: Instant
  readonly data: object
  readonly keepsActor?: boolean
  readonly cause?: EventCause | undefined
  readonly callbackUrl?: string | undefined
}

export interface EventCause {
  readonly requestId: string | null
  readonly actorId: string | null
  readonly traceparent: string | null
}

export function currentCause(): EventCause {
  const { requestId = null, actorId = null } = currentRequest() ?? {}
  return { requestId, actorId, traceparent: currentTraceparent() }
}

/**
 * Handles events in the transaction that writes them.
 * @param appended gives the same events with their sequences; not calling it saves a round trip
 */
type EventHandler = (
  events: readonly NewEvent[],
  appended: () => Promise<readonly AppendedEvent[]>,
) => Promise<void>

export type EventObserver = (tx: Tx) => EventHandler

export type PreparedEvents = readonly EventHandler[]

export interface AppendedEvent extends NewEvent {
  readonly id: string
  readonly sequence: number
}

interface NumberedEvent extends NewEvent {
  readonly cause: EventCause
  readonly id: string
  readonly nthOfObject: number
}

const newEvents = rowsAs<readonly [NumberedEvent, StoredDocument]>('input', {
  id: ['text', ([event]) => event.id],
  object_id: ['text', ([event]) => event.objectId],
  nth: ['integer', ([event]) => event.nthOfObject],
  type: ['text', ([event]) => event.type],
  timestamp: ['timestamptz', ([event]) => toRfc3339(event.timestamp)],
  data: ['json', ([, document]) => document.data],
  bundle_id: ['text', ([, document]) => document.bundle_id],
  place: ['integer', ([, document]) => document.place],
  actor_id: [
    'text',
    ([{ keepsActor, cause }]) => (keepsActor === true || isPerson(cause) ? cause.actorId : null),
  ],
  request_id: ['text', ([{ cause }]) => cause.requestId],
  traceparent: ['text', ([{ cause }]) => cause.traceparent],
})

/** A user of the console. */
function isPerson({ actorId }: EventCause): boolean {
  return actorId?.startsWith('usr_') === true
}

interface EventLogOptions {
  readonly onWritten?: (type: string) => void
  readonly days?: number | undefined
}

/**
 * Appends events in the caller's transaction. The caller holds the lock of each object, so that sequences have no
 * gaps; a unique index refuses a caller that does not. A transaction may be older than the object's last event,
 * because it waited for the lock or because a clock is being advanced; its event then takes the time of the last one.
 */
export class EventLog {
  readonly #observers: EventObserver[] = []
  readonly #onWritten: (type: string) => void
  readonly #minToBundle: number
  readonly partitionedTables: readonly PartitionedTable[]

  constructor({ onWritten = () => {}, days }: EventLogOptions = {}) {
    this.#onWritten = onWritten
    this.#minToBundle = days === undefined ? MIN_TO_BUNDLE : 1
    this.partitionedTables = days === undefined ? [] : [{ ...EVENT_BUNDLES, keepDays: days }]
  }

  observe(observer: EventObserver): void {
    this.#observers.push(observer)
  }

  /** Saves `append` a round trip when it is called beside the first reads of the transaction. */
  prepare(tx: Tx): PreparedEvents {
    return this.#observers.map((observe) => observe(tx))
  }

  /** The insert is deferred: it may still be running when the returned promise resolves. */
  async append(tx: Tx, events: readonly NewEvent[], prepared?: PreparedEvents): Promise<void> {
    if (events.length === 0) return
    const written = numbered(events)
    const { documents, insertBundles } = documentsToStore(tx, written, this.#minToBundle)
    const rows = tx.query<{ id: string; sequence: number }>(sql`
      ${insertBundles}
      insert into events (business_id, id, object_id, sequence, type, timestamp, data, bundle_id, place, actor_id, request_id, traceparent)
      select ${tx.businessId}, id, object_id, coalesce(last.sequence, 0) + nth,
             type, greatest(input.timestamp, last.timestamp), data, bundle_id, place, actor_id, request_id, traceparent
        from ${newEvents(documents)}
        left join lateral (select e.sequence, e.timestamp from events e
                            where e.business_id = ${tx.businessId} and e.object_id = input.object_id
                            order by e.sequence desc limit 1) last on true
      returning id, sequence`)
    tx.defer(rows)
    const appended = async () => withSequences(written, await rows)
    for (const { type } of written) this.#onWritten(type)
    for (const handle of prepared ?? this.prepare(tx)) await handle(events, appended)
  }
}

function numbered(events: readonly NewEvent[]): NumberedEvent[] {
  const counts = new Map<string, number>()
  const current = currentCause()
  return events.map((event) => {
    const nthOfObject = (counts.get(event.objectId) ?? 0) + 1
    counts.set(event.objectId, nthOfObject)
    const cause = current.requestId === null ? (event.cause ?? current) : current
    return { ...event, id: newId('evt'), nthOfObject, cause }
  })
}

function withSequences(
  written: readonly NumberedEvent[],
  rows: readonly { readonly id: string; readonly sequence: number }[],
): AppendedEvent[] {
  const sequences = new Map(rows.map((row) => [row.id, row.sequence]))
  return written.map((event) => {
    const sequence = sequences.get(event.id)
    if (sequence === undefined) throw new Error('the database returned no sequence for an event')
    return { ...event, sequence }
  })
}
