import type { FastifyInstance, FastifyReply } from 'fastify'
import { errors } from '../../errors.ts'
import type { CheckoutDependencies } from '../../dependencies.ts'
import { sendPage } from '../request.ts'
import {
  renderVerificationPage,
  renderVerificationStatus,
  type VerificationView,
} from './verification-page.ts'
import { type LinkRequest, pageHandler } from '../link-request.ts'
import type { LimitPosts } from '../post-limits.ts'

export function registerVerificationPages(
  pages: FastifyInstance,
  deps: CheckoutDependencies,
  limitPosts: LimitPosts,
): void {
  const page = pageHandler(deps, 'verification')
  pages.get('/verify/:token', page(showVerification))
  pages.get('/verify/:token/status', page(showVerificationStatus))
  pages.post('/verify/:token', { onRequest: limitPosts('verification') }, page(confirmVerification))
}

async function readView({ deps, token }: LinkRequest): Promise<VerificationView> {
  const link = deps.links.read('verification', token)
  if (link === null) throw errors.page_not_found()
  if (link.expired) throw errors.link_expired()
  const [profile, verification] = await Promise.all([
    deps.businesses.profile(link.businessId),
    deps.customers.viewVerification(link),
  ])
  return { businessName: profile.name, environment: profile.environment, verification }
}

async function showVerification(link: LinkRequest): Promise<FastifyReply> {
  const view = await readView(link)
  const page = renderVerificationPage(view, renderVerificationStatus(view, link), link)
  return sendPage(link.reply, page, view.verification.confirmUrl)
}

async function showVerificationStatus(link: LinkRequest): Promise<FastifyReply> {
  const view = await readView(link)
  const content = renderVerificationStatus(view, link)
  return link.reply.send({
    version: content.version,
    html: content.html.text,
    waiting: content.isWaiting,
    // The button's form leads to the acquirer. The policy that allows this (form-action) is fixed when the page loads.
    reload: view.verification.confirmUrl !== null,
  })
}

async function confirmVerification(link: LinkRequest): Promise<FastifyReply> {
  const { verification } = await readView(link)
  return link.reply.redirect(verification.confirmUrl ?? `${link.path}?lang=${link.language}`, 303)
}
