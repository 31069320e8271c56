import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { AccountComponent } from '#modules/acquirers'
import { cardConfirmationUrl } from '../../attempts/card-confirmation.ts'
import { exitUrlOf } from '../../model/checkout-state.ts'
import { offerOf } from '../../attempts/offer.ts'
import { errors } from '../../errors.ts'
import type { FieldProblems } from '../../instruments/card-form.ts'
import { isProvedPayer } from '../../payers/payer-session.ts'
import { savedCardsOf } from '../../payers/saved-cards.ts'
import { withWalletNames } from '../../words/all-words.ts'
import type { Words } from '../../words/words.ts'
import type { LinkRequest } from '../link-request.ts'
import { formOf, queryOf, sendPage, wantsHtml } from '../request.ts'
import type { StatusContent } from '../status-section.ts'
import { renderPaymentPage, renderSummary } from './payment-page.ts'
import { renderPaymentStatus } from './payment-status.ts'
import type { PaymentView } from '../../model/payment-view.ts'
import type { SavedCards } from './saved-cards.ts'

export const RETURNED = 'back'

export interface PageOptions {
  readonly problems?: FieldProblems
  readonly status?: number
  readonly saved?: SavedCards
}

export async function sendPaymentPage(
  link: LinkRequest,
  view: PaymentView,
  { status = 200, ...shown }: PageOptions = {},
): Promise<FastifyReply> {
  const { request, reply, path, language } = link
  const { state, order } = view
  const isBack = queryOf(request, RETURNED) !== undefined
  // A browser does not follow a form's redirect to another site (form-action), so in that case the page itself
  // redirects.
  if (state.kind === 'closed' && order.timeout?.url && !isBack) return reply.redirect(order.timeout.url, 302)
  const isOver = state.kind === 'voided' || state.kind === 'expired' || state.kind === 'closed'
  if (isOver && !wantsHtml(request)) throw errors.order_closed()
  const { content, redirectUrl, component } = await statusOf(link, view, shown)
  const reloadFrom = state.kind === 'processing' ? `${path}?lang=${language}&${RETURNED}=1` : null
  const page = renderPaymentPage(
    view,
    content,
    { ...link, words: wordsFor(link, view) },
    {
      redirectTo: isBack ? redirectUrl : null,
      reloadFrom,
      account: component?.accountId ?? null,
    },
  )
  return sendPage(reply.code(isOver ? 410 : status), page, component?.origins)
}

interface PaymentStatus {
  readonly content: StatusContent
  readonly redirectUrl: string | null
  readonly component: AccountComponent | null
}

async function statusOf(
  link: LinkRequest,
  view: PaymentView,
  { problems, saved }: Pick<PageOptions, 'problems' | 'saved'> = {},
): Promise<PaymentStatus> {
  const { deps, path, language, request } = link
  const { state, order, businessId } = view
  const isPaid = state.kind === 'paid' || state.kind === 'refunded'
  const confirmCardUrl = await cardConfirmationUrl(deps, view, language)
  const offer =
    state.kind === 'payable'
      ? await offerOf(deps, view, formOf(request).get('account') ?? null)
      : { methods: new Set<never>(), cardAcquirer: '', component: null }
  const content = renderPaymentStatus(view, wordsFor(link, view), {
    path,
    language,
    attempt: newAttempt(),
    saved: saved ?? (await savedCardsFor(link, view)),
    offer,
    ...(problems !== undefined && { problems }),
    receiptUrl: isPaid
      ? `${deps.links.make({ businessId, purpose: 'download', id: order.id })}?lang=${language}`
      : null,
    confirmCardUrl,
  })
  const redirectUrl = confirmCardUrl === null ? redirectUrlOf(view) : null
  return { content, redirectUrl, component: offer.component }
}

function wordsFor({ words }: LinkRequest, { brand }: PaymentView): Words {
  return withWalletNames(words, brand.walletNames)
}

function redirectUrlOf({ state, order }: PaymentView): string | null {
  if (state.kind === 'paid') return exitUrlOf(order, state)
  return state.kind === 'expired' || state.kind === 'closed' ? (order.timeout?.url ?? null) : null
}

/** Shows saved cards to nobody but a payer who has proved to be the order's customer. */
async function savedCardsFor(
  link: LinkRequest,
  { businessId, order, state }: PaymentView,
): Promise<SavedCards> {
  const { deps } = link
  const { customerUuid } = order
  if (state.kind !== 'payable' || customerUuid === null) return { kind: 'none' }
  if (isProvedPayer(link, { businessId, order })) {
    const cards = await deps.db.transact(businessId, (tx) => savedCardsOf(deps, tx, customerUuid))
    return { kind: 'proved', cards }
  }
  return deps.mailer === undefined ? { kind: 'none' } : { kind: 'unknown', email: '', problem: null }
}

export async function sendStatus(
  link: LinkRequest,
  view: PaymentView,
  { status = 200, ...shown }: PageOptions = {},
): Promise<FastifyReply> {
  const { content, redirectUrl, component } = await statusOf(link, view, shown)
  const { state } = view
  return link.reply.code(status).send({
    version: content.version,
    html: content.html.text,
    summary: renderSummary(view, wordsFor(link, view), link.path).text,
    waiting: content.isWaiting,
    // The page's policy is fixed when the page loads, so the script reloads the page when the account changes.
    account: component?.accountId ?? null,
    // The browser goes on to a bank's page by itself. A wallet is opened by the payer, perhaps on another device.
    next:
      state.kind === 'requires_action' && state.transaction.instrument.acquirerType === 'card'
        ? state.url
        : null,
    end: redirectUrl,
  })
}

export async function respond(
  link: LinkRequest,
  view: PaymentView,
  options: PageOptions = {},
): Promise<FastifyReply> {
  return wantsHtml(link.request) ? sendPaymentPage(link, view, options) : sendStatus(link, view, options)
}

export function newAttempt(): string {
  return randomBytes(16).toString('base64url')
}
