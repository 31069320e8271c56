import type { FastifyInstance, FastifyReply } from 'fastify'
import { payerReference } from '#modules/payments'
import { type DocumentContent, isReceipt } from './document.ts'
import { errors } from '../errors.ts'
import type { CheckoutDependencies } from '../dependencies.ts'
import { renderMessage } from '../pages/page.ts'
import { withWalletNames } from '../words/all-words.ts'
import { closedOrderWords } from '../words/closed-order-words.ts'
import { readPaymentView } from '../pages/payment/payment-view.ts'
import type { PaymentView } from '../model/payment-view.ts'
import { RenderedDocuments } from './rendered-documents.ts'
import { sendPage, wantsHtml } from '../pages/request.ts'
import { type LinkRequest, pageHandler } from '../pages/link-request.ts'

export function registerDocuments(pages: FastifyInstance, deps: CheckoutDependencies): void {
  const documents = new RenderedDocuments()
  const page = pageHandler(deps, 'download')
  pages.get(
    '/documents/:token',
    page((link) => sendDocument(link, documents)),
  )
}

async function sendDocument(link: LinkRequest, documents: RenderedDocuments): Promise<FastifyReply> {
  const { deps, token, reply } = link
  const view = await readPaymentView(deps, token, 'download')
  const { kind } = view.state
  if (kind === 'voided' || kind === 'expired') return refuse(link, kind)
  const { logo: address, walletNames } = view.brand
  const [{ timeZone }, logo, surroundings] = await Promise.all([
    deps.businesses.profile(view.businessId),
    address === null ? undefined : deps.businesses.logo(view.businessId),
    readDocumentDetails(deps, view),
  ])
  const document = await documents.render({
    view,
    ...surroundings,
    logo,
    timeZone,
    language: link.language,
    words: withWalletNames(link.words, walletNames),
  })
  return reply
    .type('application/pdf')
    .header('content-disposition', `inline; filename="${fileName(view)}"`)
    .header('vary', 'accept-language')
    .send(document)
}

function refuse(link: LinkRequest, kind: 'voided' | 'expired'): FastifyReply {
  if (!wantsHtml(link.request)) throw errors.order_closed()
  return sendPage(link.reply.code(410), renderMessage(link, closedOrderWords(kind, link.words)))
}

async function readDocumentDetails(
  deps: CheckoutDependencies,
  { businessId, order, transactions, state }: PaymentView,
): Promise<Pick<DocumentContent, 'customerName' | 'tokenTypes' | 'paymentLink'>> {
  return deps.db.transact(businessId, async (tx) => {
    const uuid = order.customerUuid
    const customer = uuid === null ? undefined : (await deps.customers.findCustomers(tx, [uuid])).get(uuid)
    const charged = transactions.flatMap(({ token }) => token ?? [])
    const tokens = charged.length === 0 ? [] : await deps.customers.findTokens(tx, charged)
    const isPayable = state.kind === 'payable'
    return {
      customerName: customer === undefined ? null : (customer.companyName ?? customer.name),
      tokenTypes: new Map([...tokens].map(([token, { tokenType }]) => [token, tokenType])),
      paymentLink: isPayable ? ((await deps.payments.paymentLink(businessId, order, tx.now)) ?? null) : null,
    }
  })
}

function fileName(view: PaymentView): string {
  const kind = isReceipt(view) ? 'receipt' : 'invoice'
  const reference = payerReference(view.order)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 80)
  return `${kind}-${reference}.pdf`
}
