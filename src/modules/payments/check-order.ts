import type { Caller } from '#platform/caller'
import type { PaymentsContext } from './context.ts'
import { isPayable } from './decide-payment.ts'
import { errors } from './errors.ts'
import { orderParam, orderSelector, transactionSelector } from './identifiers.ts'
import { downloadLink, paymentLink } from './order-links.ts'
import { readOrders } from './order.repository.ts'
import { renderOrder } from './render.ts'
import type { CheckOrderRequest } from './schemas.ts'
import type { OrderSelector } from './order-selector.ts'

export interface CheckOptions {
  readonly withPaymentLink: boolean
  readonly withDownloadLink: boolean
}

/** Endpoint 1: the order as it is now, in one round trip. */
export async function checkOrder(
  ctx: PaymentsContext,
  caller: Caller,
  request: CheckOrderRequest,
  options: CheckOptions,
): Promise<object> {
  const { businessId } = caller
  const { selector, notFound } = selectorOf(businessId, request)
  const [read] = await readOrders(ctx.db, businessId, selector)
  if (read === undefined) throw notFound()
  const { order, transactions, now } = read
  return {
    order: renderOrder(order, transactions, now),
    ...(options.withPaymentLink &&
      isPayable(order, now) && { payment_link: paymentLink(ctx.links, businessId, order, now) }),
    ...(options.withDownloadLink && { download_link: downloadLink(ctx.links, businessId, order) }),
  }
}

/** Exactly one of `order` and `transaction` (decisions, section 3, "Check"). */
function selectorOf(
  businessId: string,
  request: CheckOrderRequest,
): { selector: OrderSelector; notFound: () => Error } {
  const { order, transaction } = request
  if (order !== undefined && transaction === undefined) {
    const notFound = () => errors.order_not_found({ param: orderParam(order) })
    return { selector: orderSelector(order), notFound }
  }
  if (transaction !== undefined && order === undefined) {
    const notFound = () => errors.transaction_not_found({ param: 'transaction.uuid' })
    return { selector: transactionSelector(businessId, transaction), notFound }
  }
  if (order === undefined && transaction === undefined) {
    throw errors.order_or_transaction_missing({ param: 'order' })
  }
  throw errors.one_of_order_and_transaction({ param: 'transaction' })
}
