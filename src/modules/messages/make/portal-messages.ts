import type { Tx } from '#platform/postgres/database'
import type { MessagesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { writeMessages } from './create-messages.ts'

/**
 * Somebody has asked for this message, so it is made whether or not its kind is enabled.
 * - `recipient`: Who asked, if not the merchant.
 */
export async function sendPortalLink(
  ctx: MessagesContext,
  tx: Tx,
  link: { readonly sessionId: string; readonly customerUuid: string; readonly recipient?: string },
): Promise<void> {
  const { sessionId: objectId, ...addressed } = link
  const cause = { kind: 'portal_link', objectId, cause: '', facts: {}, at: tx.now, ...addressed } as const
  const made = await writeMessages(ctx, tx, [cause], await ctx.settingsOf(tx.businessId))
  // Whoever typed an address does not learn that its customer wants no mails.
  if (made.length === 0 && link.recipient === undefined) throw errors.recipient_missing()
}
