import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { freeTotal } from '#modules/payments'
import { WORDS } from './all-words.ts'
import type { FieldProblems, PaymentForm } from './card-form.ts'
import { wayOut } from './checkout-order.ts'
import { errors } from './errors.ts'
import type { CheckoutNeeds } from './needs.ts'
import { payByForm } from './pay.ts'
import { renderPaymentPage } from './payment-page.ts'
import type { Panel } from './panel.ts'
import { renderPanel } from './payment-panel.ts'
import { readPaymentView } from './payment-view.ts'
import type { PaymentView } from './payment-view.ts'
import { qrCode } from './qr-code.ts'
import { unconfirmedCardUrl } from './unconfirmed-card.ts'
import { formOf, languageFor, queryOf, sendPage, tokenOf, wantsHtml } from './request.ts'

/** In the query of the address that the payer comes back to: from the acquirer, or from a form that was sent. */
const BACK = 'back'

export function registerPayments(pages: FastifyInstance, needs: CheckoutNeeds): void {
  pages.get('/pay/:token', (request, reply) => showPayment(needs, request, reply))
  pages.get('/pay/:token/status', (request, reply) => tellStatus(needs, request, reply))
  pages.post('/pay/:token', (request, reply) => takePayment(needs, request, reply))
  pages.post('/pay/:token/cancel', (request, reply) => takeBack(needs, request, reply))
  pages.get('/pay/:token/qr.svg', (request, reply) => showQrCode(needs, request, reply))
  pages.get('/pay/:token/wallet.svg', (request, reply) => showWalletCode(needs, request, reply))
}

async function showPayment(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const view = await readCurrentView(needs, tokenOf(request))
  return answerPage(needs, request, reply, view)
}

async function answerPage(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  view: PaymentView,
  problems?: FieldProblems,
): Promise<FastifyReply> {
  const { standing, order } = view
  const isBack = queryOf(request, BACK) !== undefined
  // Behind a form a browser follows no redirect to another site (form-action): there the page itself sends the payer on.
  if (standing.kind === 'closed' && order.timeout?.url && !isBack)
    return reply.redirect(order.timeout.url, 302)
  const isOver = standing.kind === 'voided' || standing.kind === 'expired' || standing.kind === 'closed'
  if (isOver && !wantsHtml(request)) throw errors.order_closed()
  const language = languageFor(request)
  const { panel, end } = await panelOf(needs, request, view, problems)
  reply.code(isOver ? 410 : problems === undefined ? 200 : 422)
  const path = pathOf(needs, request)
  const redirectTo = isBack ? end : null
  return sendPage(
    reply,
    renderPaymentPage(view, panel, {
      language,
      words: WORDS[language],
      basePath: needs.links.basePath,
      path,
      redirectTo,
    }),
  )
}

/** The panel; and where the payer goes on to when there is nothing more to do here. */
async function panelOf(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  view: PaymentView,
  problems?: FieldProblems,
): Promise<{ panel: Panel; end: string | null }> {
  const { standing, order, businessId } = view
  const language = languageFor(request)
  const isPaid = standing.kind === 'paid' || standing.kind === 'refunded'
  const saveUrl = await unconfirmedCardUrl(needs, view)
  const panel = renderPanel(view, WORDS[language], {
    path: pathOf(needs, request),
    language,
    attempt: newAttempt(),
    ...(problems !== undefined && { problems }),
    receiptUrl: isPaid
      ? `${needs.links.make({ businessId, purpose: 'download', id: order.id })}?lang=${language}`
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
async function tellStatus(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const view = await readCurrentView(needs, tokenOf(request))
  return answerStatus(needs, request, reply, view)
}

/** The order as it stands, after the acquirer was asked about what is under way. */
async function readCurrentView(needs: CheckoutNeeds, token: string): Promise<PaymentView> {
  const view = await readPaymentView(needs, token)
  const { kind } = view.standing
  if (kind !== 'action' && kind !== 'processing') return view
  await needs.payments.askNow(view.businessId, view.order.id)
  return readPaymentView(needs, token)
}

async function answerStatus(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  view: PaymentView,
): Promise<FastifyReply> {
  const { panel, end } = await panelOf(needs, request, view)
  const { standing } = view
  return reply.type('application/json; charset=utf-8').send(
    JSON.stringify({
      version: panel.version,
      html: panel.html.text,
      waiting: panel.isWaiting,
      // A bank's page is the next step; a wallet is opened by the payer, on this device or another.
      next:
        standing.kind === 'action' && standing.transaction.instrument.acquirerType === 'card'
          ? standing.url
          : null,
      end,
    }),
  )
}

async function takePayment(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = tokenOf(request)
  const view = await readPaymentView(needs, token)
  const words = WORDS[languageFor(request)]
  const comeBackTo = comeBackAddress(needs, request)
  const problems = await payByForm(needs, readForm(request, view), {
    view,
    words,
    comeBackTo,
    requestId: request.id,
  })
  if (problems !== null) {
    if (wantsHtml(request)) return answerPage(needs, request, reply, view, problems)
    return reply.code(422).type('application/json; charset=utf-8').send(JSON.stringify({ problems }))
  }
  if (wantsHtml(request)) return comeBack(needs, request, reply)
  return answerStatus(needs, request, reply, await readPaymentView(needs, token))
}

/** The payer would rather pay in another way than confirm what is under way. */
async function takeBack(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = tokenOf(request)
  const { businessId, standing, order } = await readPaymentView(needs, token)
  if (standing.kind === 'action') await needs.payments.takeBack(businessId, order.id, standing.transaction.id)
  if (wantsHtml(request)) return comeBack(needs, request, reply)
  return answerStatus(needs, request, reply, await readPaymentView(needs, token))
}

/** From a form that was sent without our script. */
function comeBack(needs: CheckoutNeeds, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.redirect(`${pathOf(needs, request)}?lang=${languageFor(request)}&${BACK}=1`, 303)
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
function comeBackAddress(needs: CheckoutNeeds, request: FastifyRequest): string {
  const page = needs.links.addressOf('payment', tokenOf(request))
  return `${page}?lang=${languageFor(request)}&${BACK}=1`
}

/** The page's own path, as the browser has it. */
function pathOf(needs: CheckoutNeeds, request: FastifyRequest): string {
  return `${needs.links.basePath}/pay/${tokenOf(request)}`
}

async function showQrCode(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = tokenOf(request)
  // Only of a page that there is.
  await readPaymentView(needs, token)
  return reply.type('image/svg+xml').send(qrCode(needs.links.addressOf('payment', token)))
}

/** The code of the wallet's own page, for a payer who reads this one on another device. */
async function showWalletCode(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { standing } = await readPaymentView(needs, tokenOf(request))
  if (standing.kind !== 'action') throw errors.page_not_found()
  return reply.type('image/svg+xml').send(qrCode(standing.url))
}
