import type { VerifiedInstrument } from '#modules/acquirers'
import type { CheckoutDependencies } from '../dependencies.ts'
import { callerOf } from '../caller.ts'
import type { CardDetails } from '../instruments/card-form.ts'
import type { AttemptContext } from './attempt-context.ts'

export function saveCard(
  deps: CheckoutDependencies,
  card: CardDetails,
  context: AttemptContext,
): Promise<void> {
  const { view, returnUrl, requestId } = context
  return forCustomer(deps, context, async (customerUuid, currency) => {
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
      ...(view.savedCardBecomesDefault && { default: true }),
      return_url: returnUrl,
    })
  })
}

export function saveInstrument(
  deps: CheckoutDependencies,
  saved: { readonly accountId: string; readonly instrument: VerifiedInstrument },
  context: AttemptContext,
): Promise<void> {
  return forCustomer(deps, context, async (customerUuid, billingCurrency) => {
    await deps.customers.addVerifiedToken(context.view.businessId, {
      ...saved,
      customerUuid,
      billingCurrency,
      becomesDefault: context.view.savedCardBecomesDefault,
    })
  })
}

/** The payment stands whatever happens here, so an error is only logged. */
async function forCustomer(
  deps: CheckoutDependencies,
  { view, requestId }: AttemptContext,
  save: (customerUuid: string, currency: string) => Promise<void>,
): Promise<void> {
  const { customerUuid, currency } = view.order
  if (customerUuid === null) return
  try {
    await save(customerUuid, currency)
  } catch (error) {
    const { businessId } = view
    deps.log.warn({ err: error, business_id: businessId, request_id: requestId }, 'a card could not be saved')
  }
}
