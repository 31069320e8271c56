import type { CheckoutNeeds } from './needs.ts'
import { callerOf } from './caller.ts'
import type { PaymentView } from './payment-view.ts'

/** A stored token as far as it matters here; see the interface, "Payment token". */
interface ShownToken {
  readonly state?: string
  readonly verify_url?: string | null
  readonly credit_card?: { readonly number?: string }
}

/**
 * Where the payer confirms the card that this order was paid with and that is to be kept: a bank that asked to confirm the
 * payment asks for that too. Null when there is nothing to confirm.
 */
export async function unconfirmedCardUrl(
  needs: CheckoutNeeds,
  view: PaymentView,
  requestId: string,
): Promise<string | null> {
  const { order, standing, transactions } = view
  const paid = transactions.findLast(({ state, type }) => state === 'succeeded' && type === 'Sales')
  if (standing.kind !== 'paid' || order.customerUuid === null || paid?.paymentMethod !== 'credit_card')
    return null
  const { first6, last4 } = paid.instrument
  if (first6 === null || last4 === null) return null
  const caller = await callerOf(needs, view, requestId)
  const { payment_tokens: tokens } = await needs.customers.tokens(caller, order.customerUuid, 'Credit Card')
  const unconfirmed: ShownToken | undefined = tokens.find((token: ShownToken) => {
    const number = token.credit_card?.number ?? ''
    return token.state === 'pending' && number.startsWith(first6) && number.endsWith(last4)
  })
  return unconfirmed?.verify_url ?? null
}
