import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '#kernel/errors'
import {
  type Brand,
  formOf,
  type Language,
  languageFor,
  queryOf,
  readBrand,
  renderPage,
  sendPage,
  type Words,
  wordsOf,
} from '#modules/checkout'
import { actorName, type Caller, type Environment } from '#platform/caller'
import { html, type Html } from '#platform/http/html'
import { nameActor } from '#platform/request-scope'
import type { TimeZone } from '#kernel/time-zone'
import type { PortalContext, Visitor } from '../context.ts'
import { type Allow, allowedBy, type Permission, type PortalSettings } from '../model/allow.ts'
import type { PortalSession } from '../model/session.ts'
import { liveSession, principalOf } from '../sessions/authenticate.ts'
import { readToken } from '../sessions/session-tokens.ts'
import { visitorOf } from '../sessions/visitor.ts'
import { findSettings } from '../storage/settings.repository.ts'
import { portalWordsOf, type PortalWords } from '../words/portal-words.ts'
import type { OperationInput, Operations } from './operations.ts'
import { showEnded } from './plain-page.ts'
import { pageToken } from './session-cookie.ts'
import type { ResponseOf } from './responses.ts'

/** - `words`, `t`: The texts that all hosted pages share, and those of the portal. */
export interface PortalRequest {
  readonly ctx: PortalContext
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly language: Language
  readonly words: Words
  readonly t: PortalWords
  readonly brand: Brand
  readonly zone: TimeZone
  readonly environment: Environment
  readonly session: PortalSession
  readonly settings: PortalSettings
  readonly allow: Allow
  readonly form: ReadonlyMap<string, string>
  readonly params: Readonly<Record<string, string>>
  readonly query: (name: string) => string | undefined
  readonly call: <Name extends string>(name: Name, input?: OperationInput) => Promise<ResponseOf<Name>>
  readonly visitor: (permission?: Permission) => Promise<Visitor>
  readonly file: (name: string, input?: OperationInput) => ReturnType<Operations['file']>
  /** The address of a page of the portal in the language of this one. */
  readonly to: (path: string, query?: Readonly<Record<string, string>>) => string
}

export type PageHandler = (page: PortalRequest) => Promise<FastifyReply>

/** Opens a page for whoever has the cookie of a session. */
export function inSession(ctx: PortalContext, operations: Operations) {
  return (handle: PageHandler) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const claims = readToken(ctx, 'page', pageToken(request))
      const session = claims && (await liveSession(ctx, claims))
      if (claims === null || session?.openedAt == null)
        return showEnded(ctx, request, reply, claims?.businessId ?? null)
      const { businessId } = claims
      const [{ timeZone }, brand, settings] = await Promise.all([
        ctx.businesses.profile(businessId),
        readBrand(ctx, businessId),
        ctx.db.transact(businessId, findSettings),
      ])
      const principal = await principalOf(ctx, businessId, session, settings.allow)
      nameActor(actorName(principal.actor))
      const caller: Caller = { ...principal, requestId: request.id }
      const language = languageFor(request)
      const base = `${ctx.links.basePath}/portal`
      return handle({
        ctx,
        request,
        reply,
        language,
        words: wordsOf(language),
        t: portalWordsOf(language),
        brand,
        zone: timeZone,
        environment: principal.environment,
        session,
        settings,
        allow: allowedBy(principal.scopes, settings.allow),
        form: formOf(request),
        params: request.params as Record<string, string>,
        query: (name) => queryOf(request, name),
        call: (name, input = {}) => operations.read(caller, request, name, input),
        visitor: (permission) => visitorOf(ctx, caller, permission),
        file: (name, input = {}) => operations.file(caller, request, name, input),
        to: (path, query = {}) =>
          `${base}${path}?${new URLSearchParams({ ...query, lang: language }).toString()}`,
      })
    }
}

/** - `param`: The member of the request that was refused. */
export interface Problem {
  readonly text: string
  readonly param?: string | undefined
}

/** - `marksField`: The body has the problem beside the field that is wrong, with the focus; the page begins with a summary. */
export interface PageContent {
  readonly title: string
  readonly path: string
  readonly body: Html
  readonly problem?: Problem | undefined
  readonly marksField?: boolean
}

/** Without a script this alone makes a screen reader say what a form did, and spares others the way past the navigation. */
const FOCUSED = html` tabindex="-1" autofocus`

export function show(
  page: PortalRequest,
  { title, path, body, problem, marksField = false }: PageContent,
): FastifyReply {
  const { ctx, language, brand, environment, t, session } = page
  const notice = page.query('done') === undefined ? undefined : t.saved
  const document = renderPage({
    language,
    basePath: ctx.links.basePath,
    path: `${ctx.links.basePath}/portal${path}`,
    title,
    brand,
    isTest: environment === 'test',
    hasScript: false,
    style: ctx.style,
    body: html`${navigation(page, path)}
      ${session.isReadOnly && html`<p class="test-mode" role="note">${t.readOnly}</p>`}
      ${notice !== undefined && problem === undefined && html`<p class="notice good" role="status" ${FOCUSED}>${notice}</p>`}
      ${
        problem !== undefined &&
        html`<div class="problem" role="alert" ${!marksField && FOCUSED}>
          <p>${marksField ? page.words.problems.summary : problem.text}</p>
        </div>`
      }
      <h1 class="page-title">${title}</h1>
      ${body}`,
  })
  return sendPage(page.reply, document)
}

function navigation(page: PortalRequest, path: string): Html {
  const { t, allow, to, words, brand } = page
  const returnUrl = page.session.returnUrl ?? page.settings.returnUrl
  const link = (target: string, label: string) => {
    const isHere = target === '' ? path === '' || path.startsWith('/plans') : path.startsWith(target)
    return html`<li><a href="${to(target)}" ${isHere && html`aria-current="page"`}>${label}</a></li>`
  }
  return html`<nav class="portal-nav" aria-label="${t.account}">
    <ul>
      ${link('', t.plans)} ${allow.invoices && link('/invoices', t.invoices)}
      ${allow.payment_methods !== false && link('/cards', t.cards)}
      ${allow.billing_details && link('/details', t.details)}
      ${returnUrl !== null && html`<li><a href="${returnUrl}">${words.goBack.replace('{name}', () => brand.name)}</a></li>`}
      <li>
        <form method="post" action="${to('/sign-out')}">
          <button type="submit" class="plain">${t.signOut}</button>
        </form>
      </li>
    </ul>
  </nav>`
}

/** Runs what a form asks for. If that is refused, shows the page of the form again with the problem. */
export async function submit(
  page: PortalRequest,
  work: () => Promise<FastifyReply>,
  again: (problem: Problem, error: RequestError) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RequestError) || error.status === 401 || error.status >= 500) throw error
    page.reply.code(error.status)
    return again({ text: problemText(page, error), param: error.detail.param }, error)
  }
}

function problemText({ t, words }: PortalRequest, { reason, status, detail }: RequestError): string {
  if (status === 402) return words.declines[detail.declineCode ?? ''] ?? words.declinedText
  const known = t.problems as Readonly<Record<string, string>>
  return known[reason] ?? known['other'] ?? ''
}

export function redirect(page: PortalRequest, path: string): FastifyReply {
  return page.reply.redirect(page.to(path, { done: '1' }), 303)
}

/**
 * Leads to another site after a form. The policy of the pages (form-action) keeps browsers from following such a redirect, so a page
 * is shown that leads there.
 */
export function redirectToSite(
  page: PortalRequest,
  url: string,
  { title, link }: { readonly title: string; readonly link: string },
): FastifyReply {
  const { ctx, reply, language, brand, environment } = page
  if (new URL(url).origin === new URL(ctx.publicUrl()).origin) return reply.redirect(url, 303)
  const document = renderPage({
    language,
    basePath: ctx.links.basePath,
    path: null,
    title,
    brand,
    isTest: environment === 'test',
    hasScript: false,
    style: ctx.style,
    redirectTo: url,
    body: html`<section class="status centered">
      <h1>${title}</h1>
      <p><a class="button" href="${url}">${link}</a></p>
    </section>`,
  })
  return sendPage(reply, document)
}
