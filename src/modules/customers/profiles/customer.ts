import type { Instant } from '#kernel/clock'

/** Payment methods as a caller names them (interface, endpoints 13 and 15). */
export const PAYMENT_METHODS = ['Credit Card', 'WalletA Pay', 'WalletB'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** Whom a business bills. Optional members without a value are null. */
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
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** What a caller may change of a customer; a member left out stays, an empty text takes the value away. */
export interface CustomerProfile {
  readonly name: string
  readonly phone: string
  readonly email?: string
  readonly dial_code?: string
  readonly company_name?: string
  readonly default_payment_method?: PaymentMethod
}

export interface NewCustomer extends CustomerProfile {
  readonly reference_number: string
}

export interface CustomerEdit extends CustomerProfile {
  readonly default_payment_token?: string
}
