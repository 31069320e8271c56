import type { Instrument, VerifyRequest } from '#modules/acquirers'
import type { Links } from '#platform/security/links'
import type { CustomersContext } from '../context.ts'
import type { Customer } from '../model/customer.ts'
import { storeVerificationReference } from '../storage/payment-token.repository.ts'
import type { PaymentToken } from '../model/payment-token.ts'

export function verificationOf(
  ctx: CustomersContext,
  businessId: string,
  token: Pick<PaymentToken, 'token' | 'verifyUuid' | 'createdAt' | 'payerReference' | 'customerUuid'>,
  customer: Pick<Customer, 'name' | 'email'>,
  instrument: Instrument,
  returnUrl: string,
): VerifyRequest {
  return {
    key: token.verifyUuid,
    at: token.createdAt,
    instrument,
    returnUrl,
    payer: {
      customerUuid: token.customerUuid,
      reference: token.payerReference,
      name: customer.name,
      email: customer.email ?? '',
    },
    commitReference: (reference) =>
      ctx.db
        .transact(businessId, (tx) => storeVerificationReference(tx, token.token, reference))
        .catch(() => false),
  }
}

export type LinkMaker = Pick<Links, 'make'>

export function verificationUrl(
  links: LinkMaker,
  token: { readonly businessId: string; readonly verifyUuid: string },
): string {
  return links.make({ businessId: token.businessId, purpose: 'verification', id: token.verifyUuid })
}
