import type { RequestError } from '#kernel/errors'
import { errors } from '../errors.ts'
import type { OrderVoidResult } from '../model/order-void-result.ts'
import type { PaymentResult } from '../model/payment-result.ts'

export function failureOf(
  result: PaymentResult | OrderVoidResult,
  detail: { readonly data?: object } = {},
): RequestError | null {
  switch (result.kind) {
    case 'done':
    case 'pending':
      return null
    case 'unknown':
      return errors.outcome_unknown(detail)
    case 'declined': {
      const declineCode = 'declineCode' in result ? result.declineCode : null
      return errors.payment_declined({ ...detail, ...(declineCode !== null && { declineCode }) })
    }
    case 'refused':
      return errors.acquirer_refused(detail)
    case 'not_processed':
      return errors.not_processed(detail)
    case 'not_voidable':
      return errors[result.reason](detail)
  }
}
