import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { AccountComponent, Wallets } from '#modules/acquirers'
import type { Transaction } from '#modules/payments'
import { cardConfirmationUrl } from '../../attempts/card-confirmation.ts'
import { exitUrlOf } from '../../model/checkout-state.ts'
import { offerOf } from '../../attempts/offer.ts'
import { errors } from '../../errors.ts'
import type { FieldProblems } from '../../instruments/card-form.ts'
import { isProvedPayer } from '../../payers/payer-session.ts'
import { savedCardsOf } from '../../payers/saved-cards.ts'
import { NO_WALLETS, walletsNamed, withWalletNames } from '../../words/all-words.ts'
import type { BrowserPaymentView } from './component-fields.ts'
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
  const { content, redirectUrl, component, loadedFor, formOrigin } = await statusOf(link, view, shown, true)
  const reloadFrom = state.kind === 'processing' ? `${path}?lang=${language}&${RETURNED}=1` : null
  const page = renderPaymentPage(
    view,
    content,
    { ...link, words: wordsFor(link, view) },
    {
      redirectTo: isBack ? redirectUrl : null,
      reloadFrom,
      loadedFor,
    },
  )
  const origins = { ...component?.origins, ...(formOrigin !== null && { 'form-action': [formOrigin] }) }
  return sendPage(reply.code(isOver ? 410 : status), page, origins)
}

interface PaymentStatus {
  readonly content: StatusContent
  readonly redirectUrl: string | null
  readonly component: AccountComponent | null
  /** What the page must have been loaded for: the account of its component, or a payment that its component confirms. */
  readonly loadedFor: string | null
  readonly formOrigin: string | null
}

async function statusOf(
  link: LinkRequest,
  view: PaymentView,
  { problems, saved }: Pick<PageOptions, 'problems' | 'saved'> = {},
  isPage = false,
): Promise<PaymentStatus> {
  const { deps, path, language, request } = link
  const { state, order, businessId } = view
  const isPaid = state.kind === 'paid' || state.kind === 'refunded'
  const confirmCardUrl = await cardConfirmationUrl(deps, view, language)
  const offer =
    state.kind === 'payable'
      ? await offerOf(deps, view, formOf(request).get('account') ?? null)
      : { methods: new Set<never>(), wallets: NO_WALLETS, cardAcquirer: '', component: null }
  const confirming = await confirmingAt(link, view, isPage)
  const content = renderPaymentStatus(view, wordsFor(link, view, offer.wallets), {
    browserPayment: confirming?.shown ?? null,
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
  const { component: collecting } = offer
  const shownInForm = collecting?.confirmsInBrowser === true ? null : collecting
  const component = confirming === null ? shownInForm : confirming.component
  const loadedFor = confirming === null ? component?.accountId : confirming.transactionId
  const formOrigin = isPage ? formOriginOf(view) : null
  return { content, redirectUrl, component, loadedFor: loadedFor ?? null, formOrigin }
}

interface Confirming {
  readonly component: AccountComponent
  readonly transactionId: string
  readonly shown: BrowserPaymentView | null
}

/**
 * The component that confirms a payment which waits for it. Only a whole page gets its secret: a reply to the script makes it
 * load the page, whose policy lets in the acquirer.
 */
async function confirmingAt(
  { deps }: LinkRequest,
  { state, businessId }: PaymentView,
  isPage: boolean,
): Promise<Confirming | null> {
  if (state.kind !== 'requires_action') return null
  const { id: transactionId, nextAction, acquirerAccountId: accountId, answer, amount } = state.transaction
  if (nextAction?.type !== 'component_confirmation') return null
  const connected = await deps.acquirers.connected(businessId, accountId)
  const component = { ...connected.component, accountId }
  if (!isPage || connected.browserPayment === undefined) return { component, transactionId, shown: null }
  const reply = await connected.browserPayment(answer.gatewayTransactionId)
  const isOurs = reply.kind === 'ok' && reply.value.amount.equals(amount)
  return { component, transactionId, shown: isOurs ? { component, payment: reply.value } : null }
}

/** The bank's origin, where the page sends the payer there with a form. */
function formOriginOf({ state }: PaymentView): string | null {
  if (state.kind !== 'requires_action' || state.transaction.nextAction?.form === undefined) return null
  return URL.canParse(state.url) ? new URL(state.url).origin : null
}

/** A waiting payment has the names of its own account, which routing may not choose any more. */
function wordsFor({ words }: LinkRequest, { brand, state }: PaymentView, offered?: Wallets): Words {
  const wallets =
    state.kind === 'requires_action' ? walletsNamed(state.transaction.instrument.wallet) : offered
  return withWalletNames(words, brand.walletNames, wallets)
}

function redirectUrlOf({ state, order, transactions }: PaymentView): string | null {
  if (state.kind === 'paid') return exitUrlOf(order, state, transactions)
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
  const { content, redirectUrl, loadedFor } = await statusOf(link, view, shown)
  const { state } = view
  return link.reply.code(status).send({
    version: content.version,
    html: content.html.text,
    summary: renderSummary(view, wordsFor(link, view), link).text,
    waiting: content.isWaiting,
    // The page's policy is fixed when the page loads, and only a whole page gets a payment's secret: the script reloads it.
    loaded_for: loadedFor,
    // The browser goes on to a bank's page by itself. A wallet is opened by the payer, perhaps on another device.
    next: state.kind === 'requires_action' && isPlainBankPage(state.transaction) ? state.url : null,
    end: redirectUrl,
  })
}

function isPlainBankPage({ instrument, nextAction }: Transaction): boolean {
  return instrument.acquirerType === 'card' && nextAction?.form === undefined && nextAction?.url !== ''
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
