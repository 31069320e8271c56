import type { ExactNumber } from '#kernel/json'
import type { OrderIdentifiers } from '../requests/identifiers.ts'

export const REFERENCE_PARAM = 'transaction.reference_id'

export interface PayOrderRequest {
  readonly order: OrderIdentifiers
  readonly transaction: {
    readonly type: 'Sales' | 'Authorization'
    readonly amount?: number | ExactNumber
    readonly payment_token: string
    readonly reference_id?: string
  }
}
