import { maskNumber } from '#kernel/card-number'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Links } from '#platform/security/links'
import type { Customer } from '../profiles/customer.ts'
import { type PaymentToken, stateAt } from '../tokens/payment-token.ts'

export function renderCustomer(
  links: Pick<Links, 'make'>,
  customer: Customer,
  defaultToken: PaymentToken | undefined,
  at: Instant,
): object {
  return {
    uuid: customer.uuid,
    reference_number: customer.referenceNumber,
    name: customer.name,
    ...(customer.email !== null && { email: customer.email }),
    dial_code: customer.dialCode ?? '',
    phone: customer.phone,
    ...(customer.companyName !== null && { company_name: customer.companyName }),
    ...(customer.defaultPaymentMethod !== null && { default_payment_method: customer.defaultPaymentMethod }),
    ...(customer.metadata !== null && { metadata: customer.metadata }),
    ...(defaultToken !== undefined && { default_payment_token: renderPaymentToken(links, defaultToken, at) }),
    created_at: toRfc3339(customer.createdAt),
    updated_at: toRfc3339(customer.updatedAt),
    ...(customer.erasedAt !== null && { erased_at: toRfc3339(customer.erasedAt) }),
  }
}

export function renderPaymentToken(links: Pick<Links, 'make'>, token: PaymentToken, at: Instant): object {
  return {
    token_type: token.tokenType,
    token: token.token,
    state: stateAt(token, at),
    default: token.isDefault,
    verify_url: token.state === 'pending' ? verificationUrl(links, token) : null,
    verify_uuid: token.verifyUuid,
    ...(token.errorCode !== null && { error_code: token.errorCode }),
    ...(token.errorMessage !== null && { error_msg: token.errorMessage }),
    ...(token.tokenType === 'CreditCard' && { credit_card: renderCard(token) }),
    ...(token.acquirerToken !== null && { acquirer_account_id: token.acquirerAccountId }),
    created_at: toRfc3339(token.createdAt),
  }
}

export function verificationUrl(
  links: Pick<Links, 'make'>,
  token: { readonly businessId: string; readonly verifyUuid: string },
): string {
  return links.make({ businessId: token.businessId, purpose: 'verification', id: token.verifyUuid })
}

export function maskedNumber(token: PaymentToken): string {
  if (token.last4 === null) return ''
  // Acquirers tell the last four digits only.
  if (token.first6 === null || token.numberLength === null) return `************${token.last4}`
  return maskNumber(token.first6, token.last4, token.numberLength)
}

function renderCard(token: PaymentToken): object {
  return {
    number: maskedNumber(token),
    exp_month: String(token.expMonth ?? '').padStart(2, '0'),
    exp_year: String(token.expYear ?? ''),
    holder_name: token.holderName ?? '',
    brand: token.brand ?? '',
    billing_currency: token.billingCurrency ?? '',
  }
}
