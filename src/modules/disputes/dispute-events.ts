import type { NewEvent } from '#platform/events/events'
import type { Tx } from '#platform/postgres/database'
import type { DisputesContext, DisputeView } from './context.ts'
import type { DisputeEvent } from './model/dispute.ts'

export function disputeEvents(
  { present }: DisputesContext,
  tx: Tx,
  types: readonly DisputeEvent[],
  view: DisputeView,
): NewEvent[] {
  const data = present.dispute(view)
  return types.map((type) => ({ type, objectId: view.dispute.id, timestamp: tx.now, data }))
}
