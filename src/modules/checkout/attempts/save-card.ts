import type { CheckoutDependencies } from '../dependencies.ts'
import { callerOf } from '../caller.ts'
import type { CardDetails } from './card-form.ts'
import type { AttemptContext } from './attempt-context.ts'

/**
 * Stores the card as a token of the order's customer. The payment stands whatever happens here, so an error is only
 * logged.
 */
export async function saveCard(
  deps: CheckoutDependencies,
  card: CardDetails,
  { view, returnUrl, requestId }: AttemptContext,
): Promise<void> {
  const { customerUuid, currency } = view.order
  if (customerUuid === null) return
  try {
    await deps.customers.bind(await callerOf(deps, view, requestId), customerUuid, {
      token_type: 'CreditCard',
      credit_card: {
        number: card.number,
        exp_month: String(card.expMonth),
        exp_year: String(card.expYear),
        cvc: card.cvc,
        holder_name: card.holderName,
        billing_currency: currency,
      },
      return_url: returnUrl,
    })
  } catch (error) {
    const { businessId } = view
    deps.log.warn({ err: error, business_id: businessId, request_id: requestId }, 'a card could not be saved')
  }
}
