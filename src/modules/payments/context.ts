import { RequestError } from '#kernel/errors'
import type { Acquirer } from '#modules/acquirers'
import type { PaymentsDependencies } from './dependencies.ts'
import type { OrdersChangedHandler } from './model/order-change.ts'
import type { ReceiptNumbers } from './storage/receipt-numbers.ts'

/** What every use case of the module is given. */
export interface PaymentsContext extends PaymentsDependencies {
  readonly reactions: readonly OrdersChangedHandler[]
  readonly receipts: ReceiptNumbers
}

export async function acquirerOf(ctx: PaymentsContext, businessId: string): Promise<Acquirer> {
  const { environment } = await ctx.businesses.profile(businessId)
  return ctx.acquirers.forBusiness({ environment })
}

/**
 * What a transaction that never reaches an acquirer shows of it: nothing where none is configured, so that a live
 * environment's plans live on without one.
 */
export async function recordedAcquirer(
  ctx: PaymentsContext,
  businessId: string,
): Promise<Pick<Acquirer, 'name' | 'merchantId'>> {
  try {
    return await acquirerOf(ctx, businessId)
  } catch (error) {
    if (error instanceof RequestError && error.reason === 'acquirer_not_configured') {
      return { name: '', merchantId: '' }
    }
    throw error
  }
}
