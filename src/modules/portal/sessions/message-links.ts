import { isBefore, realClock } from '#kernel/clock'
import type { PortalLinkMaker } from '#modules/messages'
import type { Tx } from '#platform/postgres/database'
import type { PortalContext } from '../context.ts'
import { isAllowed } from '../model/allow.ts'
import type { PortalSession } from '../model/session.ts'
import { insertSession, loadSession } from '../storage/session.repository.ts'
import { findSettings } from '../storage/settings.repository.ts'
import { isErased } from './authenticate.ts'
import { newSession } from './create-session.ts'
import { linkOf, messageLink } from './session-tokens.ts'

/** How messages get their links into the portal. */
export function portalLinks(ctx: PortalContext): PortalLinkMaker {
  return async (tx, { id, kind, objectId }) => {
    if (kind === 'portal_link') {
      const session = await loadSession(tx, objectId)
      return session !== undefined && canBeOpened(session) ? linkOf(ctx, tx.businessId, session) : undefined
    }
    const { allow } = await findSettings(tx)
    return isAllowed(allow, 'payment_methods') ? messageLink(ctx, tx.businessId, id) : undefined
  }
}

export function canBeOpened({ openedAt, endedAt, linkExpiresAt }: PortalSession): boolean {
  return openedAt === null && endedAt === null && isBefore(realClock.now(), linkExpiresAt)
}

/** One message makes one session. */
export function sessionIdOf(messageId: string): string {
  return `psn_${messageId.slice(messageId.indexOf('_') + 1)}`
}

/** Begins the session of a message's link; undefined if it has begun before, or the message is gone. */
export async function openMessageLink(
  ctx: Pick<PortalContext, 'messages' | 'customers'>,
  tx: Tx,
  messageId: string,
): Promise<PortalSession | undefined> {
  const message = await ctx.messages.find(tx, messageId)
  if (message === undefined || message.facts === null || (await isErased(ctx, tx, message))) return undefined
  const now = realClock.now()
  const session = newSession(message.customerUuid, now, {
    id: sessionIdOf(messageId),
    flow: 'payment_method',
    isCardsOnly: true,
    openedAt: now,
  })
  return (await insertSession(tx, session)) ? session : undefined
}
