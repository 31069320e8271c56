import type { Instant } from '#kernel/clock'
import { SignedTokens, type TokenClaims } from '#platform/security/tokens/signed-tokens'
import type { PortalContext } from '../context.ts'

/**
 * What opens a session: the token of the API, the link, and the cookie of the pages. None is worth anything in the place of
 * another. The beginnings let logs recognize them.
 */
const KINDS = {
  token: { prefix: 'qps_', purpose: 'portal tokens' },
  link: { prefix: 'qpl_', purpose: 'portal links' },
  page: { prefix: 'qpp_', purpose: 'portal pages' },
} as const

type Kind = keyof typeof KINDS

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
const RECOGNIZED_DAYS = 30

export function makeLink(
  ctx: Pick<PortalContext, 'keyring' | 'publicUrl'>,
  businessId: string,
  id: string,
  at: Instant,
): string {
  const expiresAt = at.add({ hours: 24 * RECOGNIZED_DAYS })
  return `${ctx.publicUrl()}/portal/open/${makeToken(ctx, 'link', { businessId, id, expiresAt })}`
}
