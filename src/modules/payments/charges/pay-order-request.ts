import type { ExactNumber } from '#kernel/json'
import type { PayerDevice, WalletMethod } from '#modules/acquirers'
import type { OrderIdentifiers } from '../model/order-requests.ts'

export const REFERENCE_PARAM = 'transaction.reference_id'

export interface PayOrderRequest {
  readonly order: OrderIdentifiers
  readonly transaction: {
    readonly type: 'Sales' | 'Authorization'
    readonly amount?: number | ExactNumber
    readonly payment_token?: string | undefined
    readonly payment_method?: WalletMethod | undefined
    readonly return_url?: string | undefined
    readonly payer_device?: PayerDevice | undefined
    readonly reference_id?: string
  }
}
