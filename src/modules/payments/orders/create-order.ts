import { RequestError } from '#kernel/errors'
import type { Caller } from '#platform/caller'
import { currentCause } from '#platform/events/events'
import type { CreatedOrder, PaymentsContext } from '../context.ts'
import { errors } from '../errors.ts'
import { readOrders } from '../storage/order-read.repository.ts'
import { readOrder } from './read-order.ts'
import { byIdentifiers } from '../storage/order-selector.ts'
import type { CreateOrderRequest } from '../model/order-requests.ts'

export async function createOrder(
  ctx: PaymentsContext,
  caller: Caller,
  request: CreateOrderRequest,
  withPaymentLink: boolean,
): Promise<CreatedOrder> {
  const { businessId } = caller
  const order = readOrder(request, ctx.mayReceiveWebhooks)
  return ctx.sets.createRequestedOrders
    .submit(businessId, { caller, cause: currentCause(), order, withPaymentLink })
    .catch(async (error: unknown) => {
      throw await withExistingOrder(ctx, businessId, order.referenceNumber, error)
    })
}

async function withExistingOrder(
  ctx: PaymentsContext,
  businessId: string,
  referenceNumber: string,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof RequestError) || error.reason !== 'order_exists') return error
  const selector = byIdentifiers({ reference_number: referenceNumber })
  const [existing] = await readOrders(ctx.db, businessId, selector)
  const order = existing && { number: existing.order.id, reference_number: referenceNumber }
  return errors.order_exists({ param: 'order.reference_number', ...(order && { data: { order } }) })
}
