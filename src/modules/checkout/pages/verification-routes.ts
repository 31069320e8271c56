import type { FastifyInstance, FastifyReply } from 'fastify'
import { errors } from '../errors.ts'
import type { CheckoutDependencies } from '../dependencies.ts'
import { sendPage } from './request.ts'
import {
  renderVerificationPage,
  renderVerificationPanel,
  type VerificationView,
} from './verification-page.ts'
import { type Visit, visitsOf } from './link-request.ts'

export function registerVerifications(pages: FastifyInstance, deps: CheckoutDependencies): void {
  const visits = visitsOf(deps, 'verification')
  pages.get('/verify/:token', visits(showVerification))
  pages.get('/verify/:token/status', visits(tellVerification))
  pages.post('/verify/:token', visits(confirmVerification))
}

async function readView({ deps, token }: Visit): Promise<VerificationView> {
  const link = deps.links.read('verification', token)
  if (link === null) throw errors.page_not_found()
  if (link.expired) throw errors.link_expired()
  const [profile, verification] = await Promise.all([
    deps.businesses.profile(link.businessId),
    deps.customers.viewVerification(link),
  ])
  return { businessName: profile.name, environment: profile.environment, verification }
}

async function showVerification(visit: Visit): Promise<FastifyReply> {
  const view = await readView(visit)
  const page = renderVerificationPage(view, renderVerificationPanel(view, visit), visit)
  return sendPage(visit.reply, page, view.verification.confirmUrl)
}

async function tellVerification(visit: Visit): Promise<FastifyReply> {
  const view = await readView(visit)
  const panel = renderVerificationPanel(view, visit)
  return visit.reply.send({
    version: panel.version,
    html: panel.html.text,
    waiting: panel.isWaiting,
    // The button leads on to the acquirer, which a page must have been allowed when it was loaded.
    reload: view.verification.confirmUrl !== null,
  })
}

/** The payer pressed the button: the step itself is taken at the acquirer, which sends the payer back to our page. */
async function confirmVerification(visit: Visit): Promise<FastifyReply> {
  const { verification } = await readView(visit)
  return visit.reply.redirect(verification.confirmUrl ?? `${visit.path}?lang=${visit.language}`, 303)
}
