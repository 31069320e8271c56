import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { PageRequest } from '#platform/http/validation/list'
import type { MessagesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { findMessage } from '../storage/message.repository.ts'
import type { Suppression } from '../model/suppression.ts'
import { deleteSuppression, listSuppressions, suppress } from '../storage/suppression.repository.ts'

export function suppressionsOfPage(
  ctx: MessagesContext,
  { businessId }: Caller,
  page: PageRequest,
): Promise<Suppression[]> {
  return listSuppressions(ctx.db, businessId, page)
}

export function endSuppression(ctx: MessagesContext, caller: Caller, address: string): Promise<Suppression> {
  return once(ctx.db, caller, async (tx) => {
    const deleted = await deleteSuppression(tx, address)
    if (deleted === undefined) throw errors.suppression_not_found()
    return deleted
  })
}

/** A message that was erased has no address any more, so there is nothing to suppress. */
export async function unsubscribe(
  ctx: MessagesContext,
  businessId: string,
  messageId: string,
): Promise<void> {
  await ctx.db.transact(businessId, async (tx) => {
    const message = await findMessage(tx, messageId)
    const recipient = message?.recipient ?? null
    if (recipient !== null) await suppress(tx, [[recipient, 'unsubscribe']], tx.now)
  })
}

/** The language of the page that a link opens. */
export async function languageOfMessage(
  ctx: MessagesContext,
  businessId: string,
  messageId: string,
): Promise<string> {
  const message = await ctx.db.transact(businessId, (tx) => findMessage(tx, messageId))
  return message?.language ?? 'en'
}
