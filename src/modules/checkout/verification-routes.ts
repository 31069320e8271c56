import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { VerificationLink } from '#modules/customers'
import { WORDS } from './all-words.ts'
import { errors } from './errors.ts'
import type { CheckoutNeeds } from './needs.ts'
import { languageFor, sendPage, tokenOf } from './request.ts'
import { renderVerificationPage, renderVerificationPanel } from './verification-page.ts'
import type { VerificationView } from './verification-page.ts'

export function registerVerifications(pages: FastifyInstance, needs: CheckoutNeeds): void {
  pages.get('/verify/:token', (request, reply) => showVerification(needs, request, reply))
  pages.get('/verify/:token/status', (request, reply) => tellVerification(needs, request, reply))
}

function linkOf(needs: CheckoutNeeds, request: FastifyRequest): VerificationLink {
  const link = needs.links.read('verification', tokenOf(request))
  if (link === null) throw errors.page_not_found()
  if (link.expired) throw errors.link_expired()
  return { businessId: link.businessId, id: link.id }
}

async function readView(needs: CheckoutNeeds, link: VerificationLink): Promise<VerificationView> {
  const [profile, verification] = await Promise.all([
    needs.businesses.profile(link.businessId),
    needs.customers.verification(link),
  ])
  return { businessName: profile.name, environment: profile.environment, verification }
}

async function showVerification(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const view = await readView(needs, linkOf(needs, request))
  const language = languageFor(request)
  const words = WORDS[language]
  const path = pathOf(needs, request)
  const panel = renderVerificationPanel(view, words, path, language)
  const document = renderVerificationPage(view, panel, {
    language,
    words,
    basePath: needs.links.basePath,
    path,
  })
  return sendPage(reply, document)
}

async function tellVerification(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const view = await readView(needs, linkOf(needs, request))
  const language = languageFor(request)
  const panel = renderVerificationPanel(view, WORDS[language], pathOf(needs, request), language)
  return reply
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ version: panel.version, html: panel.html.text, waiting: panel.isWaiting }))
}

/** The page's own path, as the browser has it. */
function pathOf(needs: CheckoutNeeds, request: FastifyRequest): string {
  return `${needs.links.basePath}/verify/${tokenOf(request)}`
}
