import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '#platform/caller'
import type { PaymentsContext } from '../context.ts'
import { errors } from '../api/errors.ts'
import { orderParam, orderSelector, transactionSelector } from '../api/identifiers.ts'
import { downloadLink, renderPaymentLink } from './order-links.ts'
import { readOrders } from '../storage/order.repository.ts'
import { refreshStatus } from '../resolver/payer-actions.ts'
import { isWaitingForPayer } from '../model/transaction.states.ts'
import { renderOrder } from '../api/render.ts'
import type { CheckOrderRequest } from '../api/schemas.ts'
import type { OrderSelector } from '../storage/order-selector.ts'

export interface CheckOptions {
  readonly withPaymentLink: boolean
  readonly withDownloadLink: boolean
}

/** How long a check waits for the acquirer. */
const PATIENCE_MS = 2_000

/**
 * Endpoint 1: the order as it is now, in one round trip. While a payment waits for its payer the acquirer is asked first,
 * as by the payer's page: who checks has waited long enough.
 */
export async function checkOrder(
  ctx: PaymentsContext,
  caller: Caller,
  request: CheckOrderRequest,
  options: CheckOptions,
): Promise<object> {
  const { businessId } = caller
  const { selector, notFound } = selectorOf(businessId, request)
  const read = async () => (await readOrders(ctx.db, businessId, selector))[0]
  let found = await read()
  if (found?.transactions.some(({ state }) => isWaitingForPayer(state))) {
    await askInTime(ctx, businessId, found.order.id)
    found = await read()
  }
  if (found === undefined) throw notFound()
  const { order, transactions, now } = found
  return {
    order: renderOrder(order, transactions, now),
    ...(options.withPaymentLink && (await renderPaymentLink(ctx, businessId, order, now))),
    ...(options.withDownloadLink && { download_link: downloadLink(ctx.links, businessId, order) }),
  }
}

/** Asks the acquirer; what it says too late is recorded all the same. */
async function askInTime(ctx: PaymentsContext, businessId: string, orderId: string): Promise<void> {
  const asked = refreshStatus(ctx, businessId, orderId).catch((error: unknown) => {
    ctx.log.warn({ err: error, business_id: businessId }, 'could not ask for a check')
  })
  await Promise.race([asked, sleep(PATIENCE_MS, undefined, { ref: false })])
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
