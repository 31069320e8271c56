import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageFor, readBrand, renderPage, sendPage } from '#modules/checkout'
import { html, type Html } from '#platform/http/html'
import type { PortalContext } from '../context.ts'
import { signInPath } from '../model/session.ts'
import { portalWordsOf, type PortalWords } from '../words/portal-words.ts'

export interface PlainPage {
  /** Null where the request does not say of which business it is. */
  readonly businessId: string | null
  readonly path: string | null
  readonly status?: number
  readonly content: (
    t: PortalWords,
    name: string,
    to: (path: string, query?: Readonly<Record<string, string>>) => string,
  ) => { readonly title: string; readonly body: Html }
}

/** Shows a page to somebody who is not signed in. */
export async function showPlain(
  ctx: PortalContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { businessId, path, status = 200, content }: PlainPage,
): Promise<FastifyReply> {
  const language = languageFor(request)
  const { basePath } = ctx.links
  const [brand, profile] =
    businessId === null
      ? [null, null]
      : await Promise.all([readBrand(ctx, businessId), ctx.businesses.profile(businessId)])
  const to = (target: string, query: Readonly<Record<string, string>> = {}) =>
    `${basePath}${target}?${new URLSearchParams({ ...query, lang: language }).toString()}`
  const { title, body } = content(portalWordsOf(language), brand?.name ?? '', to)
  const document = renderPage({
    language,
    basePath,
    path: path === null ? null : `${basePath}${path}`,
    title,
    brand,
    isTest: profile?.environment === 'test',
    hasScript: false,
    style: ctx.style,
    body: html`<section class="status centered">
      <h1>${title}</h1>
      ${body}
    </section>`,
  })
  return sendPage(reply.status(status), document)
}

/** For those whose session has ended: another link by mail, where the business mails any. */
export async function showEnded(
  ctx: PortalContext,
  request: FastifyRequest,
  reply: FastifyReply,
  businessId: string | null,
): Promise<FastifyReply> {
  const mailsLinks = businessId !== null && (await ctx.messages.isEnabled(businessId, 'portal_link'))
  return showPlain(ctx, request, reply, {
    businessId,
    path: null,
    status: 401,
    content: (t, _name, to) => ({
      title: t.endedTitle,
      body: html`<p>${t.endedText}</p>
        ${mailsLinks && html`<p><a class="button" href="${to(signInPath(businessId))}">${t.newLink}</a></p>`}`,
    }),
  })
}
