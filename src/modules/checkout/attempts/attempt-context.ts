import type { PaymentView } from '../pages/payment/payment-view.ts'
import type { Words } from '../words/words.ts'

export interface AttemptContext {
  readonly view: PaymentView
  readonly words: Words
  readonly returnUrl: string
  readonly requestId: string
  /** The payer has proved to be the order's customer, and may use the saved cards. */
  readonly isProved: boolean
}
