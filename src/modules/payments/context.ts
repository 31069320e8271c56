import { RequestError } from '#kernel/errors'
import type { Acquirer } from '#modules/acquirers'
import type { PaymentsDependencies } from './dependencies.ts'
import type { NewEvent } from '#platform/events/events'
import type { OrderAggregate } from './model/order-aggregate.ts'
import type { OrdersChangedHandler } from './model/order-change.ts'
import type { ReceiptNumbers } from './storage/receipt-numbers.ts'

export interface PaymentsContext extends PaymentsDependencies {
  readonly changeHandlers: readonly OrdersChangedHandler[]
  readonly receipts: ReceiptNumbers
  /** Passed in, because storage must not import the API's schemas. */
  readonly renderEvents: (aggregate: OrderAggregate) => NewEvent[]
}

export async function acquirerOf(ctx: PaymentsContext, businessId: string): Promise<Acquirer> {
  const { environment } = await ctx.businesses.profile(businessId)
  return ctx.acquirers.forBusiness({ environment })
}

async function findAcquirer(ctx: PaymentsContext, businessId: string): Promise<Acquirer | null> {
  try {
    return await acquirerOf(ctx, businessId)
  } catch (error) {
    if (error instanceof RequestError && error.reason === 'acquirer_not_configured') return null
    throw error
  }
}

export async function hasAcquirer(ctx: PaymentsContext, businessId: string): Promise<boolean> {
  return (await findAcquirer(ctx, businessId)) !== null
}

/** The acquirer to record for a transaction that is never sent. Empty when none is configured, so that plans go on. */
export async function recordedAcquirer(
  ctx: PaymentsContext,
  businessId: string,
): Promise<Pick<Acquirer, 'name' | 'merchantId'>> {
  return (await findAcquirer(ctx, businessId)) ?? { name: '', merchantId: '' }
}
