import type { Instant } from '#kernel/clock'
import type { Metadata, MetadataEdit } from '#platform/http/validation/metadata'

export const PAYMENT_METHODS = ['Credit Card', 'WalletA Pay', 'WalletB'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

export interface Customer {
  readonly uuid: string
  readonly referenceNumber: string
  readonly name: string
  readonly email: string | null
  readonly dialCode: string | null
  readonly phone: string
  readonly companyName: string | null
  readonly defaultPaymentMethod: PaymentMethod | null
  readonly defaultToken: string | null
  readonly metadata: Metadata
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly erasedAt: Instant | null
}

/** In an edit a member that is left out stays, and an empty text removes the value. */
export interface CustomerProfile {
  readonly name: string
  readonly phone: string
  readonly email?: string
  readonly dial_code?: string
  readonly company_name?: string
  readonly default_payment_method?: PaymentMethod
  readonly metadata?: MetadataEdit
}

export interface NewCustomer extends CustomerProfile {
  readonly reference_number: string
}

export interface CustomerEdit extends CustomerProfile {
  readonly default_payment_token?: string
}
