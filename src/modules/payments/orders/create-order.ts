import { RequestError } from '#kernel/errors'
import { customerErrors } from '#modules/customers'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import { createOrders } from './create-orders.ts'
import type { PaymentsContext } from '../context.ts'
import { errors } from '../errors.ts'
import { readOrders } from '../storage/order.repository.ts'
import { type OrderWithLinks, requestedPaymentLink } from './order-links.ts'
import { type CreateOrderRequest, readOrder } from './read-order.ts'
import { byIdentifiers } from '../storage/order-selector.ts'

export async function createOrder(
  ctx: PaymentsContext,
  caller: Caller,
  request: CreateOrderRequest,
  withPaymentLink: boolean,
): Promise<OrderWithLinks> {
  const { businessId } = caller
  const read = readOrder(request, ctx.mayReceiveWebhooks)
  return once(ctx.db, caller, async (tx) => {
    const { customerUuid } = read
    // The order is written while the customer is looked up. A refusal rolls it back and frees the idempotency key.
    const [customers, [order]] = await Promise.all([
      typeof customerUuid === 'string' ? ctx.customers.findCustomers(tx, [customerUuid]) : undefined,
      createOrders(ctx, tx, [{ ...read, source: 'api', type: 'one_off', at: tx.now }]),
    ])
    if (typeof customerUuid === 'string') {
      const customer = customers?.get(customerUuid)
      if (customer === undefined) throw customerErrors.customer_not_found({ param: 'order.customer_uuid' })
      if (customer.erasedAt !== null) throw customerErrors.customer_erased({ param: 'order.customer_uuid' })
    }
    if (order === undefined) throw errors.order_exists({ param: 'order.reference_number' })
    const { now } = tx
    const paymentLink = withPaymentLink ? await requestedPaymentLink(ctx, businessId, order, now) : undefined
    return { order, transactions: [], now, paymentLink }
  }).catch(async (error: unknown) => {
    throw await withExistingOrder(ctx, businessId, read.referenceNumber, error)
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
