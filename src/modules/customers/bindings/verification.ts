import { withAddedQuery } from '#kernel/added-query'
import type { Lookup } from '#modules/acquirers'
import { errors } from '../errors.ts'
import type { CustomersContext } from '../context.ts'
import { maskedNumber, type PaymentToken, stateAt } from '../model/payment-token.ts'
import type { PaymentTokenState } from '../model/payment-token.states.ts'
import { refreshVerification } from './resolve-binding.ts'

export interface VerificationLink {
  readonly businessId: string
  readonly id: string
}

export interface VerificationDetails {
  readonly state: PaymentTokenState
  readonly tokenType: PaymentToken['tokenType']
  readonly brand: string
  readonly maskedNumber: string
  readonly walletName: PaymentToken['walletName']
  readonly confirmUrl: string | null
  readonly action: PaymentToken['nextAction']
  readonly errorMessage: string | null
  readonly returnUrl: string | null
}

export async function viewVerification(
  ctx: CustomersContext,
  link: VerificationLink,
  returned?: Lookup['returned'],
): Promise<VerificationDetails> {
  const refreshed = await refreshVerification(ctx, link.businessId, link.id, returned)
  if (refreshed === null) throw errors.payment_token_not_found()
  const { token, at } = refreshed
  const state = stateAt(token, at)
  return {
    state,
    tokenType: token.tokenType,
    brand: token.brand ?? '',
    maskedNumber: maskedNumber(token),
    walletName: token.walletName,
    confirmUrl: token.nextActionUrl,
    action: token.nextAction,
    errorMessage: token.errorMessage,
    returnUrl: returnUrlOf(token, state),
  }
}

function returnUrlOf(token: PaymentToken, state: PaymentTokenState): string | null {
  if (token.returnUrl === null) return null
  return withAddedQuery(token.returnUrl, { verify_uuid: token.verifyUuid, state })
}
