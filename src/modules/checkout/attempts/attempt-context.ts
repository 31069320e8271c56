import type { PaymentView } from '../model/payment-view.ts'
import type { Words } from '../words/words.ts'

export interface AttemptContext {
  readonly view: PaymentView
  readonly words: Words
  readonly returnUrl: string
  readonly requestId: string
  readonly isProved: boolean
}
