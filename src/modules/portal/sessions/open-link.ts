import { type Instant, isBefore } from '#kernel/clock'
import type { PortalContext } from '../context.ts'
import type { PortalSession } from '../model/session.ts'
import { findSession, openSession } from '../storage/session.repository.ts'
import { isErased } from './authenticate.ts'
import { canBeOpened, openMessageLink, sessionIdOf } from './message-links.ts'
import { type LinkKind, readToken, RECOGNIZED_DAYS } from './session-tokens.ts'

export interface PortalLink {
  readonly kind: LinkKind
  readonly businessId: string
  readonly id: string
  /** Until when a link of a message opens. The session of another link says it itself. */
  readonly expiresAt: Instant
}

/** Returns null for a link that is forged, or so old that nobody recognizes it. */
export function readLink(ctx: Pick<PortalContext, 'keyring'>, token: string): PortalLink | null {
  for (const kind of ['link', 'message'] as const) {
    const claims = readToken(ctx, kind, token)
    if (claims === null) continue
    const { businessId, id, expiresAt } = claims
    return { kind, businessId, id, expiresAt: expiresAt.subtract({ hours: 24 * RECOGNIZED_DAYS }) }
  }
  return null
}

export async function isOpenable(ctx: PortalContext, link: PortalLink, at: Instant): Promise<boolean> {
  const { kind, businessId, id, expiresAt } = link
  const session = await findSession(ctx.db, businessId, kind === 'message' ? sessionIdOf(id) : id)
  if (kind === 'message') return session === undefined && isBefore(at, expiresAt)
  if (session === undefined || !canBeOpened(session)) return false
  return ctx.db.transact(businessId, async (tx) => !(await isErased(ctx, tx, session)))
}

/** Uses a link up. Undefined where it was used before, is too old, or its session has ended. */
export function openLink(
  ctx: PortalContext,
  { kind, businessId, id, expiresAt }: PortalLink,
  at: Instant,
): Promise<PortalSession | undefined> {
  return ctx.db.transact(businessId, async (tx) => {
    if (kind === 'message') return isBefore(at, expiresAt) ? openMessageLink(ctx, tx, id) : undefined
    const session = await openSession(tx, id, at)
    return session === undefined || (await isErased(ctx, tx, session)) ? undefined : session
  })
}
