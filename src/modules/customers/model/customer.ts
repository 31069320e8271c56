import type { Instant } from '#kernel/clock'
import type { MessageKind } from './message-kinds.ts'
import type { Metadata } from '#platform/http/validation/metadata'

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
  readonly messagesOff: readonly MessageKind[] | null
  readonly metadata: Metadata
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly erasedAt: Instant | null
}
