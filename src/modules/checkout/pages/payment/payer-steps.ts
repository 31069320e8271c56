import type { FastifyReply } from 'fastify'
import { proveCode, requestCode } from '../../payers/payer-codes.ts'
import { closePayerSession, openPayerSession } from '../../payers/payer-session.ts'
import { savedCardsOf } from '../../payers/saved-cards.ts'
import type { LinkRequest } from '../link-request.ts'
import { formOf, wantsHtml } from '../request.ts'
import { respond, sendPaymentPage, sendStatus } from './payment-responses.ts'
import { readPaymentView } from './payment-view.ts'
import type { PaymentView } from '../../model/payment-view.ts'

const EMAIL = /^[^\s@<>]{1,64}@[^\s@<>]{1,190}$/

export async function acceptCustomerSession(link: LinkRequest, session: string): Promise<FastifyReply> {
  const { deps, token } = link
  const view = await readPaymentView(deps, token)
  const claims = deps.customers.readSession(session)
  const isTheirs =
    claims !== null && claims.businessId === view.businessId && claims.id === view.order.customerUuid
  if (isTheirs) openPayerSession(link, view)
  return showPage(link)
}

export async function sendCode(link: LinkRequest): Promise<FastifyReply> {
  const { deps, token, words, request } = link
  const view = await readPaymentView(deps, token)
  if (view.state.kind !== 'payable' || view.order.customerUuid === null) return respond(link, view)
  const email = (formOf(request).get('email') ?? '').trim()
  const ask = (problem: string): Promise<FastifyReply> =>
    refuse(link, view, { field: 'email', problem }, { kind: 'unknown', email, problem })
  if (!EMAIL.test(email)) return ask(words.problems.emailInvalid)
  const id = await requestCode(deps, { view, words, email, requestId: request.id })
  if (id === null) return ask(words.problems.codesExhausted)
  return respond(link, view, { saved: { kind: 'code', id, email, problem: null } })
}

export async function proveByCode(link: LinkRequest): Promise<FastifyReply> {
  const { deps, token, words, request } = link
  const view = await readPaymentView(deps, token)
  const { customerUuid } = view.order
  if (view.state.kind !== 'payable' || customerUuid === null) return respond(link, view)
  const form = formOf(request)
  const text = (name: string): string => form.get(name) ?? ''
  const code = text('code').normalize('NFKC').replace(/\D/g, '')
  const id = text('code_id')
  if (code.length !== 6 || !(await proveCode(deps, view, { id, code }))) {
    const problem = words.problems.codeInvalid
    return refuse(link, view, { field: 'code', problem }, { kind: 'code', id, email: text('email'), problem })
  }
  openPayerSession(link, view)
  if (wantsHtml(request)) return showPage(link)
  // The browser sends the new cookie from its next request on.
  const cards = await deps.db.transact(view.businessId, (tx) => savedCardsOf(deps, tx, customerUuid))
  return sendStatus(link, view, { saved: { kind: 'proved', cards } })
}

export async function hideCards(link: LinkRequest): Promise<FastifyReply> {
  const view = await readPaymentView(link.deps, link.token)
  closePayerSession(link)
  if (wantsHtml(link.request)) return showPage(link)
  const saved = link.deps.mailer === undefined ? 'none' : 'unknown'
  return sendStatus(link, view, {
    saved: saved === 'none' ? { kind: saved } : { kind: saved, email: '', problem: null },
  })
}

function showPage({ reply, path, language }: LinkRequest): FastifyReply {
  return reply.redirect(`${path}?lang=${language}`, 303)
}

async function refuse(
  link: LinkRequest,
  view: PaymentView,
  { field, problem }: { readonly field: string; readonly problem: string },
  saved: NonNullable<Parameters<typeof sendPaymentPage>[2]>['saved'] & object,
): Promise<FastifyReply> {
  if (wantsHtml(link.request)) return sendPaymentPage(link, view, { status: 422, saved })
  return link.reply.code(422).send({ problems: { [field]: problem } })
}
