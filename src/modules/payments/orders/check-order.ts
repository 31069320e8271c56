import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '#platform/caller'
import type { PaymentsContext } from '../context.ts'
import { errors } from '../errors.ts'
import { orderNotFound, orderSelector, transactionSelector } from '../requests/identifiers.ts'
import { downloadLink, type OrderWithLinks, requestedPaymentLink } from '../links/order-links.ts'
import { readOrders } from '../storage/order-read.repository.ts'
import { refreshStatus } from '../resolver/payer-actions.ts'
import { isWaitingForPayer } from '../model/transaction.states.ts'
import type { OrderSelector } from '../storage/order-selector.ts'
import type { CheckOrderRequest } from '../model/order-requests.ts'

export interface CheckOptions {
  readonly withPaymentLink: boolean
  readonly withDownloadLink: boolean
}

/** The time of reference/orders#checking. */
const MAX_WAIT_FOR_ACQUIRER_MS = 2_000

export async function checkOrder(
  ctx: PaymentsContext,
  caller: Caller,
  request: CheckOrderRequest,
  options: CheckOptions,
): Promise<OrderWithLinks> {
  const { businessId } = caller
  const { selector, notFound } = selectorOf(businessId, request)
  const read = async () => (await readOrders(ctx.db, businessId, selector))[0]
  let current = await read()
  if (current?.transactions.some(({ state }) => isWaitingForPayer(state))) {
    await refreshWithinLimit(ctx, businessId, current.order.id)
    current = await read()
  }
  if (current === undefined) throw notFound()
  const { order, now } = current
  const paymentLink = options.withPaymentLink
    ? await requestedPaymentLink(ctx, businessId, order, now)
    : undefined
  return {
    ...current,
    paymentLink,
    ...(options.withDownloadLink && { downloadLink: downloadLink(ctx.links, businessId, order) }),
  }
}

async function refreshWithinLimit(ctx: PaymentsContext, businessId: string, orderId: string): Promise<void> {
  const refreshing = refreshStatus(ctx, businessId, orderId).catch((error: unknown) => {
    ctx.log.warn(
      { err: error, business_id: businessId },
      'could not ask the acquirer about the payments of an order',
    )
  })
  await Promise.race([refreshing, sleep(MAX_WAIT_FOR_ACQUIRER_MS, undefined, { ref: false })])
}

function selectorOf(
  businessId: string,
  request: CheckOrderRequest,
): { selector: OrderSelector; notFound: () => Error } {
  const { order, transaction } = request
  if (order !== undefined && transaction === undefined) {
    const notFound = () => orderNotFound(order)
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
