import { withAddedQuery } from '#kernel/added-query'
import { errors } from '../api/errors.ts'
import type { CustomersDependencies } from '../dependencies.ts'
import { type PaymentToken, stateAt } from '../tokens/payment-token.ts'
import type { PaymentTokenState } from '../tokens/payment-token.states.ts'
import { shownNumber } from '../api/render.ts'
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
  /** Where the payer confirms it, at the acquirer, which sends the payer back to our page; null when nothing waits for the payer. */
  readonly confirmUrl: string | null
  readonly errorMessage: string | null
  /** Where the merchant wants the payer back, with `verify_uuid` and `state` added; null when nowhere. */
  readonly returnUrl: string | null
}

export async function verification(
  deps: CustomersDependencies,
  link: VerificationLink,
): Promise<Verification> {
  const found = await refreshVerification(deps, link.businessId, link.id)
  if (found === null) throw errors.payment_token_not_found()
  const { token, at } = found
  const state = stateAt(token, at)
  return {
    state,
    tokenType: token.tokenType,
    brand: token.brand ?? '',
    shownNumber: shownNumber(token),
    confirmUrl: token.nextActionUrl,
    errorMessage: token.errorMessage,
    returnUrl: returnAddress(token, state),
  }
}

function returnAddress(token: PaymentToken, state: PaymentTokenState): string | null {
  if (token.returnUrl === null) return null
  return withAddedQuery(token.returnUrl, { verify_uuid: token.verifyUuid, state })
}
