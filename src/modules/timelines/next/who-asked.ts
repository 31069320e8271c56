import type { Tx } from '#platform/postgres/database'
import { newestEvents } from '#platform/events/event-history'
import { objectAt, readDocument, textAt } from '../past/event-document.ts'
import type { NextEntry } from './next-entry.ts'

/** How many events of a plan are searched for the requester. */
const MAX_EVENTS = 100

interface AskedFor {
  readonly type: string
  readonly actorId: string | null
  readonly isToBeCanceled: boolean
}

/** Adds who requested what the plan will do: its cancellation, its change or its pause. */
export async function withActors(
  tx: Tx,
  planId: string,
  entries: readonly NextEntry[],
): Promise<readonly NextEntry[]> {
  if (!entries.some(({ reasonCode }) => reasonCode in FINDERS)) return entries
  const newest = await newestEvents(tx, [planId], { before: undefined, limit: MAX_EVENTS })
  const events = newest.flatMap(({ type, actor_id: actorId, data }): AskedFor[] => {
    const plan = objectAt(readDocument(data), 'plan')
    if (textAt(plan, 'id') === null) return []
    return [{ type, actorId, isToBeCanceled: textAt(plan, 'cancel_at') !== null }]
  })
  return entries.map((entry) => {
    const actorId = FINDERS[entry.reasonCode]?.(events)?.actorId
    return actorId == null ? entry : { ...entry, actorId }
  })
}

type Finder = (newestFirst: readonly AskedFor[]) => AskedFor | undefined

const lastOfType =
  (wanted: string): Finder =>
  (events) =>
    events.find(({ type }) => type === wanted)

const FINDERS: Readonly<Partial<Record<NextEntry['reasonCode'], Finder>>> = {
  change_scheduled: lastOfType('plan.change_scheduled'),
  paused: lastOfType('plan.paused'),
  pause_ends: lastOfType('plan.paused'),
  // No event records the request itself. The event after the last one without a time to cancel stands for it.
  canceled_at_period_end: (events) => {
    const without = events.findIndex(({ isToBeCanceled }) => !isToBeCanceled)
    return without === -1 ? undefined : events[without - 1]
  },
}
