import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { freeTotal } from '#modules/payments'
import { submitPayment } from '../../attempts/pay.ts'
import type { CountRequest } from '#platform/http/rate-limit'
import type { CheckoutDependencies } from '../../dependencies.ts'
import { errors } from '../../errors.ts'
import type { PaymentForm } from '../../instruments/card-form.ts'
import { payerDevice } from '../../instruments/payer-device.ts'
import { isProvedPayer } from '../../payers/payer-session.ts'
import { codeOf } from '../../model/payer-action.ts'
import { qrCode } from '../../qr-code.ts'
import { type LinkRequest, pageHandler } from '../link-request.ts'
import { formOf, queryOf, wantsHtml } from '../request.ts'
import { returnedMembers } from '../returned.ts'
import { newAttempt, respond, RETURNED, sendPaymentPage, sendStatus } from './payment-responses.ts'
import { readPaymentView } from './payment-view.ts'
import type { PaymentView } from '../../model/payment-view.ts'
import { acceptCustomerSession, hideCards, proveByCode, sendCode } from './payer-steps.ts'

/** With the pauses 1.5 s, for which the browser of a payer who returns waits. */
const MAX_RETURN_TRIES = 5
const RETURN_PAUSE_MS = 300

export function registerPaymentPages(
  pages: FastifyInstance,
  deps: CheckoutDependencies,
  onRequest: CountRequest,
): void {
  const page = pageHandler(deps, 'payment')
  pages.get('/pay/:token', page(showPayment))
  pages.get('/pay/:token/status', page(showStatus))
  pages.post('/pay/:token', { onRequest }, page(submitForm))
  pages.post('/pay/:token/cancel', { onRequest }, page(cancelPayment))
  pages.post('/pay/:token/code', { onRequest }, page(sendCode))
  pages.post('/pay/:token/proof', { onRequest }, page(proveByCode))
  pages.post('/pay/:token/forget', { onRequest }, page(hideCards))
  pages.get('/pay/:token/qr.svg', page(showQrCode))
  pages.get('/pay/:token/wallet.svg', page(showWalletCode))
}

async function showPayment(link: LinkRequest): Promise<FastifyReply> {
  const session = queryOf(link.request, 'customer_session')
  if (session !== undefined) return acceptCustomerSession(link, session)
  const returned = returnedMembers(link.request)
  if (returned !== null) return acceptReturn(link, returned)
  return sendPaymentPage(link, await readCurrentView(link))
}

async function acceptReturn(
  link: LinkRequest,
  returned: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  const { deps, token, request, reply, path, language } = link
  const { businessId, order, state } = await readPaymentView(deps, token)
  if (state.kind === 'requires_action' || state.kind === 'processing') {
    // Another page of this payer may be asking at this moment, without the returned members.
    for (let tries = 0; tries < MAX_RETURN_TRIES; tries++) {
      if (await deps.payments.refreshStatus(businessId, order.id, returned)) break
      await sleep(RETURN_PAUSE_MS)
    }
  }
  const back = queryOf(request, RETURNED) === undefined ? '' : `&${RETURNED}=1`
  return reply.redirect(`${path}?lang=${language}${back}`, 303)
}

async function showStatus(link: LinkRequest): Promise<FastifyReply> {
  return sendStatus(link, await readCurrentView(link))
}

async function readCurrentView({ deps, token }: LinkRequest): Promise<PaymentView> {
  const view = await readPaymentView(deps, token)
  const { kind } = view.state
  if (kind !== 'requires_action' && kind !== 'processing') return view
  await deps.payments.refreshStatus(view.businessId, view.order.id)
  return readPaymentView(deps, token)
}

async function submitForm(link: LinkRequest): Promise<FastifyReply> {
  const { deps, token, words, request, reply } = link
  const view = await readPaymentView(deps, token)
  const result = await submitPayment(deps, readForm(request, view), {
    view,
    words,
    returnUrl: returnUrlOfPage(link),
    requestId: request.id,
    isProved: isProvedPayer(link, view),
  })
  switch (result.kind) {
    case 'recorded':
      return showResult(link)
    case 'processing':
      // The database may be unreachable, so the page is rendered from what was read before the charge.
      return respond(link, { ...view, state: { kind: 'processing' } })
    case 'too_many_attempts':
      return respond(link, await readPaymentView(deps, token), { status: 422 })
    case 'invalid': {
      const { problems } = result
      if (wantsHtml(request)) return sendPaymentPage(link, view, { problems, status: 422 })
      return reply.code(422).send({ problems })
    }
  }
}

async function cancelPayment(link: LinkRequest): Promise<FastifyReply> {
  const { deps, token } = link
  const { businessId, state, order } = await readPaymentView(deps, token)
  if (state.kind === 'requires_action') {
    await deps.payments.cancelPending(businessId, order.id, state.transaction.id)
  }
  return showResult(link)
}

async function showResult(link: LinkRequest): Promise<FastifyReply> {
  const { deps, token, request, reply, path, language } = link
  if (wantsHtml(request)) return reply.redirect(`${path}?lang=${language}&${RETURNED}=1`, 303)
  return sendStatus(link, await readPaymentView(deps, token))
}

function readForm(request: FastifyRequest, { order }: PaymentView): PaymentForm {
  const form = formOf(request)
  const text = (name: string): string => form.get(name) ?? ''
  // Our own forms always carry an attempt and an amount. A request without them is a new attempt to pay what is
  // left.
  const attempt = /^[\w-]{16,64}$/.test(text('attempt')) ? text('attempt') : newAttempt()
  return {
    attempt,
    amount: form.get('amount') ?? freeTotal(order).toString(),
    method: text('method'),
    number: text('number'),
    expiry: text('expiry'),
    cvc: text('cvc'),
    name: text('name'),
    save: text('save') === 'yes',
    account: text('account'),
    componentData: text('component_data'),
    device: payerDevice(request.headers['user-agent']),
  }
}

function returnUrlOfPage({ deps, token, language }: LinkRequest): string {
  return `${deps.links.addressOf('payment', token)}?lang=${language}&${RETURNED}=1`
}

async function showQrCode({ deps, token, reply }: LinkRequest): Promise<FastifyReply> {
  await readPaymentView(deps, token)
  return reply.type('image/svg+xml').send(qrCode(deps.links.addressOf('payment', token)))
}

async function showWalletCode({ deps, token, reply }: LinkRequest): Promise<FastifyReply> {
  const { state } = await readPaymentView(deps, token)
  const text = state.kind === 'requires_action' ? codeOf(state.transaction.nextAction) : null
  if (text === null) throw errors.page_not_found()
  return reply.type('image/svg+xml').send(qrCode(text))
}
