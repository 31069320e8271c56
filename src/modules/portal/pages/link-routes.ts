import type { FastifyInstance } from 'fastify'
import { realClock } from '#kernel/clock'
import type { CountRequest } from '#platform/http/rate-limit'
import { languageFor, readBrand, renderPage, sendPage } from '#modules/checkout'
import { html } from '#platform/http/html'
import type { TokenClaims } from '#platform/security/tokens/signed-tokens'
import type { PortalContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { PortalSession } from '../model/session.ts'
import { readToken } from '../sessions/session-tokens.ts'
import { findSession, openSession } from '../storage/session.repository.ts'
import { portalWordsOf } from '../words/portal-words.ts'
import { openPages } from './session-cookie.ts'

const LINK = '/portal/open/:token'

/** Mail scanners open links, so opening one shows a button, and only its POST uses the link up. */
export function registerLinks(pages: FastifyInstance, ctx: PortalContext, countForm: CountRequest): void {
  pages.get(LINK, async (request, reply) => {
    const { token } = request.params as { token: string }
    const claims = requireLink(ctx, token)
    const session = await findSession(ctx.db, claims.businessId, claims.id)
    if (session === undefined || !canBeOpened(session)) throw errors.portal_link_used()
    const language = languageFor(request)
    const [brand, { environment }] = await Promise.all([
      readBrand(ctx, claims.businessId),
      ctx.businesses.profile(claims.businessId),
    ])
    const t = portalWordsOf(language)
    const path = `${ctx.links.basePath}/portal/open/${token}`
    const title = t.openTitle.replace('{name}', () => brand.name)
    const document = renderPage({
      language,
      basePath: ctx.links.basePath,
      path,
      title,
      brand,
      isTest: environment === 'test',
      hasScript: false,
      style: ctx.style,
      body: html`<section class="status centered">
        <h1>${title}</h1>
        <p>${t.openText}</p>
        <form method="post" action="${path}?lang=${language}">
          <button type="submit">${t.openButton}</button>
        </form>
      </section>`,
    })
    return sendPage(reply, document)
  })
  pages.post(LINK, async (request, reply) => {
    await countForm(request)
    const { token } = request.params as { token: string }
    const { businessId, id } = requireLink(ctx, token)
    const session = await ctx.db.transact(businessId, (tx) => openSession(tx, id, realClock.now()))
    if (session === undefined) throw errors.portal_link_used()
    openPages(ctx, reply, { businessId, id })
    return reply.redirect(`${ctx.links.basePath}/portal${pathOf(session)}?lang=${languageFor(request)}`, 303)
  })
}

function requireLink(ctx: PortalContext, token: string): TokenClaims {
  const claims = readToken(ctx, 'link', token)
  if (claims === null) throw errors.portal_page_not_found()
  return claims
}

function canBeOpened({ openedAt, endedAt, linkExpiresAt }: PortalSession): boolean {
  const isOver = Temporal.Instant.compare(linkExpiresAt, realClock.now()) <= 0
  return openedAt === null && endedAt === null && !isOver
}

function pathOf({ flow, planId }: PortalSession): string {
  if (flow === 'payment_method') return '/cards'
  if (planId === null) return ''
  return flow === null ? `/plans/${planId}` : `/plans/${planId}/${flow}`
}
