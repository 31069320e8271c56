import type { IncomingHttpHeaders } from 'node:http'
import { say } from '#kernel/say'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { realClock } from '#kernel/clock'
import { limitPages, registerErrorPages } from '#modules/checkout'
import { createLimit } from '#platform/http/rate-limit'
import { isStorable } from '#platform/http/validation/strings'
import type { PortalContext } from '../context.ts'
import { errors } from '../errors.ts'
import { endSession } from '../storage/session.repository.ts'
import { addCard, deleteCard, makeDefault, showCards } from './card-pages.ts'
import { saveDetails, showDetails } from './details-page.ts'
import { downloadInvoice, payInvoice, showInvoices, showPay } from './invoice-pages.ts'
import { registerLinks } from './link-routes.ts'
import type { Operations } from './operations.ts'
import { showOverview } from './overview-page.ts'
import { inSession, redirectToSite, type PageHandler, type PortalRequest } from './page-request.ts'
import {
  acceptOffer,
  cancelPlan,
  changePlan,
  pausePlan,
  reactivatePlan,
  resumePlan,
  showCancel,
  showChange,
  showPause,
  showPlan,
  uncancelPlan,
} from './plan-pages.ts'
import { closePages } from './session-cookie.ts'
import { showEnded } from './plain-page.ts'
import { registerSignIn } from './sign-in-routes.ts'
import { styleAsset } from './style.ts'

/** The limit of reference/portal#pages. */
const FORMS_OF_ADDRESS_A_MINUTE = 300

export function portalPages(ctx: PortalContext, operations: Operations): (app: FastifyInstance) => void {
  return (app) => {
    void app.register(async (pages) => {
      registerErrorPages(pages, ctx)
      limitPages(pages)
      pages.addHook('onRequest', async (request) => refuseForeign(request, ctx.publicUrl()))
      const countForm = createLimit(pages, { max: FORMS_OF_ADDRESS_A_MINUTE })
      registerLinks(pages, ctx, countForm)
      registerSignIn(pages, ctx, countForm)
      const open = inSession(ctx, operations)
      for (const [path, handle] of Object.entries(SHOWN)) pages.get(`/portal${path}`, open(handle))
      for (const [path, handle] of Object.entries(FORMS)) {
        pages.post(`/portal${path}`, { preHandler: (request) => countForm(request) }, open(handle))
      }
      pages.get('/portal/*', () => {
        throw errors.portal_page_not_found()
      })
      pages.get(styleAsset.path, (_request, reply) =>
        reply
          .type(styleAsset.type)
          .header('cache-control', 'public, max-age=31536000, immutable')
          .send(styleAsset.content),
      )
    })
  }
}

/**
 * A page of another site could have a visitor open a link of somebody else, whose account would then get the visitor's card, or have
 * links mailed. No object has an id that PostgreSQL does not store.
 */
function refuseForeign({ method, headers, host, params }: FastifyRequest, publicUrl: string): void {
  if (method === 'POST' && isForeign(headers, host, publicUrl)) throw errors.portal_not_allowed()
  const ids = Object.values(params as Readonly<Record<string, string>>)
  if (!ids.every(isStorable)) throw errors.portal_page_not_found()
}

/** Older browsers send `Origin` alone. It is `null` on forms of our own pages, which send no referrer. */
function isForeign({ 'sec-fetch-site': site, origin }: IncomingHttpHeaders, host: string, publicUrl: string) {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined || origin === 'null') return false
  return ![new URL(publicUrl).host, host].includes(URL.parse(origin)?.host ?? '')
}

const SHOWN: Readonly<Record<string, PageHandler>> = {
  '': showOverview,
  '/plans/:id': (page) => showPlan(page),
  '/plans/:id/change': (page) => showChange(page),
  '/plans/:id/pause': (page) => showPause(page),
  '/plans/:id/cancel': (page) => showCancel(page),
  '/invoices': showInvoices,
  '/invoices/:id/document': downloadInvoice,
  '/invoices/:id/pay': (page) => showPay(page),
  '/cards': (page) => showCards(page),
  '/details': (page) => showDetails(page),
}

const FORMS: Readonly<Record<string, PageHandler>> = {
  '/plans/:id/change': changePlan,
  '/plans/:id/pause': pausePlan,
  '/plans/:id/resume': resumePlan,
  '/plans/:id/cancel': cancelPlan,
  '/plans/:id/uncancel': uncancelPlan,
  '/plans/:id/accept_offer': acceptOffer,
  '/plans/:id/reactivate': reactivatePlan,
  '/invoices/:id/pay': payInvoice,
  '/cards': addCard,
  '/cards/:token/default': makeDefault,
  '/cards/:token/delete': deleteCard,
  '/details': saveDetails,
  '/sign-out': signOut,
}

async function signOut(page: PortalRequest) {
  const { ctx, request, reply, session, settings, brand, t, words } = page
  await ctx.db.transact(brand.businessId, (tx) => endSession(tx, session.id, realClock.now()))
  closePages(ctx, reply)
  const returnUrl = session.returnUrl ?? settings.returnUrl
  if (returnUrl === null) return showEnded(ctx, request, reply, brand.businessId)
  return redirectToSite(page, returnUrl, {
    title: t.endedTitle,
    link: say(words.goBack, { name: brand.name }),
  })
}
