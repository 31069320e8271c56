import { withAddedQuery } from '#kernel/added-query'
import { errors } from './errors.ts'
import type { CustomersNeeds } from './needs.ts'
import { stateAt } from './payment-token.ts'
import type { PaymentToken } from './payment-token.ts'
import type { PaymentTokenState } from './payment-token.states.ts'
import { shownNumber } from './render.ts'
import { refreshVerification } from './resolve-binding.ts'

/** What a signed `verify_url` says; the caller has checked its signature. */
export interface VerificationLink {
  readonly businessId: string
  /** The token's `verify_uuid`. */
  readonly id: string
}

/** What the page behind a `verify_url` shows. */
export interface Verification {
  readonly state: PaymentTokenState
  readonly tokenType: PaymentToken['tokenType']
  /** `visa`, and `424242******4242`; '' for a wallet. */
  readonly brand: string
  readonly shownNumber: string
  /** Whether there is something for the payer to confirm. */
  readonly needsPayer: boolean
  readonly errorMessage: string | null
  /** Where the merchant wants the payer back, with `verify_uuid` and `state` added; null when nowhere. */
  readonly returnUrl: string | null
}

export async function verification(needs: CustomersNeeds, link: VerificationLink): Promise<Verification> {
  const { token, state } = await refreshed(needs, link)
  return {
    state,
    tokenType: token.tokenType,
    brand: token.brand ?? '',
    shownNumber: shownNumber(token),
    needsPayer: token.nextActionUrl !== null,
    errorMessage: token.errorMessage,
    returnUrl: returnAddress(token, state),
  }
}

/** Relays the payer's confirmation: the step itself is taken at the acquirer, which sends the payer back to our page. */
export async function confirmVerification(
  needs: CustomersNeeds,
  link: VerificationLink,
): Promise<{ redirectTo: string | null }> {
  const { token } = await refreshed(needs, link)
  return { redirectTo: token.nextActionUrl }
}

async function refreshed(
  needs: CustomersNeeds,
  link: VerificationLink,
): Promise<{ token: PaymentToken; state: PaymentTokenState }> {
  const found = await refreshVerification(needs, link.businessId, link.id)
  if (found === null) throw errors.payment_token_not_found()
  return { token: found.token, state: stateAt(found.token, found.at) }
}

function returnAddress(token: PaymentToken, state: PaymentTokenState): string | null {
  if (token.returnUrl === null) return null
  return withAddedQuery(token.returnUrl, { verify_uuid: token.verifyUuid, state })
}
