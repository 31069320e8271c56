import { realClock } from '#kernel/clock'
import { SignedTokens, type TokenClaims } from '#platform/security/tokens/signed-tokens'
import type { PortalContext } from '../context.ts'
import { MESSAGE_LINK_DAYS, type PortalSession } from '../model/session.ts'

/**
 * What opens a session: the token of the API, the link, and the cookie of the pages. None is accepted in the place of another. By the
 * prefixes they are recognized and removed from logs.
 */
const KINDS = {
  token: { prefix: 'qps_', purpose: 'portal tokens' },
  link: { prefix: 'qpl_', purpose: 'portal links' },
  message: { prefix: 'qpl_', purpose: 'portal links of messages' },
  page: { prefix: 'qpp_', purpose: 'portal pages' },
} as const

type Kind = keyof typeof KINDS
export type LinkKind = 'link' | 'message'

export function makeToken(
  { keyring }: Pick<PortalContext, 'keyring'>,
  kind: Kind,
  claims: TokenClaims,
): string {
  const { prefix, purpose } = KINDS[kind]
  return prefix + new SignedTokens(keyring, purpose).make(claims)
}

/** Returns null for a token that is forged, of another kind, or expired. */
export function readToken(
  { keyring }: Pick<PortalContext, 'keyring'>,
  kind: Kind,
  token: string,
): TokenClaims | null {
  const { prefix, purpose } = KINDS[kind]
  return token.startsWith(prefix) ? new SignedTokens(keyring, purpose).read(token.slice(prefix.length)) : null
}

/** Old links are still recognized, so that their page can say that they are old. */
export const RECOGNIZED_DAYS = 30

/** The same for the same session. */
export function linkOf(
  ctx: LinkContext,
  businessId: string,
  { id, createdAt }: Pick<PortalSession, 'id' | 'createdAt'>,
): string {
  const expiresAt = createdAt.add({ hours: 24 * RECOGNIZED_DAYS })
  return addressOf(ctx, makeToken(ctx, 'link', { businessId, id, expiresAt }))
}

/** Opens the cards of the customer of a message. No session is stored before it is opened. */
export function messageLink(ctx: LinkContext, businessId: string, messageId: string): string {
  const expiresAt = realClock.now().add({ hours: 24 * (MESSAGE_LINK_DAYS + RECOGNIZED_DAYS) })
  return addressOf(ctx, makeToken(ctx, 'message', { businessId, id: messageId, expiresAt }))
}

type LinkContext = Pick<PortalContext, 'keyring' | 'publicUrl'>

function addressOf({ publicUrl }: LinkContext, token: string): string {
  return `${publicUrl()}/portal/open/${token}`
}
