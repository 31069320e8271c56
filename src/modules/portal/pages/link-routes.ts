import { say } from '#kernel/say'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { realClock } from '#kernel/clock'
import { languageFor } from '#modules/checkout'
import { html } from '#platform/http/html'
import type { CountRequest } from '#platform/http/rate-limit'
import type { PortalContext } from '../context.ts'
import { errors } from '../errors.ts'
import { signInPath } from '../model/session.ts'
import { isOpenable, openLink, type PortalLink, readLink } from '../sessions/open-link.ts'
import { landingPath } from './landing.ts'
import { showPlain } from './plain-page.ts'
import { openPages } from './session-cookie.ts'

const LINK = '/portal/open/:token'

/** Mail scanners open links, so opening one shows a button, and only its POST uses the link up. */
export function registerLinks(pages: FastifyInstance, ctx: PortalContext, countForm: CountRequest): void {
  pages.get(LINK, async (request, reply) => {
    const { link, path } = requireLink(ctx, request)
    if (!(await isOpenable(ctx, link, realClock.now()))) return showOld(ctx, request, reply, link)
    return showPlain(ctx, request, reply, {
      businessId: link.businessId,
      path,
      content: (t, name, to) => ({
        title: say(t.openTitle, { name }),
        body: html`<p>${t.openText}</p>
          <form method="post" action="${to(path)}"><button type="submit">${t.openButton}</button></form>`,
      }),
    })
  })
  pages.post(LINK, async (request, reply) => {
    await countForm(request)
    const { link } = requireLink(ctx, request)
    const session = await openLink(ctx, link, realClock.now())
    if (session === undefined) return showOld(ctx, request, reply, link)
    openPages(ctx, reply, { businessId: link.businessId, id: session.id })
    const path = await landingPath(ctx, link.businessId, session, request.id)
    return reply.redirect(`${ctx.links.basePath}/portal${path}?lang=${languageFor(request)}`, 303)
  })
}

function requireLink(ctx: PortalContext, request: FastifyRequest): { link: PortalLink; path: string } {
  const { token } = request.params as { token: string }
  const link = readLink(ctx, token)
  if (link === null) throw errors.portal_page_not_found()
  return { link, path: `/portal/open/${token}` }
}

async function showOld(
  ctx: PortalContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { businessId, kind }: PortalLink,
): Promise<FastifyReply> {
  const mailsLinks = await ctx.messages.isEnabled(businessId, 'portal_link')
  const flow = kind === 'message' ? { flow: 'payment_method' } : {}
  return showPlain(ctx, request, reply, {
    businessId,
    path: null,
    status: errors.portal_link_used().status,
    content: (t, name, to) => ({
      title: t.oldTitle,
      body: html`<p>${say(t.oldText, { name })}</p>
        ${mailsLinks && html`<p><a class="button" href="${to(signInPath(businessId), flow)}">${t.newLink}</a></p>`}`,
    }),
  })
}
