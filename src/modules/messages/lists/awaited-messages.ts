import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { MessagesContext } from '../context.ts'
import { findWakes } from '../storage/wake.repository.ts'

export interface AwaitedMessage {
  readonly kind: 'renewal_ahead' | 'payment_reminder'
  readonly objectId: string
  readonly dueAt: Instant
}

/** Messages that a date will cause, of the kinds that are enabled. A wake's cause may have gone before. */
export async function awaitedMessages(
  ctx: MessagesContext,
  tx: Tx,
  objectIds: readonly string[],
): Promise<AwaitedMessage[]> {
  const { enabled } = await ctx.settingsOf(tx.businessId)
  if (!enabled.includes('renewal_ahead') && !enabled.includes('payment_reminder')) return []
  return (await findWakes(tx, objectIds)).flatMap(({ kind, objectId, dueAt }) =>
    kind !== 'renewal_scan' && enabled.includes(kind) ? [{ kind, objectId, dueAt }] : [],
  )
}
