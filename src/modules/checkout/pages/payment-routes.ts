import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { freeTotal } from '#modules/payments'
import type { FieldProblems, PaymentForm } from '../paying/card-form.ts'
import { wayOut } from '../paying/checkout-order.ts'
import { errors } from '../errors.ts'
import type { CheckoutDependencies } from '../dependencies.ts'
import { payByForm } from '../paying/pay.ts'
import { renderPaymentPage, renderSummary } from './payment-page.ts'
import type { Panel } from './panel.ts'
import { renderPanel } from './payment-panel.ts'
import { type PaymentView, readPaymentView } from './payment-view.ts'
import { qrCode } from '../qr-code.ts'
import { unconfirmedCardUrl } from '../paying/unconfirmed-card.ts'
import { formOf, queryOf, sendPage, wantsHtml } from './request.ts'
import { type Visit, visitsOf } from './link-request.ts'

/** In the query of the address that the payer comes back to: from the acquirer, or from a form that was sent. */
const BACK = 'back'
/**
 * A form has less than 5 kB. Whoever has a link may send one without a key: a megabyte of `a&a&…`, half a million fields,
 * held up everybody else for six seconds.
 */
const MAX_FORM_BYTES = 16 * 1024

export function registerPayments(pages: FastifyInstance, deps: CheckoutDependencies): void {
  const visits = visitsOf(deps, 'payment')
  pages.get('/pay/:token', visits(showPayment))
  pages.get('/pay/:token/status', visits(tellStatus))
  pages.post('/pay/:token', { bodyLimit: MAX_FORM_BYTES }, visits(takePayment))
  pages.post('/pay/:token/cancel', visits(takeBack))
  pages.get('/pay/:token/qr.svg', visits(showQrCode))
  pages.get('/pay/:token/wallet.svg', visits(showWalletCode))
}

async function showPayment(visit: Visit): Promise<FastifyReply> {
  return answerPage(visit, await readCurrentView(visit))
}

async function answerPage(visit: Visit, view: PaymentView, problems?: FieldProblems): Promise<FastifyReply> {
  const { request, reply } = visit
  const { standing, order } = view
  const isBack = queryOf(request, BACK) !== undefined
  // Behind a form a browser follows no redirect to another site (form-action): there the page itself sends the payer on.
  if (standing.kind === 'closed' && order.timeout?.url && !isBack)
    return reply.redirect(order.timeout.url, 302)
  const isOver = standing.kind === 'voided' || standing.kind === 'expired' || standing.kind === 'closed'
  if (isOver && !wantsHtml(request)) throw errors.order_closed()
  const { panel, end } = await panelOf(visit, view, problems)
  reply.code(isOver ? 410 : problems === undefined ? 200 : 422)
  return sendPage(reply, renderPaymentPage(view, panel, visit, isBack ? end : null))
}

/** The panel; and where the payer goes on to when there is nothing more to do here. */
async function panelOf(
  { deps, path, language, words }: Visit,
  view: PaymentView,
  problems?: FieldProblems,
): Promise<{ panel: Panel; end: string | null }> {
  const { standing, order, businessId } = view
  const isPaid = standing.kind === 'paid' || standing.kind === 'refunded'
  const saveUrl = await unconfirmedCardUrl(deps, view, language)
  const panel = renderPanel(view, words, {
    path,
    language,
    attempt: newAttempt(),
    ...(problems !== undefined && { problems }),
    receiptUrl: isPaid
      ? `${deps.links.make({ businessId, purpose: 'download', id: order.id })}?lang=${language}`
      : null,
    saveUrl,
  })
  return { panel, end: saveUrl === null ? endOf(view) : null }
}

/** Where a page that was open is left: for the shop once the order is paid, for the timeout's address once its time ran out. */
function endOf({ standing, order }: PaymentView): string | null {
  if (standing.kind === 'paid') return wayOut(order, standing)
  return standing.kind === 'expired' || standing.kind === 'closed' ? (order.timeout?.url ?? null) : null
}

/** What our script asks while something is under way, and gets when it has sent the form. */
async function tellStatus(visit: Visit): Promise<FastifyReply> {
  return answerStatus(visit, await readCurrentView(visit))
}

/** The order as it stands, after the acquirer was asked about what is under way. */
async function readCurrentView({ deps, token }: Visit): Promise<PaymentView> {
  const view = await readPaymentView(deps, token)
  const { kind } = view.standing
  if (kind !== 'action' && kind !== 'processing') return view
  await deps.payments.refreshStatus(view.businessId, view.order.id)
  return readPaymentView(deps, token)
}

async function answerStatus(visit: Visit, view: PaymentView): Promise<FastifyReply> {
  const { panel, end } = await panelOf(visit, view)
  const { standing } = view
  return visit.reply.send({
    version: panel.version,
    html: panel.html.text,
    // What was paid and what is left have changed with it.
    summary: renderSummary(view, visit.words, visit.path).text,
    waiting: panel.isWaiting,
    // A bank's page is the next step; a wallet is opened by the payer, on this device or another.
    next:
      standing.kind === 'action' && standing.transaction.instrument.acquirerType === 'card'
        ? standing.url
        : null,
    end,
  })
}

async function takePayment(visit: Visit): Promise<FastifyReply> {
  const { deps, token, words, request, reply } = visit
  const view = await readPaymentView(deps, token)
  const problems = await payByForm(deps, readForm(request, view), {
    view,
    words,
    comeBackTo: comeBackAddress(visit),
    requestId: request.id,
  })
  if (problems !== null) {
    if (wantsHtml(request)) return answerPage(visit, view, problems)
    return reply.code(422).send({ problems })
  }
  return comeBack(visit)
}

/** The payer would rather pay in another way than confirm what is under way. */
async function takeBack(visit: Visit): Promise<FastifyReply> {
  const { deps, token } = visit
  const { businessId, standing, order } = await readPaymentView(deps, token)
  if (standing.kind === 'action')
    await deps.payments.cancelPending(businessId, order.id, standing.transaction.id)
  return comeBack(visit)
}

/** Back to the page, from a form that was sent without our script; the script is told how the order stands now. */
async function comeBack(visit: Visit): Promise<FastifyReply> {
  const { deps, token, request, reply, path, language } = visit
  if (wantsHtml(request)) return reply.redirect(`${path}?lang=${language}&${BACK}=1`, 303)
  return answerStatus(visit, await readPaymentView(deps, token))
}

function newAttempt(): string {
  return randomBytes(16).toString('base64url')
}

function readForm(request: FastifyRequest, { order }: PaymentView): PaymentForm {
  const form = formOf(request)
  const text = (name: string): string => form.get(name) ?? ''
  // Without an attempt, which every form of ours has, nothing makes two requests one.
  const attempt = /^[\w-]{16,64}$/.test(text('attempt')) ? text('attempt') : newAttempt()
  return {
    attempt,
    // Whoever sends no amount, as no form of ours does, means all that is left.
    amount: form.get('amount') ?? freeTotal(order).toString(),
    method: text('method'),
    number: text('number'),
    expiry: text('expiry'),
    cvc: text('cvc'),
    name: text('name'),
    save: text('save') === 'yes',
  }
}

/** The page itself, under the address that the world knows. */
function comeBackAddress({ deps, token, language }: Visit): string {
  return `${deps.links.addressOf('payment', token)}?lang=${language}&${BACK}=1`
}

async function showQrCode({ deps, token, reply }: Visit): Promise<FastifyReply> {
  // Only of a page that there is.
  await readPaymentView(deps, token)
  return reply.type('image/svg+xml').send(qrCode(deps.links.addressOf('payment', token)))
}

/** The code of the wallet's own page, for a payer who reads this one on another device. */
async function showWalletCode({ deps, token, reply }: Visit): Promise<FastifyReply> {
  const { standing } = await readPaymentView(deps, token)
  if (standing.kind !== 'action') throw errors.page_not_found()
  return reply.type('image/svg+xml').send(qrCode(standing.url))
}
