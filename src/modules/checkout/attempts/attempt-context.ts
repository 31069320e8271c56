import type { PaymentView } from '../pages/payment/payment-view.ts'
import type { Words } from '../words/words.ts'

export interface AttemptContext {
  readonly view: PaymentView
  readonly words: Words
  /** Where the acquirer sends the payer back to. */
  readonly returnUrl: string
  readonly requestId: string
}
