import type { FastifyInstance, FastifyReply } from 'fastify'
import { readBrand } from '../brand/brand.ts'
import { errors } from '../../errors.ts'
import type { CheckoutDependencies } from '../../dependencies.ts'
import { qrCode } from '../../qr-code.ts'
import type { Origins } from '../content-policy.ts'
import { sendPage } from '../request.ts'
import {
  agreementCodeOf,
  renderVerificationPage,
  renderVerificationStatus,
  type VerificationView,
} from './verification-page.ts'
import { type LinkRequest, pageHandler } from '../link-request.ts'
import { returnedMembers } from '../returned.ts'

export function registerVerificationPages(pages: FastifyInstance, deps: CheckoutDependencies): void {
  const page = pageHandler(deps, 'verification')
  pages.get('/verify/:token', page(showVerification))
  pages.get('/verify/:token/status', page(showVerificationStatus))
  pages.get('/verify/:token/wallet.svg', page(showAgreementCode))
}

async function readView(
  { deps, token }: LinkRequest,
  returned?: Readonly<Record<string, string>>,
): Promise<VerificationView> {
  const link = deps.links.read('verification', token)
  if (link === null) throw errors.page_not_found()
  if (link.expired) throw errors.link_expired()
  const [profile, brand, verification] = await Promise.all([
    deps.businesses.profile(link.businessId),
    readBrand(deps, link.businessId),
    deps.customers.viewVerification(link, returned),
  ])
  return { brand, environment: profile.environment, verification }
}

async function showVerification(link: LinkRequest): Promise<FastifyReply> {
  const returned = returnedMembers(link.request)
  if (returned !== null) {
    await readView(link, returned)
    return link.reply.redirect(`${link.path}?lang=${link.language}`, 303)
  }
  const view = await readView(link)
  const page = renderVerificationPage(view, renderVerificationStatus(view, link), link)
  return sendPage(link.reply, page, originsOf(view))
}

async function showAgreementCode(link: LinkRequest): Promise<FastifyReply> {
  const text = agreementCodeOf((await readView(link)).verification)
  if (text === null) throw errors.page_not_found()
  return link.reply.type('image/svg+xml').send(qrCode(text))
}

/** The bank's origin, where the page sends the payer there with a form. */
function originsOf({ verification: { action, confirmUrl } }: VerificationView): Origins {
  if (action?.form === undefined || confirmUrl === null || !URL.canParse(confirmUrl)) return {}
  return { 'form-action': [new URL(confirmUrl).origin] }
}

async function showVerificationStatus(link: LinkRequest): Promise<FastifyReply> {
  const view = await readView(link)
  const content = renderVerificationStatus(view, link)
  return link.reply.send({
    version: content.version,
    html: content.html.text,
    waiting: content.isWaiting,
  })
}
