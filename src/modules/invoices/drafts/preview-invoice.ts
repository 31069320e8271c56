import { localDateOf } from '#kernel/time-zone'
import { type TaxAnswers } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import { billRequest, refuseTakenReference } from '../issue/bill-request.ts'
import { decideContent } from '../issue/decide-document.ts'
import { findExchanges, requireRate } from '../issue/find-exchange.ts'
import { entityOf, findParties } from '../issue/parties.ts'
import type { InvoiceContent } from '../model/draft-invoice.ts'
import type { InvoiceRequest } from '../model/invoice-requests.ts'

/** Returns what the invoice would say if it were issued now, or refuses what would refuse the issue. */
export function previewInvoice(
  ctx: InvoicesContext,
  { businessId }: Caller,
  request: InvoiceRequest,
): Promise<InvoiceContent> {
  const preview = async (tx: Tx, answers: TaxAnswers) => {
    const content = await contentNow(ctx, tx, request, answers)
    requireRate(content.currency, content.exchange)
    await refuseTakenReference(tx, request.reference_id)
    return content
  }
  return ctx.taxes.withEngine(
    businessId,
    (answers) => ctx.db.transact(businessId, (tx) => preview(tx, answers), { isSnapshot: true }),
    true,
  )
}

export async function contentNow(
  ctx: InvoicesContext,
  tx: Tx,
  request: InvoiceRequest,
  answers: TaxAnswers,
): Promise<InvoiceContent> {
  const { order, document } = await billRequest(ctx, tx, request, answers)
  const [{ entities, partiesOf }, { timeZone }] = await Promise.all([
    findParties(ctx, tx, [order]),
    ctx.businesses.profile(tx.businessId),
  ])
  answers.requireAll()
  const toExchange = {
    currency: request.currency,
    tax: order.tax,
    entity: entityOf(entities, order.legalEntityId),
    date: localDateOf(tx.now, timeZone).toString(),
  }
  const exchangeWanted = await findExchanges(tx, [toExchange], { isStored: false })
  return decideContent(order, document, tx.now, {
    parties: partiesOf(order),
    zone: timeZone,
    corrected: [],
    exchange: exchangeWanted(toExchange),
  })
}
