import type { RequestError } from '#kernel/errors'
import { type Customer, customerErrors } from '#modules/customers'
import type { Outcome } from '#platform/batches/batches'
import { claimingKeys, keepReplies } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { createOrders } from './create-orders.ts'
import { type CreatedOrder, type Creation, type PaymentsContext, requirePaymentPage } from '../context.ts'
import { errors } from '../errors.ts'
import { requestedPaymentLink } from '../links/order-links.ts'

export function createRequestedOrders(
  ctx: PaymentsContext,
  tx: Tx,
  creations: readonly Creation[],
): Promise<Outcome<CreatedOrder>[]> {
  return claimingKeys(tx, creations, async (keyed) => {
    const requests = keyed.map(({ request }) => request)
    const outcomes = await createKeyed(ctx, tx, requests)
    const replies = keyed.flatMap(({ request: { caller }, idempotencyId: id }, index) => {
      const outcome = outcomes[index]
      return outcome?.kind === 'done' ? [{ id, caller, value: outcome.value }] : []
    })
    tx.defer(keepReplies(tx, replies))
    return outcomes
  })
}

async function createKeyed(
  ctx: PaymentsContext,
  tx: Tx,
  creations: readonly Creation[],
): Promise<Outcome<CreatedOrder>[]> {
  const { businessId, now } = tx
  const customerUuids = creations.flatMap(({ order: { customerUuid } }) => customerUuid ?? [])
  const finding =
    customerUuids.length === 0 ? NO_CUSTOMERS : ctx.customers.holdCustomers(tx, [...new Set(customerUuids)])
  // A single order is written while its customer is looked up. A refusal rolls it back and frees the idempotency key.
  const unfit =
    creations.length === 1 ? NONE_UNFIT : await findUnfit(ctx, businessId, creations, await finding)
  const fit = creations.filter((creation) => !unfit.has(creation))
  // Sorted, so that two sets do not wait for each other's reference numbers.
  const sorted = fit.toSorted((a, b) => (a.order.referenceNumber < b.order.referenceNumber ? -1 : 1))
  const [customers, orders] = await Promise.all([
    finding,
    createOrders(
      ctx,
      tx,
      sorted.map(({ order, cause }) => ({ ...order, source: 'api', type: 'one_off', at: now, cause })),
    ),
  ])
  const created = new Map(sorted.map((creation, index) => [creation, orders[index]]))
  return Promise.all(
    creations.map(async (creation): Promise<Outcome<CreatedOrder>> => {
      const outcome = unfit.get(creation)
      if (outcome !== undefined) return outcome
      const error = customerRefusal(creation, customers)
      if (error !== undefined) return { kind: 'refused', error }
      const order = created.get(creation)
      if (order === undefined)
        return { kind: 'refused', error: errors.order_exists({ param: 'order.reference_number' }) }
      const paymentLink = creation.withPaymentLink
        ? await requestedPaymentLink(ctx, businessId, order, now)
        : undefined
      return { kind: 'done', value: { order, transactions: [], now, paymentLink } }
    }),
  )
}

type Unfit = ReadonlyMap<Creation, Outcome<CreatedOrder>>
const NONE_UNFIT: Unfit = new Map()
const NO_CUSTOMERS: Promise<ReadonlyMap<string, Customer>> = Promise.resolve(new Map())

/** Finds what a set must know before it writes. If no page can take an order's payment, the order runs alone, which refuses it. */
async function findUnfit(
  ctx: PaymentsContext,
  businessId: string,
  creations: readonly Creation[],
  customers: ReadonlyMap<string, Customer>,
): Promise<Unfit> {
  const unfit = new Map<Creation, Outcome<CreatedOrder>>()
  for (const creation of creations) {
    const error = customerRefusal(creation, customers)
    if (error !== undefined) unfit.set(creation, { kind: 'refused', error })
    else if (creation.withPaymentLink) {
      const hasPage = await requirePaymentPage(ctx, businessId, creation.order.initialTotal.currency).then(
        () => true,
        () => false,
      )
      if (!hasPage) unfit.set(creation, { kind: 'alone' })
    }
  }
  return unfit
}

function customerRefusal(
  { order: { customerUuid } }: Creation,
  customers: ReadonlyMap<string, Customer>,
): RequestError | undefined {
  if (typeof customerUuid !== 'string') return undefined
  const customer = customers.get(customerUuid)
  if (customer === undefined) return customerErrors.customer_not_found({ param: 'order.customer_uuid' })
  if (customer.erasedAt === null) return undefined
  return customerErrors.customer_erased({ param: 'order.customer_uuid' })
}
